/** What a whole run may cost: what is left is not begun, and the outcome is `limit`. */
import assert from 'node:assert/strict';
import { answered, member, sampleRunner } from '../../test/plan/sample-team.ts';
import { emptyUsage } from '../model/usage.ts';
import type { PlanStep } from '../moot.ts';

const team = ['lights', 'climate'].map((id) => member(id));
const step = (id: string, after: readonly string[] = []): PlanStep => ({
  ...{ id, agent: 'lights', prompt: id, parameters: {}, after, state: 'waiting' },
});

describe('a limit of a run', () => {
  const run = async (limits: object, steps: readonly PlanStep[]) => {
    const asked: string[] = [];
    const { runner } = sampleRunner({
      ...{ team: async () => team, limits },
      ask: async ({ id }) => {
        asked.push(id);
        return { ...answered(`${id} is done.`), usage: { ...emptyUsage, modelCalls: 2, tokensIn: 10 } };
      },
    });
    const result = await runner.start({ text: 'proceed', plan: { message: '', steps } });
    return { asked, result };
  };
  const chain = [step('s1'), step('s2', ['s1']), step('s3', ['s2'])];

  it('ends it when it is reached, with the reason and what was done so far', async () => {
    const { asked, result } = await run({ modelCalls: 3 }, chain);
    assert.deepEqual(asked, ['s1', 's2']);
    assert.equal(result?.outcome, 'limit');
    assert.equal(result.reason, 'I stopped: 3 calls of the AI model are the most for one request.');
    assert.match(result.payload, /^s1 is done\.\s+s2 is done\.\s+I stopped: /);
    assert.deepEqual(
      result.plan.steps.map(({ state }) => state),
      ['answered', 'answered', 'cancelled'],
    );
  });

  it('is no limit for what is over already, nor where it is 0', async () => {
    assert.equal((await run({ modelCalls: 6 }, chain)).result?.outcome, 'done');
    assert.equal((await run({ modelCalls: 0, tokens: 0 }, chain)).result?.outcome, 'done');
  });

  it('of one agent ends the run, too', async () => {
    const { runner } = sampleRunner({
      team: async () => team,
      ask: async () => ({
        ...{ status: 'failed' as const, payload: 'Half. I stopped.', mutations: [] },
        error: { code: 'FOLKMOOT_LIMIT', message: 'x' },
      }),
    });
    const result = await runner.start({ text: 'proceed', plan: { message: '', steps: [step('s1')] } });
    assert.deepEqual([result?.outcome, result?.payload], ['limit', 'Half. I stopped.']);
  });
});
