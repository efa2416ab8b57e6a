/** Steps that wait for nothing overlap in time, and every step waits for what it needs (P21). */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MemorySaver } from '@langchain/langgraph';
import { member, sampleRunner, slow, until } from '../../test/plan/sample-team.ts';
import { waitingHouse } from '../../test/plan/waiting-house.ts';
import { fakeClock } from '../clock.ts';
import type { Plan, PlanStep } from '../moot.ts';
import { stagesOf } from '../router/dependencies.ts';

const team = ['lights', 'climate'].map((id) => member(id));
const second = 1_000;

const stepOf = (id: string, after: readonly string[]): PlanStep => ({
  ...{ id, agent: 'lights', prompt: id, parameters: {}, after, state: 'waiting' },
});

/** Steps that wait for any of those before them, in any order. */
const acyclic: fc.Arbitrary<PlanStep[]> = fc
  .array(fc.array(fc.nat(7), { maxLength: 3 }), { minLength: 1, maxLength: 8 })
  .chain((waits) => {
    const steps = waits.map((on, at) =>
      stepOf(`s${at}`, [...new Set(on.filter((other) => other < at).map((other) => `s${other}`))]),
    );
    return fc.shuffledSubarray(steps, { minLength: steps.length });
  });

/** How long the chain that ends with a step is, by hand, without what is tested. */
const chainTo = (steps: readonly PlanStep[], id: string): number =>
  1 + Math.max(0, ...(steps.find((one) => one.id === id)?.after ?? []).map((other) => chainTo(steps, other)));
const longestChain = (steps: readonly PlanStep[]): number => Math.max(...steps.map(({ id }) => chainTo(steps, id)));

describe('steps of a plan', function () {
  this.timeout(20_000);

  it('take as long as their longest chain, and begin after all that they wait for: 200 random plans', async () => {
    const saver = new MemorySaver();
    await fc.assert(
      fc.asyncProperty(acyclic, async (steps) => {
        const clock = fakeClock();
        const began = clock.now();
        const log: string[] = [];
        const { runner } = sampleRunner({
          ...{ clock, checkpointer: async () => saver, team: async () => team },
          ask: slow(
            () => clock,
            () => second,
            log,
          ),
        });
        const end = runner.start({ text: 'proceed', plan: { message: '', steps } });
        const chain = longestChain(steps);
        for (let passed = 1; passed <= chain; passed += 1) {
          const begun = steps.filter(({ id }) => chainTo(steps, id) <= passed).length;
          await until(clock, () => log.filter((line) => line.startsWith('+')).length === begun);
          await clock.advance(second);
        }
        assert.ok((await end)?.plan.steps.every(({ state }) => state !== 'waiting'));
        assert.equal(clock.now() - began, chain * second);
        assert.equal(stagesOf(steps).length, chain);
        assert.equal(log.length, steps.length * 2);
        for (const { id, after } of steps)
          for (const other of after) assert.ok(log.indexOf(`-${other}`) < log.indexOf(`+${id}`), `${id} ${other}`);
      }),
      { numRuns: 200 },
    );
  });

  it('that wait for nothing are asked at the same time', async () => {
    const clock = fakeClock();
    const log: string[] = [];
    const { runner } = sampleRunner({
      ...{ clock, team: async () => team },
      ask: slow(
        () => clock,
        () => second,
        log,
      ),
    });
    const plan: Plan = { message: '', steps: [stepOf('a', []), stepOf('b', []), stepOf('c', ['a', 'b'])] };
    const end = runner.start({ text: '', plan });
    await until(clock, () => log.length === 2);
    assert.deepEqual(log, ['+a', '+b']);
    await clock.advance(second);
    await until(clock, () => log.length === 5);
    assert.deepEqual(log.slice(2), ['-a', '-b', '+c']);
    await clock.advance(second);
    await end;
  });

  it('are approved in as many groups as their longest chain is long', async () => {
    await fc.assert(
      fc.asyncProperty(acyclic, async (steps) => {
        const { say } = waitingHouse({ before: 'commands', by: 'group' });
        let last = await say('', { plan: { message: '', steps } });
        let groups = 0;
        for (; last.waits; groups += 1) last = await say('yes');
        assert.equal(groups, longestChain(steps));
        assert.equal(last.outcome, 'done');
      }),
      { numRuns: 20 },
    );
  });

  it('of a plan that goes round in a circle are stages all the same', () => {
    const round = [stepOf('a', ['b']), stepOf('b', ['a']), stepOf('c', ['c', 'nobody'])];
    assert.deepEqual(stagesOf(round).flat().sort(), ['a', 'b', 'c']);
  });
});
