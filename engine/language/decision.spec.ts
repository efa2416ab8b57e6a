import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decisionOf, decisionOfAnswer } from './decision.ts';

const decided = (text: string) => {
  const found = decisionOf(text);
  return found && [found.decision, found.text, ...(found.asksAgain ? ['asks again'] : [])];
};

describe('what a person decides in words', () => {
  it('is a plain yes or no', () => {
    for (const text of ['yes', 'Yes, please!', 'ok', 'go ahead', 'Proceed.', 'approve', 'do it'])
      assert.deepEqual(decided(text), ['approve', undefined], text);
    for (const text of ['no', 'No, thanks', 'cancel', 'forget it', 'don’t'])
      assert.deepEqual(decided(text), ['deny', undefined], text);
  });

  it('is a yes that wants to be asked again', () => {
    for (const text of [
      'yes, with approval',
      'yes, but ask me again before anything is done',
      'Yes, but ask me first.',
      'ok, show me first',
      'go ahead but let me see the commands first',
    ])
      assert.deepEqual(decided(text), ['approve', undefined, 'asks again'], text);
  });

  it('is a wish to change, with what should be different if that was said', () => {
    assert.deepEqual(decided('change plan'), ['refine', '']);
    assert.deepEqual(decided('No - change the plan.'), ['refine', '']);
    assert.deepEqual(decided('change the plan: only the kitchen'), ['refine', 'only the kitchen']);
    assert.deepEqual(decided('no, the bedroom instead'), ['refine', 'the bedroom instead']);
    assert.deepEqual(decided('no but the hall'), ['refine', 'the hall']);
  });

  it('is to start over, perhaps with something else', () => {
    assert.deepEqual(decided('start over'), ['restart', '']);
    assert.deepEqual(decided('no - start over'), ['restart', '']);
    assert.deepEqual(decided('Start again: mow the lawn'), ['restart', 'mow the lawn']);
  });

  it('is nothing in case of doubt, and never an approval', () => {
    for (const text of [
      '',
      'yes and no',
      'yes but not the key',
      'yes, and the hall too',
      'ask me again',
      'yes, ask anna whether she is at home, and then do it',
      'no lights please',
      'start over there',
      'change it to blue',
      'the bedroom',
      'yes, but show me the camera',
    ])
      assert.notEqual(decisionOf(text)?.decision, 'approve', text);
    for (const text of ['the bedroom', 'no lights please', 'yes and no', 'ask me again', ''])
      assert.equal(decisionOf(text), undefined, text);
  });

  it('ends for whatever is said', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => void decisionOf(text)));
    fc.assert(fc.property(fc.string(), (text) => decisionOf(`${text} unless it rains`)?.decision !== 'approve'));
  });

  it('of a wire carries its words and its plan', () => {
    const plan = { message: '', steps: [] };
    assert.deepEqual(decisionOfAnswer({ decision: 'approve', text: 'ask me again first', plan }), {
      ...{ decision: 'approve', plan, asksAgain: true },
    });
    assert.deepEqual(decisionOfAnswer({ decision: 'refine', text: ' the hall ' }), {
      decision: 'refine',
      text: 'the hall',
    });
    assert.deepEqual(decisionOfAnswer({ decision: 'deny', text: 'because' }), { decision: 'deny' });
  });
});
