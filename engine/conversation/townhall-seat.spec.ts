/** Rows 86–91 of the seed contracts, without a server; 84, 85 and 92 are in `townhall.spec.ts`, with one. */
import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { createTownhallSeat } from './townhall-seat.ts';
import type { TalkTurn, TownhallSeatOptions } from './townhall-seat.ts';
import { readTalk, talkText, talkWindow } from './townhall.ts';
import type { RawTalk } from './townhall.ts';

const raw = (id: string, fields: Record<string, string>): RawTalk => ({
  id,
  fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Buffer.from(value)])),
});

/** A stream in memory; what is added reaches the seat as the server would bring it. */
function hall(options: Partial<TownhallSeatOptions> = {}) {
  const clock = fakeClock();
  const all: RawTalk[] = [];
  const turns: TalkTurn[] = [];
  const problems: string[] = [];
  const malformed: string[] = [];
  const spokenAt: number[] = [];
  const say = (role: string, text: string): RawTalk => {
    const entry = raw(`${all.length + 1}-0`, { role, text });
    all.push(entry);
    return entry;
  };
  const seat = createTownhallSeat({
    role: 'Mayor',
    clock,
    stream: {
      before: (id, count) =>
        Promise.resolve(
          all
            .slice(
              0,
              all.findIndex((entry) => entry.id === id),
            )
            .slice(-count),
        ),
      after: (id, count) => Promise.resolve(all.slice(all.findIndex((entry) => entry.id === id) + 1).slice(0, count)),
      add: ({ role, text }) => {
        spokenAt.push(clock.now());
        const own = say(role, text);
        void seat.take(own);
        return Promise.resolve(own.id);
      },
    },
    speak: (turn) => {
      turns.push(turn);
      return Promise.resolve(`answer ${turns.length}`);
    },
    onMalformed: ({ id }) => malformed.push(id),
    onProblem: (problem) => problems.push(problem.message),
    ...options,
  });
  const own = () =>
    all.filter(({ fields }) => String(fields['role']) === 'Mayor').map(({ fields }) => String(fields['text']));
  return { clock, all, turns, problems, malformed, spokenAt, say, seat, own };
}

