import assert from 'node:assert/strict';
import { limits } from '../../limits.ts';
import { answerOf, planner, sampleTeam } from '../../../test/plan/sample-team.ts';
import { makePlan } from '../plan.ts';
import type { CallPlanner } from '../plan.ts';
import { createTierCounts, tierWords } from './tier-counts.ts';
import { createTier } from './tier.ts';
import type { TierOptions } from './tier.ts';

const clear = 'mow the front lawn';
const doubtful = 'make it nice in here';

/** A planner that is counted, and a tier before it. */
function planning(change: Partial<TierOptions> & { call?: CallPlanner } = {}) {
  const { call = planner(() => answerOf([['lawn-mower', 'mow the front lawn']])), ...options } = change;
  const counts = createTierCounts();
  const told: string[] = [];
  counts.onCount((what) => told.push(what));
  let calls = 0;
  const counted: CallPlanner = (one) => {
    calls += 1;
    return call(one);
  };
  const { signal } = new AbortController();
  const tier = createTier({ threshold: 0.5, checked: 0, counts, signal, random: () => 0.5, ...options });
  return {
    counts,
    told,
    plan: (request: string, more: object = {}) => makePlan({ call: counted, team: sampleTeam, request, tier, ...more }),
    calls: () => calls,
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

describe('a planner with a first tier', () => {
  it('is not called for what is clear; plan and usage say who planned', async () => {
    const { plan, calls } = planning();
    const made = await plan(clear);
    assert.equal(calls(), 0);
    assert.deepEqual(
      made.plan.steps.map(({ id, agent, prompt, state }) => [id, agent, prompt, state]),
      [['s1', 'lawn-mower', clear, 'waiting']],
    );
    assert.equal(made.plan.routedBy, 'first tier');
    assert.deepEqual([made.usage.routedBy, made.usage.modelCalls], ['first tier', 0]);
  });

  it('is called for what is not, and for what answers a question or changes a plan', async () => {
    const { plan, calls } = planning();
    const made = await plan(doubtful);
    assert.deepEqual([made.plan.routedBy, made.usage.routedBy, made.usage.modelCalls], ['planner', 'planner', 1]);
    await plan(clear, { pending: { request: 'x', question: 'Which one?' } });
    await plan(clear, { previous: { message: '', steps: [] } });
    assert.equal(calls(), 3);
  });

  it('makes steps wait for what others bring, as the planner’s do', async () => {
    const { plan } = planning();
    const { steps } = (await plan('mow the front lawn and collect the waste at the front')).plan;
    assert.deepEqual(
      steps.map(({ agent, after }) => [agent, after]),
      [
        ['lawn-mower', []],
        ['waste-disposer', ['s1']],
      ],
    );
  });

  it('is called for everything above the highest threshold', async () => {
    const { plan, calls } = planning({ threshold: 1.01 });
    await plan(clear);
    assert.equal(calls(), 1);
  });

  it('is given a share of the clear ones to compare, beside the run, and is counted', async () => {
    const answers = [answerOf([['lawn-mower', 'x']]), answerOf([['lights', 'x']])];
    const call: CallPlanner = async (one) => planner(() => answers.shift() ?? answerOf([]))(one);
    const { plan, counts, settled, calls, told } = planning({ checked: 0.6, call });
    for (let n = 0; n < 2; n += 1) {
      assert.equal((await plan(clear)).usage.modelCalls, 0);
      await settled();
    }
    assert.equal(calls(), 2);
    assert.deepEqual(counts.figures(), { requests: 2, clear: 2, checked: 2, agreed: 1 });
    assert.deepEqual(told, ['firstTier', 'checked', 'agreed', 'firstTier', 'checked']);
    const unchecked = planning({ checked: 0.4 });
    await unchecked.plan(clear);
    await unchecked.settled();
    assert.equal(unchecked.calls(), 0);
  });

  it('loses nothing when the planner fails at a check, nor waits for it', async () => {
    const failing = planning({ checked: 1, call: () => Promise.reject(new Error('away')) });
    assert.equal((await failing.plan(clear)).plan.steps.length, 1);
    await failing.settled();
    assert.deepEqual(failing.counts.figures(), { requests: 1, clear: 1, checked: 0, agreed: 0 });
    const silent = planning({ checked: 1, call: () => new Promise(() => undefined) });
    assert.equal((await silent.plan(clear)).plan.steps.length, 1);
  });
});

describe('what a first tier tells of itself', () => {
  it('is its share of the last requests, and how often the planner agreed', () => {
    const counts = createTierCounts();
    assert.equal(tierWords(counts.figures()), '');
    for (let n = 0; n < limits.tierWindow; n += 1) counts.routed(false);
    for (let n = 0; n < limits.tierWindow / 2; n += 1) counts.routed(true);
    assert.equal(tierWords(counts.figures()), 'first tier: 50 % of the last 200');
    counts.checked(true);
    counts.checked(false);
    assert.equal(tierWords(counts.figures()), 'first tier: 50 % of the last 200, 1 of 2 agreed');
  });
});
