/** An agent that is marked as the fallback answers what fits nobody else (P22). */
import assert from 'node:assert/strict';
import { answerOf, member, planner, sampleTeam } from '../../test/plan/sample-team.ts';
import type { ModelCall } from '../model/call.ts';
import type { PlanAnswer } from '../model/model.ts';
import { createModel } from '../model/catalogue.ts';
import { makePlan, planOf, plannerOf } from './plan.ts';
import type { PlanOptions, TeamMember } from './plan.ts';

const chatter = member('chatter', { fallback: true });
const team = [...sampleTeam, chatter];
const talk = answerOf([['chat', 'tell a joke about lawns']]);
const silent = { message: '', steps: [] };
const steps = ({ plan }: { readonly plan: ReturnType<typeof planOf>['plan'] }) =>
  plan.steps.map(({ agent, prompt, state }) => [agent, prompt, state]);

/** @returns the plan, and what the planner was told. */
async function planned(answer: PlanAnswer, options: Partial<PlanOptions> = {}) {
  const told: ModelCall[] = [];
  const call = planner(() => answer);
  const result = await makePlan({
    ...{ request: 'tell me a joke', team },
    ...options,
    call: (given) => (told.push(given), call(given)),
  });
  return { ...result, system: told[0]?.messages[0]?.text ?? '' };
}

describe('a fallback agent', () => {
  it('is asked in the plan’s chat steps, in their places', () => {
    const made = planOf(
      answerOf([
        ['lights', 'on'],
        ['Chat', 'tell a joke', [0]],
      ]),
      team,
    );
    assert.deepEqual(steps(made), [
      ['lights', 'on', 'waiting'],
      ['chatter', 'tell a joke', 'waiting'],
    ]);
    assert.deepEqual(made.plan.steps[1]?.after, ['s1']);
  });

  it('is nobody where none is marked: then such steps are left out, as before', () => {
    assert.deepEqual(steps(planOf(talk, sampleTeam)), []);
  });

  it('is the first of several', () => {
    const other = member('other-chatter', { fallback: true });
    assert.deepEqual(steps(planOf(talk, [...sampleTeam, other, chatter]))[0]?.[0], 'other-chatter');
  });

  it('is whom the planner is told to give talk to', async () => {
    const { system } = await planned(talk);
    assert.match(system, /choose "chat", for which chatter answers/);
    assert.doesNotMatch(system, /choose nobody and answer/);
    const without = await planned(talk, { team: sampleTeam });
    assert.match(without.system, /choose nobody and answer in "message"/);
  });

  it('answers where the planner neither does nor says anything', async () => {
    assert.deepEqual(steps(await planned(silent)), [['chatter', 'tell me a joke', 'waiting']]);
    assert.deepEqual(steps(await planned(silent, { team: sampleTeam })), []);
    for (const said of [
      { ...silent, message: 'Hello!' },
      { ...silent, declined: true },
      { ...silent, dropsQuestion: true },
      { ...silent, questions: [{ request: 'light', question: 'Which room?' }] },
    ])
      assert.deepEqual(steps(await planned(said)), [], JSON.stringify(said));
  });

  it('leaves an open question open', async () => {
    const pending = { request: 'turn on the light', question: 'Which room?' };
    assert.equal((await planned(talk, { pending })).closesQuestion, false);
    assert.equal((await planned(answerOf([['chatter', 'a joke']]), { pending })).closesQuestion, false);
    assert.equal((await planned(answerOf([['lights', 'on']]), { pending })).closesQuestion, true);
  });

  it('talks neither to an event, nor about a plan that is being changed', async () => {
    const event = [{ source: 'door', kind: 'open', value: true, time: '2026-01-01T00:00:00Z' }];
    const previous = answerOf([['lights', 'on']]);
    for (const options of [{ event }, { previous }])
      for (const answer of [talk, silent]) {
        const made = await planned(answer, options);
        assert.deepEqual(steps(made), []);
        assert.match(made.system, /choose nobody and answer/);
      }
  });

  it('gets what words and rules take for no matter of the team, and nothing that is near to one', async () => {
    const call = plannerOf(createModel({ provider: 'rules' }));
    const agents = async (request: string, of: readonly TeamMember[] = team) =>
      (await makePlan({ call, request, team: of })).plan.steps.map(({ agent }) => agent);
    for (const request of [
      'tell me a joke',
      'what is the capital of France?',
      'I am cold',
      'how are you? tell me a joke',
    ])
      assert.deepEqual([request, await agents(request)], [request, ['chatter']]);
    assert.deepEqual(await agents('turn the kitchen light on'), ['lights']);
    for (const request of [
      'turn the oven on',
      'don’t turn on the light',
      'turn the kitchen light on and tell me a joke',
    ])
      assert.deepEqual([request, await agents(request)], [request, []]);
    assert.deepEqual(await agents('tell me a joke', sampleTeam), []);
  });
});
