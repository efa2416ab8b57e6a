/** What one agent's piece of work may cost, and that a run whose last tool failed is not done. */
import assert from 'node:assert/strict';
import { startFakeOpenAi, type FakeAnswer, type FakeRequest } from '../../test/fake-openai.ts';
import { createModel } from '../model/catalogue.ts';
import type { UsageLimits } from '../model/usage-limits.ts';
import type { AskAnswer } from '../moot.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import type { AgentDefinition } from './definition.ts';
import { runAgent } from './run-agent.ts';

const agent: AgentDefinition = {
  ...{ agentId: 'helper', name: 'Helper', description: 'x', topics: [], parameters: [], instructions: '' },
  ...{ accepts: [], generates: [], functions: [] },
};
let times = 0;
const tool = (give: () => AskAnswer): AgentTool => ({
  spec: {
    ...{ name: 'Look', description: 'Looks', category: 't', risk: 'read', effect: false, repeatable: true },
    parameters: [{ name: 'n', type: 'integer', required: false }],
  },
  mark: 't',
  said: (_given, result) => `It is ${String(result)}.`,
  ask: () => {
    times += 1;
    return Promise.resolve(give());
  },
});
const works = tool(() => ({ status: 'answered', payload: times, mutations: [] }));
const fails = tool(() => ({ status: 'failed', payload: null, mutations: [], error: { code: 'X', message: 'asleep' } }));

async function ask(
  answer: (request: FakeRequest, n: number) => FakeAnswer,
  own: AgentTool,
  limits: UsageLimits = {},
  more: object = {},
) {
  times = 0;
  let n = 0;
  const server = await startFakeOpenAi({ answer: (request) => answer(request, (n += 1)) });
  try {
    const result = await runAgent({
      ...{ agent, prompt: 'look', run: 'r', step: 's', limits },
      model: createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'small', ...more }),
      tools: { askId: 'ask:r/s', owner: 'a', reached: () => [own] },
    });
    return { result, calls: n };
  } finally {
    await server.close();
  }
}
const goesOn = (_request: FakeRequest, n: number): FakeAnswer => ({ calls: [{ name: 'Look', args: { n } }] });

describe('a limit of an agent', () => {
  it('ends its work with the reason, and what was found out so far', async () => {
    const { result, calls } = await ask(goesOn, works, { modelCalls: 2 });
    assert.equal(calls, 2);
    assert.deepEqual([result.status, result.error?.code], ['failed', 'FOLKMOOT_LIMIT']);
    assert.equal(result.payload, 'It is 1. It is 2. I stopped: 2 calls of the AI model are the most for one request.');
  });

  it('counts calls of tools, tokens and costs', async () => {
    const tools = await ask(goesOn, works, { toolCalls: 3 });
    assert.deepEqual([tools.calls, times], [3, 3]);
    assert.match(String(tools.result.payload), /3 calls of tools are the most/);
    const tokens = await ask(
      (request, n) => ({ ...goesOn(request, n), usage: { prompt: 60, completion: 40 } }),
      works,
      {
        tokens: 150,
      },
    );
    assert.deepEqual([tokens.calls, tokens.result.error?.code], [2, 'FOLKMOOT_LIMIT']);
    const prices = { priceIn: 1_000, priceOut: 10_000, currency: 'EUR' };
    const cost = await ask(
      (request, n) => ({ ...goesOn(request, n), usage: { prompt: 1_000, completion: 100 } }),
      works,
      { cost: 3 },
      prices,
    );
    assert.match(String(cost.result.payload), /costs of 3 EUR are the most/);
    assert.equal(cost.result.usage?.cost, 4);
    assert.equal(cost.result.usage?.currency, 'EUR');
  });

  it('is none that is not set, and the same question again and again ends all the same', async () => {
    const { result, calls } = await ask(() => ({ calls: [{ name: 'Look', args: {} }] }), works);
    assert.ok(calls <= 4, String(calls));
    assert.equal(times, 1);
    assert.equal(result.error?.code, 'FOLKMOOT_LIMIT');
  });
});

describe('an agent whose last tool failed', () => {
  it('has not done it, whatever its model says', async () => {
    const { result } = await ask((_request, n) => (n === 1 ? goesOn(_request, n) : { text: 'All is well.' }), fails);
    assert.deepEqual([result.status, result.payload], ['failed', 'All is well.']);
    assert.match(result.error?.message ?? '', /asleep/);
  });
});
