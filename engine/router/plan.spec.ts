import assert from 'node:assert/strict';
import { folkmootError, isFolkmootError } from '../errors.ts';
import type { ModelCall, ModelReply } from '../model/call.ts';
import type { PlanAnswer } from '../model/model.ts';
import { emptyUsage } from '../model/usage.ts';
import { answerOf, member, planner, sampleTeam } from '../../test/plan/sample-team.ts';
import { makePlan, planOf } from './plan.ts';

/** A planner that replies in order and remembers what it was asked. */
function replies(...texts: (string | Partial<ModelReply> | Error)[]) {
  const calls: ModelCall[] = [];
  return {
    calls,
    call: async (call: ModelCall): Promise<ModelReply> => {
      calls.push(call);
      const next = texts.shift();
      if (next instanceof Error) throw next;
      const reply = typeof next === 'string' ? { text: next } : next;
      return { text: '', calls: [], usage: { ...emptyUsage, modelCalls: 1 }, ...reply };
    },
  };
}

const options = { request: 'light in the kitchen', team: sampleTeam };

describe('the planner', () => {
  it('gives steps in order, each with its own prompt (rows 46, 47)', async () => {
    const call = planner(() =>
      answerOf([
        ['lights', 'switch the kitchen light on'],
        ['climate', 'bedroom to 21'],
        ['lawn-mower', 'mow the front lawn'],
      ]),
    );
    const { plan, usage } = await makePlan({ ...options, call });
    assert.deepEqual(
      plan.steps.map(({ id, agent, prompt, state }) => [id, agent, prompt, state]),
      [
        ['s1', 'lights', 'switch the kitchen light on', 'waiting'],
        ['s2', 'climate', 'bedroom to 21', 'waiting'],
        ['s3', 'lawn-mower', 'mow the front lawn', 'waiting'],
      ],
    );
    assert.equal(usage.modelCalls, 1);
  });

  it('fills agent parameters and drops unknown ones (row 48)', async () => {
    const answer = answerOf([['lights', 'on']]);
    const steps = [{ ...answer.steps[0], parameters: { rooms: 'kitchen', mood: ['good'] } }];
    const { call } = replies({ calls: [{ name: 'make_plan', args: { message: 'm', steps } }] });
    const { plan } = await makePlan({ ...options, call });
    assert.deepEqual(plan.steps[0]?.parameters, { rooms: ['kitchen'] });
  });

  it('reads JSON text, in a fence, with words around it', async () => {
    const { call } = replies(`Sure:\n\`\`\`json\n${JSON.stringify(answerOf([['lights', 'on']]))}\n\`\`\``);
    assert.equal((await makePlan({ ...options, call })).plan.steps.length, 1);
  });

  it('asks once more for what it could not read, with the finding, and then gives up', async () => {
    const good = replies('I have switched it on!', JSON.stringify(answerOf([['lights', 'on']])));
    const { usage } = await makePlan({ ...options, call: good.call });
    assert.equal(usage.modelCalls, 2);
    assert.match(good.calls[1]?.messages.at(-1)?.text ?? '', /could not be read: it was no call of make_plan/);
    assert.match(good.calls[1]?.data.finding ?? '', /no call of make_plan/);
    const bad = replies('{"steps": 3}', folkmootError('FOLKMOOT_MODEL_UNREADABLE', 'The model answered nothing.'));
    await assert.rejects(makePlan({ ...options, call: bad.call }), (error) =>
      isFolkmootError(error, 'FOLKMOOT_PLAN_INVALID'),
    );
    assert.equal(bad.calls.length, 2);
  });

  it('tells what the model says when it only talks, twice', async () => {
    const { call, calls } = replies('Let me think.', ' I would rather talk about owls. ');
    const { plan, closesQuestion } = await makePlan({ ...options, call });
    assert.deepEqual([calls.length, plan.message, plan.steps], [2, 'I would rather talk about owls.', []]);
    assert.equal(closesQuestion, false);
  });

  it('passes other errors on at once', async () => {
    const { call, calls } = replies(folkmootError('FOLKMOOT_MODEL_FAILED', 'Status 500.'));
    await assert.rejects(makePlan({ ...options, call }), (error) => isFolkmootError(error, 'FOLKMOOT_MODEL_FAILED'));
    assert.equal(calls.length, 1);
  });

  it('mends wrong names and refuses whom it cannot find, in words (row 61)', () => {
    const { plan } = planOf(
      answerOf([
        ['Lawn Mower', 'mow'],
        ['lawn_mower', 'mow'],
        ['LAWNMOWER', 'mow'],
        ['lawn-mowr', 'mow'],
        ['butler', 'bring tea'],
      ]),
      sampleTeam,
    );
    assert.deepEqual(
      plan.steps.map(({ agent }) => agent),
      ['lawn-mower', 'lawn-mower', 'lawn-mower', 'lawn-mower', 'butler'],
    );
    assert.deepEqual(
      plan.steps.map(({ state }) => state),
      ['waiting', 'waiting', 'waiting', 'waiting', 'refused'],
    );
    assert.equal(plan.steps[4]?.text, 'Nobody here can do this: “bring tea”.');
  });

  it('takes the first of two agents with one name, and nobody when two are equally near', () => {
    const twins = [member('garden-one', { name: 'Garden' }), member('garden-two', { name: 'Garden' })];
    assert.equal(planOf(answerOf([['garden', 'x']]), twins).plan.steps[0]?.agent, 'garden-one');
    const near = [member('garden-a1'), member('garden-a2')];
    assert.equal(planOf(answerOf([['garden-a3', 'x']]), near).plan.steps[0]?.state, 'refused');
  });

  it('leaves the chat fallback out of the steps and keeps what the others wait for (row 52)', () => {
    const { plan } = planOf(
      answerOf([
        ['lights', 'on'],
        ['Chat', 'hello'],
        ['climate', 'warm', [0, 1, 7, 2]],
      ]),
      sampleTeam,
    );
    assert.deepEqual(
      plan.steps.map(({ id, agent, after }) => [id, agent, after]),
      [
        ['s1', 'lights', []],
        ['s2', 'climate', ['s1']],
      ],
    );
  });

  it('passes on a polite refusal without steps (row 53)', () => {
    const { plan, declined } = planOf({ message: 'I only do the house.', steps: [], declined: true }, sampleTeam);
    assert.equal(declined, true);
    assert.equal(plan.message, 'I only do the house.');
  });

  it('says when there are too many steps', () => {
    const many = Array.from({ length: 25 }, () => ['lights', 'on'] as const);
    const { plan, tooMany } = planOf(answerOf(many), sampleTeam);
    assert.equal(tooMany, 25);
    assert.equal(plan.steps.length, 20);
  });

  it('waits for whoever brings what an agent accepts, also by consequence', () => {
    const team = [member('lawn-mower', { generates: ['MowLawn'] }), ...sampleTeam.slice(3), sampleTeam[0] as never];
    const { plan } = planOf(
      answerOf([
        ['waste-disposer', 'collect'],
        ['lawn-mower', 'mow'],
        ['lights', 'on'],
        ['waste-disposer', 'collect'],
      ]),
      team,
    );
    assert.deepEqual(
      plan.steps.map(({ after }) => after),
      [[], [], [], ['s2']],
    );
  });

  it('reads whatever a model writes without throwing', async () => {
    const odd: unknown[] = [null, [], 7, { steps: [null] }, { steps: [{ agent: 1 }] }, { message: 4, steps: {} }];
    for (const args of odd) {
      const { call } = replies({ calls: [{ name: 'make_plan', args: args as never }] }, JSON.stringify(args));
      await assert.rejects(makePlan({ ...options, call }), (error) => isFolkmootError(error, 'FOLKMOOT_PLAN_INVALID'));
    }
    const wrapped: { execution_plan: PlanAnswer } = { execution_plan: answerOf([['lights', 'on']]) };
    const { call } = replies({ calls: [{ name: 'make_plan', args: { ...wrapped } }] });
    assert.equal((await makePlan({ ...options, call })).plan.steps.length, 1);
  });
});