describe('a seat in the townhall', () => {
  it('shows who speaks the last ten entries: three unread and seven older ones, in order, none twice (87)', async () => {
    const { clock, say, seat, turns } = hall();
    for (let n = 1; n <= 12; n += 1) say('Villager', `old ${n}`);
    const unread = [1, 2, 3].map((n) => say('Judge', `new ${n}`));
    for (const entry of unread) void seat.take(entry);
    await clock.advance(0);
    assert.equal(turns.length, 1);
    const expected = [...[6, 7, 8, 9, 10, 11, 12].map((n) => `old ${n}`), 'new 1', 'new 2', 'new 3'];
    assert.deepEqual(
      turns[0]?.entries.map(({ text }) => text),
      expected,
    );
    assert.equal(turns[0]?.last.text, 'new 3');
    seat.close();
  });

  it('shows its own lines as "You" and those of others by their role (88)', async () => {
    const { clock, say, seat, turns } = hall();
    say('Mayor', 'Calm down.');
    void seat.take(say('Villager', 'There are bandits!'));
    await clock.advance(0);
    assert.equal(turns[0]?.text, 'You: Calm down.\n\nVillager: There are bandits!');
    seat.close();
  });

  it('does not answer itself (86)', async () => {
    const { clock, say, seat, turns } = hall();
    const done = [seat.take(say('Villager', 'Well?')), seat.take(say('Mayor', 'I said so.'))];
    await Promise.all(done);
    await clock.advance(60_000);
    assert.equal(turns.length, 0);
    assert.equal(clock.waiting, 0);
  });

  it('keeps ten seconds between two replies, and stops after ten (89)', async () => {
    let ended = 0;
    const { clock, say, seat, spokenAt } = hall({ onEnd: () => (ended += 1) });
    for (let n = 0; n < 40; n += 1) {
      void seat.take(say('Villager', `and ${n}`));
      await clock.advance(4_000);
    }
    await clock.advance(60_000);
    assert.equal(spokenAt.length, limits.talkReplies);
    const gaps = spokenAt.slice(1).map((at, index) => at - (spokenAt[index] ?? 0));
    assert.ok(
      gaps.every((gap) => gap >= limits.talkCooldownMs),
      gaps.join(' '),
    );
    assert.deepEqual([seat.replies, ended], [10, 1]);
    await seat.take(say('Villager', 'still listening?'));
  });

  it('answers what came while it thought or paused as one batch', async () => {
    const { clock, say, seat, turns } = hall();
    void seat.take(say('Villager', 'one'));
    await clock.advance(0);
    for (const text of ['two', 'three']) void seat.take(say('Judge', text));
    await clock.advance(limits.talkCooldownMs);
    assert.equal(turns.length, 2);
    assert.equal(turns[1]?.last.text, 'three');
    seat.close();
  });

  it('says its fallback line when the model fails or has nothing to say, and that counts (90)', async () => {
    let calls = 0;
    const speak = () => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('no model')) : Promise.resolve(' ');
    };
    const { clock, say, seat, own, problems } = hall({ speak, fallback: 'Mon dieu.' });
    void seat.take(say('Villager', 'one'));
    await clock.advance(limits.talkCooldownMs);
    void seat.take(say('Villager', 'two'));
    await clock.advance(0);
    assert.deepEqual(own(), ['Mon dieu.', 'Mon dieu.']);
    assert.equal(seat.replies, 2);
    assert.deepEqual(problems, ['no model']);
    seat.close();
  });

  it('passes over entries without role or text, which count as dealt with (91)', async () => {
    const { clock, say, seat, turns, malformed } = hall();
    await seat.take(raw('0-1', { role: 'Villager' }));
    await seat.take(raw('0-2', { text: 'who am I?' }));
    await seat.take(raw('0-3', { role: ' ', text: 'x' }));
    void seat.take(say('Villager', 'Well?'));
    await clock.advance(0);
    assert.deepEqual(malformed, ['0-1', '0-2', '0-3']);
    assert.equal(turns[0]?.text, 'Villager: Well?');
    seat.close();
  });

  it('deals with an entry when it has answered, and not when it was closed before', async () => {
    const speaking = Promise.withResolvers<string>();
    const { clock, say, seat, own } = hall({ speak: () => speaking.promise });
    let isDone = false;
    void seat.take(say('Villager', 'one')).then(() => (isDone = true));
    await clock.advance(0);
    assert.equal(isDone, false);
    seat.close();
    speaking.resolve('too late');
    await clock.advance(60_000);
    assert.deepEqual([isDone, own()], [false, []]);
  });

  it('does not say again after a crash what it said before it', async () => {
    const { clock, say, seat, turns } = hall();
    const asked = say('Villager', 'Well?');
    say('Mayor', 'Here it is.');
    await seat.take(asked, { isAgain: true });
    const unanswered = say('Villager', 'And?');
    void seat.take(unanswered, { isAgain: true });
    await clock.advance(0);
    assert.deepEqual(
      turns.map(({ last }) => last.text),
      ['And?'],
    );
    seat.close();
  });
});

describe('talk on a stream', () => {
  it('leaves the oldest out when it gets too long', () => {
    const entries = Array.from({ length: 10 }, (_, n) => ({ id: `${n}-0`, role: 'A', text: `${n}`.repeat(2_000) }));
    const text = talkText(entries, 'B');
    assert.ok(text.length <= limits.requestChars);
    assert.match(text, /9$/);
  });

  it('has nobody twice in its window', () => {
    const entry = (n: number) => ({ id: `${n}-0`, role: 'A', text: String(n) });
    const window = talkWindow([1, 2, 3].map(entry), [3, 4].map(entry), 3);
    assert.deepEqual(
      window.map(({ text }) => text),
      ['2', '3', '4'],
    );
  });

  it('cuts a text that is too long', () => {
    const read = readTalk(raw('1-0', { role: 'A', text: 'x'.repeat(100_000) }));
    assert.equal(read?.text.length, limits.talkChars);
  });
});
