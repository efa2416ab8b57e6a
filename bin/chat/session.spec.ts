import assert from 'node:assert/strict';
import type { AmicaAnswers, AmicaQuestion, ReplyPart } from '../../engine/bus/amica-requester.ts';
import { fakeClock } from '../../engine/clock.ts';
import { folkmootError } from '../../engine/errors.ts';
import type { Screen } from './screen.ts';
import { createSession, type SessionOptions } from './session.ts';

/** A requester whose replies the spec makes, and a screen that keeps what it shows. */
function setUp(more: Partial<SessionOptions> = {}) {
  const clock = fakeClock();
  const asked: AmicaQuestion[] = [];
  const feeds = new Map<string, { push: (part: Partial<ReplyPart>) => void; end: (error?: Error) => void }>();
  const requester = {
    async *ask(question: AmicaQuestion): AsyncGenerator<ReplyPart, AmicaAnswers> {
      asked.push(question);
      const queue: ReplyPart[] = [];
      let ended: { readonly error?: Error } | undefined;
      let wake = () => undefined as void;
      feeds.set(question.message, {
        push: (part) => {
          queue.push({ reply: 1, text: '', isComplete: false, ...part });
          wake();
        },
        end: (error) => {
          ended = error ? { error } : {};
          wake();
        },
      });
      while (!ended) {
        for (let part = queue.shift(); part; part = queue.shift()) yield part;
        await new Promise<void>((resolve) => (wake = resolve));
      }
      if (ended.error) throw ended.error;
      return { complete: 1, unfinished: 0, unreadable: 0 };
    },
  };
  let text = '';
  const waiting: (readonly string[])[] = [];
  const screen: Screen = {
    write: (added) => void (text += added),
    note: (note) => void (text += `{${note}}`),
    tell: (told) => void (text += `[${told}]`),
    endLine: () => void (text += text.endsWith('\n') ? '' : '\n'),
    waiting: (questions) => void waiting.push(questions),
    close: () => undefined,
  };
  const session = createSession({
    requester,
    clock,
    screen,
    userName: 'ana',
    isNewEachTime: false,
    silenceMs: 60_000,
    settleMs: 1_000,
    isVerbose: false,
    repeatsQuestions: true,
    ...more,
  });
  const say = async (question: string, part: Partial<ReplyPart>) => {
    feeds.get(question)?.push(part);
    await clock.advance(0);
  };
  const end = async (question: string, error?: Error) => {
    feeds.get(question)?.end(error);
    await clock.advance(0);
  };
  const ask = async (question: string) => {
    const answering = session.ask(question);
    await clock.advance(0);
    return answering;
  };
  return { clock, asked, session, ask, say, end, shown: () => text, waiting: () => waiting.at(-1) };
}

describe('a talk', () => {
  it('shows each answer below its question, whatever comes meanwhile', async () => {
    const { ask, say, end, shown, waiting, clock } = setUp();
    await ask('one');
    await say('one', { text: 'I am ' });
    await ask('two');
    assert.deepEqual(waiting(), ['two']);
    await say('two', { text: 'Second.', isComplete: true });
    await say('one', { text: 'first.', isComplete: true });
    for (const question of ['one', 'two']) await end(question);
    assert.equal(shown(), '> one\nI am first.\n---\n> two\nSecond.\n---\n');
    assert.deepEqual(waiting(), []);
    assert.equal(clock.waiting, 0);
  });

  it('says that nobody is there when no home is and no answer has begun, and asks again for who comes', async () => {
    let isAny = false;
    const homes = {
      get isAny() {
        return isAny;
      },
      onArrival: () => () => undefined,
    };
    const { ask, asked, say, end, shown, clock } = setUp({ homes });
    await ask('one');
    assert.equal(asked[0]?.again, homes.onArrival);
    await clock.advance(2_999);
    assert.equal(shown(), '> one\n');
    await clock.advance(1);
    assert.equal(shown(), '> one\n{(no home is here; “one” is asked again when one comes)}');
    await say('one', { text: 'I am.', isComplete: true });
    await end('one');
    const before = shown();
    await ask('two');
    await say('two', { text: 'I ' });
    await clock.advance(3_000);
    await say('two', { text: 'am.', isComplete: true });
    await end('two');
    isAny = true;
    await ask('three');
    await clock.advance(3_000);
    assert.doesNotMatch(shown().slice(before.length), /no home/);
    await end('three');
    assert.equal(clock.waiting, 0);
  });

  it('does not write a new question into the late answer of another agent', async () => {
    const { ask, say, shown } = setUp();
    await ask('one');
    await say('one', { text: 'First.', isComplete: true });
    await say('one', { reply: 2, text: 'Also ', agentId: 'late' });
    await ask('two');
    await say('two', { text: 'Second.', isComplete: true });
    await say('one', { reply: 2, text: 'this.', isComplete: true });
    assert.equal(shown(), '> one\nFirst.\n---\n[late]\nAlso this.\n---\n> two\nSecond.\n---\n');
  });

  it('keeps to one conversation, or takes another one for each question', async () => {
    const one = setUp();
    await one.ask('a');
    await one.ask('b');
    assert.ok(one.asked[0]?.conversation && one.asked[0].conversation === one.asked[1]?.conversation);
    const many = setUp({ isNewEachTime: true });
    await many.ask('a');
    assert.equal(many.asked[0]?.conversation, undefined);
  });

  it('says that nobody answered yet, what went wrong, and gives up', async () => {
    const { ask, end, shown, clock } = setUp();
    const { answered } = await ask('one');
    await clock.advance(10_000);
    await end('one', folkmootError('FOLKMOOT_DEADLINE', 'No answer came within 60 s.'));
    assert.equal(shown(), '> one\n{(no answer to “one” yet)}{“one”: No answer came within 60 s.}');
    assert.equal(await answered, false);
    assert.equal(clock.waiting, 0);
  });

  it('knows whether it was asked back, by which home, and notes under an answer what may be said', async () => {
    const { session, ask, say, shown } = setUp({ noteUnder: (answer) => (answer === 'Shall I?' ? '(yes · no)' : '') });
    await ask('mow');
    await say('mow', { text: 'Shall ', house: 'south' });
    assert.equal(session.isAskedBack, false);
    await say('mow', { text: 'I?', isComplete: true, house: 'south' });
    assert.deepEqual([session.isAskedBack, session.house], [true, 'south']);
    assert.match(shown(), /Shall I\?\n---\n\{\(yes · no\)\}$/);
    await ask('yes');
    assert.equal(session.isAskedBack, false, 'nobody has answered that yet');
    await say('yes', { text: 'Done.', isComplete: true });
    assert.deepEqual([session.isAskedBack, session.house], [false, 'south']);
    assert.match(shown(), /Done\.\n---\n$/);
  });

  it('is silent after its end', async () => {
    const { ask, say, end, shown, session, clock } = setUp();
    await ask('one');
    await say('one', { text: 'I am ' });
    session.close();
    await say('one', { text: 'late' });
    await end('one', new Error('The chat ended.'));
    assert.equal(shown(), '> one\nI am ');
    assert.equal(clock.waiting, 0);
  });
});
