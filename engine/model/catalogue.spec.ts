import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isFolkmootError } from '../errors.ts';
import type { Usage } from '../moot.ts';
import { callModel } from './call.ts';
import { createModel, parseModelName, providerNames } from './catalogue.ts';
import type { ScriptLine, TaskData } from './model.ts';
import { createTextGate, jsonIn } from './spoken-text.ts';
import { addUsage, emptyUsage } from './usage.ts';

const data = (extra: Partial<TaskData> = {}): TaskData => ({
  task: 'generate',
  request: 'turn on the light',
  agents: [],
  functions: [],
  board: [],
  ...extra,
});
const isUnknown = (error: unknown) => isFolkmootError(error, 'FOLKMOOT_MODEL_UNKNOWN');

describe('the catalogue of models', () => {
  it('reads the names of the environment', () => {
    assert.deepEqual(parseModelName('rules', {}), { provider: 'rules' });
    assert.deepEqual(parseModelName('openai:gpt-x', { OPENAI_API_KEY: 'k' }), {
      provider: 'openai',
      modelName: 'gpt-x',
      apiKey: 'k',
    });
    assert.deepEqual(parseModelName('openai-compatible:http://127.0.0.1:11434/v1#qwen:4b', {}), {
      provider: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:11434/v1',
      modelName: 'qwen:4b',
    });
    for (const wrong of ['', 'oracle', 'openai:', 'openai-compatible:#x', 'openai-compatible:http://a', 'rules:x'])
      assert.throws(() => parseModelName(wrong, {}), isUnknown, wrong);
  });

  it('says which providers there are', async () => {
    for (const provider of ['oracle', 'toString', '__proto__'])
      await assert.rejects(
        createModel({ provider }).chat(),
        (error: Error) => isUnknown(error) && error.message.includes(providerNames.join(', ')),
      );
  });

  it('loads a model once', async () => {
    const model = createModel({ provider: 'scripted', script: [] });
    assert.equal(await model.chat(), await model.chat());
  });
});

describe('the scripted model', () => {
  const ask = async (script: ScriptLine[], ...requests: Partial<TaskData>[]) => {
    const model = createModel({ provider: 'scripted', script });
    const replies = [];
    for (const one of requests) replies.push(await callModel(model, { data: data(one), messages: [] }));
    return replies;
  };

  it('answers by condition, as often as it fits, else in order', async () => {
    const script = [{ when: 'LIGHT', answer: 'light' }, { answer: 'one' }, { answer: 'two' }];
    const replies = await ask(script, {}, { request: 'a' }, {}, { request: 'b' }, { request: 'c' });
    assert.deepEqual(
      replies.map(({ text }) => text),
      ['light', 'one', 'light', 'two', 'two'],
    );
  });

  it('gives plans to planners and calls to agents', async () => {
    const plan = { message: 'fine', steps: [] };
    const generate = { message: 'on', calls: [{ function: 'SetLight', parameters: { room: 'kitchen' } }] };
    const [planned, generated] = await ask([{ answer: generate }, { answer: plan }], { task: 'plan' }, {});
    assert.deepEqual(planned?.calls, [{ name: 'make_plan', args: plan }]);
    assert.deepEqual(generated?.calls, [{ name: 'generate', args: generate }]);
  });

  it('without a fitting line says so and does nothing', async () => {
    const [planned, generated] = await ask([{ task: 'summary', answer: 'x' }], { task: 'plan' }, {});
    assert.equal(planned?.calls[0]?.args['declined'], true);
    assert.deepEqual(generated?.calls[0]?.args['calls'], []);
    assert.equal(generated?.usage.modelCalls, 1);
  });
});

describe('usage', () => {
  it('adds up, by agent too', () => {
    const one: Usage = {
      ...emptyUsage,
      modelCalls: 1,
      tokensIn: 5,
      byAgent: { a: { modelCalls: 1, tokensIn: 5, tokensOut: 0 } },
    };
    const sum = addUsage(addUsage(one, one), undefined);
    assert.deepEqual(
      [sum.modelCalls, sum.tokensIn, sum.byAgent['a']],
      [2, 10, { modelCalls: 2, tokensIn: 10, tokensOut: 0 }],
    );
    assert.deepEqual(addUsage(undefined, undefined), emptyUsage);
  });
});

describe('words of a model', () => {
  it('reach people the same in whatever pieces they come, without thinking aloud', () => {
    const parts = fc.array(fc.constantFrom('<think>', '</think>', 'hello ', '{"a":1}', '<', 'th', '\n', 'x>'), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(parts, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (given, sizes) => {
        const text = given.join('');
        let heard = '';
        const gate = createTextGate((piece) => (heard += piece));
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          gate(text.slice(at, at + size));
          at += size;
        }
        assert.doesNotMatch(heard, /^\s*[{[`]/);
        assert.doesNotMatch(heard, /<think>/);
      }),
    );
  });

  it('may hold JSON in a fence or between words', () => {
    assert.deepEqual(jsonIn('x ```json\n{"a":1}\n``` y'), { a: 1 });
    assert.deepEqual(jsonIn('Sure: {"a":{"b":2}} ok'), { a: { b: 2 } });
    assert.deepEqual(jsonIn('<think>{"no":1}</think>{"a":1}'), { a: 1 });
    for (const none of ['', 'hello', '[1]', '{"a":']) assert.equal(jsonIn(none), undefined);
  });
});
