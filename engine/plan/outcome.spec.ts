import assert from 'node:assert/strict';
import type { Plan, PlanStep, StepState } from '../moot.ts';
import { endingOf } from './outcome.ts';
import { restOf } from './rest.ts';
import { runText, stepText } from './text.ts';

const step = (id: string, state: StepState, more: Partial<PlanStep> = {}): PlanStep => ({
  ...{ id, agent: 'lights', prompt: `prompt ${id}`, parameters: {}, after: [], state },
  ...more,
});
const planWith = (...steps: PlanStep[]): Plan => ({ message: 'Hello.', steps });

describe('the outcome of a plan', () => {
  it('is done if anything was accepted, with the reason asked if a question is open', () => {
    assert.deepEqual(endingOf(planWith(step('s1', 'failed')), true, false), { outcome: 'done' });
    const asked = planWith(step('s1', 'answered'), step('s2', 'answered', { asked: true }));
    assert.deepEqual(endingOf(asked, true, false), { outcome: 'done', reason: 'asked' });
    assert.deepEqual(endingOf({ ...planWith(step('s1', 'answered')), questions: ['Which?'] }, true, false), {
      outcome: 'done',
      reason: 'asked',
    });
  });

  it('is asked if only a question came of it', () => {
    assert.equal(endingOf(planWith(step('s1', 'answered', { asked: true })), false, false).outcome, 'asked');
    assert.equal(endingOf({ message: '', steps: [], questions: ['Which?'] }, false, true).outcome, 'asked');
  });

  it('is done for talk and refused if declined', () => {
    assert.equal(endingOf(planWith(), false, false).outcome, 'done');
    assert.equal(endingOf(planWith(), false, true).outcome, 'refused');
  });

  it('is else the common fate of the steps', () => {
    const of = (...states: StepState[]) => endingOf(planWith(...states.map((s, n) => step(`s${n}`, s))), false, false);
    assert.equal(of('answered', 'failed').outcome, 'done');
    assert.equal(of('refused', 'failed', 'timeout').outcome, 'refused');
    assert.equal(of('failed', 'timeout').outcome, 'timeout');
    assert.equal(of('failed', 'cancelled').outcome, 'failed');
    assert.equal(of('cancelled').outcome, 'cancelled');
  });
});

describe('what people are told of a plan', () => {
  const plan: Plan = {
    ...planWith(
      step('s1', 'answered', { text: 'Light is on. 120 % is too much.', rest: '120 % is too much.' }),
      step('s2', 'refused', { text: '90 is too hot.' }),
      step('s3', 'answered', { text: 'Which room?', asked: true }),
    ),
    questions: ['Which lawn?', 'Which room?'],
  };

  it('leaves what was done to the report, and tells each other thing once', () => {
    assert.equal(restOf(plan, [{ step: 's1' }]), '120 % is too much.\n90 is too hot.\nWhich room?\nWhich lawn?');
    assert.equal(restOf(planWith(step('s1', 'answered')), [{ step: 's1' }]), '');
  });

  it('is the plan’s message if no step and no question says anything', () => {
    assert.equal(runText(planWith(step('s1', 'answered'))), 'Hello.');
    assert.equal(runText(plan), 'Light is on. 120 % is too much.\n90 is too hot.\nWhich room?\nWhich lawn?');
  });

  it('has a plain sentence for each way a step can end without words', () => {
    for (const status of ['refused', 'failed', 'timeout', 'cancelled'] as const)
      assert.match(stepText({ prompt: 'mow the lawn' }, { status, payload: { odd: 1 } }), /mow the lawn/);
    assert.equal(stepText({ prompt: 'x' }, { status: 'answered', payload: null }), '');
  });
});
