import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import type { AskAnswer, Risk } from '../moot.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { AgentTool } from './agent-tool.ts';
import { carefulTool, type CarefulOptions } from './careful-tool.ts';

const answered = (payload: unknown): AskAnswer => ({ status: 'answered', payload, mutations: [] });
const failed: AskAnswer = { status: 'failed', payload: null, mutations: [], error: { code: 'X', message: 'x' } };

function aTool(answers: readonly AskAnswer[], more: Partial<CarefulOptions> = {}, risk: Risk = 'read') {
  const clock = fakeClock();
  const store = createEmbeddedStore({ path: ':memory:', clock });
  const ids: string[] = [];
  const own: AgentTool = {
    spec: {
      name: 'Weather',
      description: 'x',
      category: 't',
      risk,
      effect: risk !== 'read',
      repeatable: true,
      parameters: [],
    },
    mark: 't',
    said: () => undefined,
    ask: async (id) => {
      ids.push(id);
      return answers[Math.min(ids.length, answers.length) - 1] ?? failed;
    },
  };
  const tool = carefulTool(own, { clock, store, owner: 'n1', retries: 0, keptMs: 0, ...more });
  return { clock, store, ids, tool, ask: (given: object = {}, id = 'a') => tool.ask(id, { ...given }, undefined) };
}

describe('a tool that is read with care', () => {
  it('is asked again when it failed, under an id of its own, with growing pauses', async () => {
    const { clock, ids, ask } = aTool([failed, failed, answered(7)], { retries: 2 });
    const asked = ask();
    await clock.advance(499);
    assert.deepEqual(ids, ['a']);
    await clock.advance(1_501);
    assert.deepEqual(ids, ['a', 'a~1', 'a~2']);
    assert.deepEqual(await asked, answered(7));
    assert.equal(clock.waiting, 0);
  });

  it('gives the last failure when it goes on failing, and does not repeat a refusal', async () => {
    const one = aTool([failed], { retries: 1 });
    const asked = one.ask();
    await one.clock.advance(5_000);
    assert.equal((await asked).status, 'failed');
    assert.equal(one.ids.length, 2);
    const refused = aTool([{ ...failed, status: 'refused' }], { retries: 3 });
    assert.equal((await refused.ask()).status, 'refused');
    assert.equal(refused.ids.length, 1);
  });

  it('gives the same answer to the same question for a while, from the store, and then asks anew (P6)', async () => {
    const { clock, ids, ask } = aTool([answered(1), answered(2), answered(3)], { keptMs: 60_000 });
    assert.equal((await ask({ town: 'Bonn' })).payload, 1);
    assert.equal((await ask({ town: 'Bonn' }, 'b')).payload, 1);
    assert.equal((await ask({ town: 'Rome' }, 'c')).payload, 2);
    await clock.advance(60_000);
    assert.equal((await ask({ town: 'Bonn' }, 'd')).payload, 3);
    assert.deepEqual(ids, ['a', 'c', 'd']);
  });

  it('keeps no failure, and goes on when the store does not', async () => {
    const one = aTool([failed, answered(5)], { keptMs: 60_000 });
    await one.ask();
    assert.equal((await one.ask({}, 'b')).payload, 5);
    const problems: unknown[] = [];
    const broken = { get: () => Promise.reject(new Error('away')), put: () => Promise.reject(new Error('away')) };
    const two = aTool([answered(6)], {
      ...{ keptMs: 1_000, store: broken as unknown as NonNullable<CarefulOptions['store']> },
      problem: (error) => problems.push(error),
    });
    assert.equal((await two.ask()).payload, 6);
    assert.equal(problems.length, 2);
  });

  it('is never one that acts: that is asked once, and its answer is not kept', async () => {
    const { ids, ask } = aTool([failed, answered(1)], { retries: 3, keptMs: 60_000 }, 'reversible');
    assert.equal((await ask()).status, 'failed');
    await ask({}, 'b');
    assert.deepEqual(ids, ['a', 'b']);
  });
});
