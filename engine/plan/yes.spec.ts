import assert from 'node:assert/strict';
import { answered, answerOf, planner, sampleRunner } from '../../test/plan/sample-team.ts';
import { fakeClock } from '../clock.ts';
import { createQuestions } from '../conversation/questions.ts';
import { yesOrNo } from '../language/yes-no.ts';
import { limits } from '../limits.ts';
import type { AskAnswer, PlanStep } from '../moot.ts';
import { createEmbeddedStore } from '../store/embedded.ts';

const question = 'Shall I forget all 12 things?';
const asksYes: AskAnswer = { status: 'answered', asked: true, asksYes: true, payload: question, mutations: [] };

/** A team of which one asks for a yes before it does what it is asked. */
function house(steps = answerOf([['climate', 'forget everything']])) {
  const clock = fakeClock();
  const store = createEmbeddedStore({ path: ':memory:', clock });
  const asked: PlanStep[] = [];
  const planned: string[] = [];
  const { runner } = sampleRunner({
    clock,
    call: planner((text) => (planned.push(text), /forget/.test(text) ? steps : answerOf([], { message: 'Hm.' }))),
    questions: createQuestions(store, 'h'),
    ask: async (step) => {
      asked.push(step);
      if (step.agent !== 'climate') return answered('Done.');
      return step.confirmed ? answered('I have forgotten it.') : asksYes;
    },
  });
  const say = async (text: string, conversation = 'c1', user = 'anna') =>
    (await runner.start({ text, conversation, user, topic: 't' }))?.payload ?? '';
  return { clock, asked, planned, say, confirmed: () => asked.filter((step) => step.confirmed).length };
}

describe('a yes that an agent asked for', () => {
  it('has the same asked of the same agent, with no planner in between', async () => {
    const { say, asked, planned, confirmed } = house();
    assert.equal(await say('forget everything'), question);
    assert.equal(confirmed(), 0);
    assert.equal(await say('Yes, please!'), 'I have forgotten it.');
    assert.deepEqual(
      asked.map(({ agent, prompt, confirmed: isSure = false }) => [agent, prompt, isSure]),
      [
        ['climate', 'forget everything', false],
        ['climate', 'forget everything', true],
      ],
    );
    assert.deepEqual(planned, ['forget everything']);
    await say('yes');
    assert.equal(confirmed(), 1, 'counts once');
  });

  it('counts only in the same conversation, of the same person, within five minutes', async () => {
    for (const [conversation, user, afterMs] of [
      ['c2', 'anna', 0],
      ['c1', 'bert', 0],
      ['c1', 'anna', limits.questionOpenMs],
    ] as const) {
      const { clock, say, confirmed } = house();
      await say('forget everything');
      await clock.advance(afterMs);
      const said = await say('yes', conversation, user);
      assert.equal(confirmed(), 0, `${conversation} ${user} ${afterMs}`);
      assert.doesNotMatch(said, /forgotten/);
    }
  });

  it('is followed by nothing when it is a no, or something else', async () => {
    const { say, confirmed } = house();
    await say('forget everything');
    assert.equal(await say('no'), 'All right, I did nothing.');
    await say('yes');
    await say('forget everything');
    assert.match(await say('what a day'), /^Hm\.\s+Shall I forget/, 'the question stays open');
    assert.equal(await say('forget everything'), question);
    assert.equal(confirmed(), 0);
    assert.equal(await say('yes'), 'I have forgotten it.');
  });

  it('is asked once more beside something else, and then no more: a late yes is said to nothing', async () => {
    const { say, confirmed } = house();
    await say('forget everything');
    assert.match(await say('what a day'), /Shall I forget/);
    assert.doesNotMatch(await say('what a day'), /Shall I forget/);
    assert.doesNotMatch(await say('yes'), /forgotten/);
    assert.equal(confirmed(), 0);
  });

  it('is clear beside what was done, but not beside another question', async () => {
    const beside = house(
      answerOf([
        ['lights', 'light on'],
        ['climate', 'forget everything'],
      ]),
    );
    assert.match(await beside.say('light on and forget everything'), /Done\.\s+Shall I/);
    await beside.say('yes');
    assert.equal(beside.confirmed(), 1);
    const more = answerOf([['climate', 'forget everything']], {
      questions: [{ request: 'turn on the light', question: 'Which room?' }],
    });
    const two = house(more);
    await two.say('forget everything and turn on the light');
    await two.say('yes');
    assert.equal(two.confirmed(), 0);
  });

  it('is plain words', () => {
    for (const text of ['yes', 'Yes!', 'yes, please', 'OK', 'go ahead.', 'do it'])
      assert.equal(yesOrNo(text), 'yes', text);
    for (const text of ['no', 'No, thanks', 'don’t', 'better not', 'never mind', 'No, don’t.'])
      assert.equal(yesOrNo(text), 'no', text);
    for (const text of [
      '',
      'yes and no',
      'yes but not the key',
      'not yes',
      'forget everything',
      'si',
      'yesterday',
      '?',
    ])
      assert.equal(yesOrNo(text), undefined, text);
  });
});
