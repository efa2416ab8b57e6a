import assert from 'node:assert/strict';
import { member } from '../../test/plan/sample-team.ts';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import { createModel } from '../model/catalogue.ts';
import type { ScriptLine } from '../model/model.ts';
import type { AskAnswer, Statement } from '../moot.ts';
import { runStatement } from './run-statement.ts';
import { debateOf, statementPrompt, statementTask } from './statement-prompt.ts';

const climate = member('climate', { generates: ['SetTemperature'] });
const warm = { function: 'SetTemperature', parameters: { room: 'bedroom', celsius: 21 } };
const debate = { topic: 'heat or save?', side: 'comfort', round: 2, window: [] };
const event = [{ source: 'hall', kind: 'temperature', value: 17, time: '2026-01-01T00:00:00Z' }];

const state = (script: readonly ScriptLine[], more: Partial<Parameters<typeof runStatement>[0]> = {}) =>
  runStatement({
    agent: climate,
    model: createModel({ provider: 'scripted', script }),
    debate,
    event,
    run: 'r1',
    step: 'r2-climate',
    ...more,
  });
const saidIn = ({ payload }: AskAnswer): Statement => payload as Statement;

describe('a statement of an agent', () => {
  it('is what its model wants, with the proposal as checked commands that carry run, step and agent', async () => {
    const answer = await state([
      { answer: { claim: ' Heat. ', confidence: 0.9, reasons: ['Cold.', ' '], proposal: [warm] } },
    ]);
    assert.equal(answer.status, 'answered');
    assert.deepEqual(answer.mutations, []);
    const { proposal, ...said } = saidIn(answer);
    assert.deepEqual(said, {
      round: 2,
      agent: 'climate',
      side: 'comfort',
      claim: 'Heat.',
      confidence: 0.9,
      reasons: ['Cold.'],
    });
    assert.deepEqual(
      proposal.map(({ id, ...rest }) => (assert.ok(id), rest)),
      [{ run: 'r1', step: 'r2-climate', agent: 'climate', ...warm, risk: 'reversible' }],
    );
    assert.equal(answer.usage?.modelCalls, 1);
  });

  it('has the same ids when it is made again', async () => {
    const script = [{ answer: { claim: 'Heat.', confidence: 1, proposal: [warm] } }];
    assert.deepEqual(saidIn(await state(script)), saidIn(await state(script)));
  });

  it('is tried once more with what was wrong, and refused when the proposal is still not its own', async () => {
    const forbidden = { function: 'OpenDoor', parameters: {} };
    const wrong = { answer: { claim: 'Open.', confidence: 1, proposal: [forbidden] } };
    const mended = await state([wrong, { answer: { claim: 'Heat.', confidence: 1, proposal: [warm] } }]);
    assert.equal(mended.status, 'answered');
    assert.equal(mended.usage?.modelCalls, 2);
    const refused = await state([wrong, wrong]);
    assert.equal(refused.status, 'refused');
    assert.equal(refused.payload, 'That is not something I can do.');
    assert.equal(refused.error?.code, 'FOLKMOOT_COMMAND_INVALID');
  });

  it('fails when it is not of the form: no claim, confidence beyond 1, words alone', async () => {
    for (const answer of [{ confidence: 1 }, { claim: 'x', confidence: 2 }, { claim: '', confidence: 0.5 }]) {
      const end = await state([{ task: 'statement', answer }]);
      assert.deepEqual([end.status, end.error?.code], ['failed', 'FOLKMOOT_MODEL_UNREADABLE'], JSON.stringify(answer));
      assert.equal(end.payload, 'I have nothing to say on that.');
    }
    assert.equal((await state([{ answer: 'Well, who knows.' }])).payload, 'Well, who knows.');
  });

  it('is none where words and rules think: that is said', async () => {
    const end = await state([], { model: createModel({ provider: 'rules' }) });
    assert.equal(end.status, 'failed');
    assert.match(String(end.payload), /no opinion/);
  });

  it('is cancelled with its signal', async () => {
    const end = await state([], { signal: AbortSignal.abort() });
    assert.equal(end.status, 'cancelled');
  });

  it('proposes nothing that only reads', () => {
    const reader = { ...climate, functions: climate.functions.map((spec) => ({ ...spec, risk: 'read' as const })) };
    assert.deepEqual(statementTask({ agent: reader, debate, run: 'r1' }).functions, []);
  });

  it('may be JSON text, as small models answer; they are told all that canned answers see', async () => {
    const server = await startFakeOpenAi({
      answer: () => ({ text: '```json\n{"claim":"Heat.","confidence":0.7,"proposal":[]}\n```' }),
    });
    try {
      const model = createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'small' });
      assert.equal(saidIn(await state([], { model })).confidence, 0.7);
    } finally {
      await server.close();
    }
    const window = [{ round: 1, agent: 'costs', claim: 'Save.', confidence: 0.4, reasons: ['Dear.'], proposal: [] }];
    const task = statementTask({ agent: climate, debate: { ...debate, window }, event, run: 'r1' });
    const prompt = statementPrompt(task, 'Be brief.')
      .map(({ text }) => text)
      .join('\n');
    for (const words of [
      'heat or save?',
      'comfort',
      'Be brief.',
      'SetTemperature',
      '"value":17',
      'Save.',
      'Dear.',
      'Round 2',
    ])
      assert.ok(prompt.includes(words), words);
  });
});

describe('canned statements', () => {
  const lines: ScriptLine[] = [
    { condition: 'cold', answer: { claim: 'Heat.', confidence: 0.9 } },
    { condition: 'warm', answer: { claim: 'Save.', confidence: 0.8 } },
  ];
  const scopes: unknown[] = [];
  const model = createModel({ provider: 'scripted', script: lines }, undefined, {
    evaluate: async (condition, scope) => {
      scopes.push(scope);
      const [first] = scope['event'] as readonly { value: number }[];
      return condition === 'cold' ? (first?.value ?? 99) < 19 : (first?.value ?? 0) > 20;
    },
  });

  it('are chosen by conditions over event, topic, window, side, round and data', async () => {
    assert.equal(saidIn(await state([], { model })).claim, 'Heat.');
    assert.deepEqual(scopes[0], { event, topic: debate.topic, window: [], side: 'comfort', round: 2, data: '' });
    const warmer = event.map((one) => ({ ...one, value: 20.5 }));
    assert.equal(saidIn(await state([], { model, event: warmer })).claim, 'Save.');
    assert.equal((await state([], { model, event: [] })).payload, 'I have no answer to that.');
  });

  it('with a condition that nothing can work out fail', async () => {
    assert.equal((await state(lines)).error?.code, 'FOLKMOOT_MODEL_FAILED');
  });
});

describe('what a debater is asked over a wire', () => {
  it('is read within limits, whatever it holds', () => {
    assert.deepEqual(debateOf(null), { topic: '', round: 1, window: [] });
    assert.deepEqual(debateOf('heat?'), { topic: 'heat?', round: 1, window: [] });
    const window = [null, { claim: 3 }, { claim: 'x' }];
    assert.deepEqual(debateOf({ topic: 'a', round: 'x', side: '  ', window }), {
      topic: 'a',
      round: 1,
      window: [{ claim: 'x' }],
    });
  });
});
