import assert from 'node:assert/strict';
import { planWithRules } from './plan.ts';
import { planData } from './sample.ts';

const first = 'turn the band saw on, plane the oak board and set the red pot to 60 degrees';
const changed = (...said: string[]) => {
  let plan = planWithRules(planData(first));
  for (const request of said) {
    const { message, steps } = plan;
    plan = planWithRules(planData(request, { previous: { message, steps } }));
  }
  return plan;
};
const prompts = (...said: string[]) => changed(...said).steps.map(({ prompt }) => prompt);
const [saw = '', wood = '', pot = ''] = prompts();

describe('a plan that is changed by words, by the rules', () => {
  it('is left without what is left out, by number or by words', () => {
    for (const said of [
      'without the board',
      'leave out the oak board',
      'leave the board',
      'skip 2',
      'not the second one',
    ])
      assert.deepEqual(prompts(said), [saw, pot], said);
    assert.deepEqual(prompts('leave out the saw and the last'), [wood]);
    assert.deepEqual(prompts('without the joiner'), [saw, pot], 'by who does it');
    assert.deepEqual(prompts('only the saw'), [saw]);
    assert.deepEqual(prompts('just 1 and 3'), [saw, pot]);
  });

  it('is no longer wanted when nothing is left of it', () => {
    assert.equal(changed('skip all').dropsQuestion, true);
    assert.deepEqual(prompts('skip 1, 2 and 3'), []);
  });

  it('has other values', () => {
    assert.match(prompts('maple')[1] ?? '', /maple/);
    assert.match(prompts('70 degrees instead, please')[2] ?? '', /70/);
    assert.match(prompts('the table saw')[0] ?? '', /table saw/);
  });

  it('has more, or another wish in place of the same kind', () => {
    assert.equal(prompts('turn the table saw on too').length, 4);
    assert.deepEqual(prompts('plane the beech board'), [saw, 'plane the beech board', pot]);
    assert.equal(prompts('tell the foreman that it is late').length, 4);
  });

  it('is changed again and again', () => {
    assert.deepEqual(prompts('without the pot', 'maple', 'only the board').length, 1);
  });

  it('stays as it is when the words are not understood, and says so', () => {
    for (const said of ['somehow nicer', 'without the moon', 'leave the moon', 'the purple one']) {
      const { steps, message, questions = [], dropsQuestion } = changed(said);
      assert.deepEqual([steps, dropsQuestion ?? false], [[], false], said);
      assert.ok(message || questions.length, said);
    }
  });

  it('takes an answer to what was asked beside it', () => {
    const plan = planWithRules(planData('turn the band saw on and set the red pot to 100 degrees'));
    const [pending] = plan.questions ?? [];
    assert.ok(pending);
    const after = planWithRules(planData('80', { previous: plan, pending }));
    assert.deepEqual(
      after.steps.map(({ prompt }) => prompt),
      ['turn the band saw on', 'Set glue red to 80 degrees'],
    );
  });
});
