import assert from 'node:assert/strict';
import type { AmicaOutgoing } from '../bus/amica.ts';
import { amicaTopics } from '../bus/topics.ts';
import { fakeClock } from '../clock.ts';
import { folkmootError, isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { createReplyDesk } from './reply-desk.ts';

interface Part {
  readonly message: string;
  readonly isComplete: boolean;
  readonly sequenceNumber: { readonly value: number };
}

function setUp() {
  const clock = fakeClock();
  const log: string[] = [];
  const problems: Error[] = [];
  const state = { fails: 0, stuck: false };
  const desk = createReplyDesk({
    clock,
    agentId: 'house-agent',
    async publish({ topic, message }: AmicaOutgoing) {
      if (state.stuck) return new Promise(() => undefined);
      if (state.fails > 0) {
        state.fails -= 1;
        throw folkmootError('FOLKMOOT_BUS_FULL', 'Full.');
      }
      await Promise.resolve();
      const body = JSON.parse(String(message.payload)) as Part & { conversationId?: string };
      if (topic === amicaTopics.events) return void log.push(`ended ${body.conversationId}`);
      assert.equal(message.properties?.['AGENT_ID'], 'house-agent');
      assert.ok(message.retain !== true);
      log.push(`${topic.split('/').at(-1)} ${body.sequenceNumber.value}${body.isComplete ? '!' : ''} ${body.message}`);
    },
    record: async ({ conversation, user, text: asked }, text) =>
      void log.push(`rows ${conversation} ${user}: ${asked} | ${text}`),
    finished: (id, _conversation, text) => void log.push(`finished ${id} ${text}`),
    onProblem: (problem) => problems.push(problem),
  });
  const expect = (id: string, deadlineMs = 60_000, owner?: string) =>
    desk.expect({ id, conversation: `c-${id}`, user: 'ana', text: 'mow' }, { deadlineMs, ...(owner ? { owner } : {}) });
  return { clock, desk, log, problems, state, expect };
}

describe('reply desk', () => {
  it('sends parts in order from 1, the last one complete, and after the rows the end of the conversation', async () => {
    const { clock, desk, log, expect } = setUp();
    expect('m');
    const sent = [desk.part('m', 'Two users '), desk.part('m', 'are '), desk.finish('m', 'Two users are logged in.')];
    await clock.advance(limits.replyFirstMs);
    assert.deepEqual(await Promise.all(sent), ['sent', 'sent', 'sent']);
    assert.deepEqual(log, [
      'finished m Two users are logged in.',
      'm 1 Two users ',
      'm 2 are ',
      'rows c-m ana: mow | Two users are logged in.',
      'm 3! logged in.',
      'ended c-m',
    ]);
    assert.equal(clock.waiting, 0);
  });

  it('begins the last part on a new line when it is not what was streamed', async () => {
    const { clock, desk, log, expect } = setUp();
    expect('m');
    void desk.part('m', 'I turn it on.');
    void desk.finish('m', 'The kitchen light is on.');
    await clock.advance(200);
    assert.deepEqual(
      log.filter((line) => line.startsWith('m ')),
      ['m 1 I turn it on.', 'm 2! \nThe kitchen light is on.'],
    );
  });

  it('sends nothing sooner than 100 ms after the request', async () => {
    const { clock, desk, log, expect } = setUp();
    expect('m');
    void desk.finish('m', 'Done at once.');
    await clock.advance(limits.replyFirstMs - 1);
    assert.ok(!log.some((line) => line.startsWith('m ')));
    await clock.advance(1);
    assert.ok(log.includes('m 1! Done at once.'));
  });

  it('answers a request once: what comes after is counted', async () => {
    const { clock, desk, log, expect } = setUp();
    expect('m');
    assert.equal(expect('m'), false);
    await clock.advance(200);
    assert.equal(await desk.finish('m', 'first'), 'sent');
    assert.equal(await desk.finish('m', 'second'), 'late');
    assert.equal(await desk.part('m', 'part'), 'late');
    assert.equal(await desk.part('other', 'part'), 'unknown');
    assert.equal(expect('m'), false);
    await clock.advance(10 * 60_000);
    assert.deepEqual(desk.counts, { open: 0, late: 2, forced: 0 });
    assert.equal(log.filter((line) => line.includes('!')).length, 1);
  });

  it('answers in words at the deadline and ten seconds, and says so to who built the flow', async () => {
    const { clock, desk, log, problems, expect } = setUp();
    expect('m', 60_000);
    await clock.advance(69_999);
    assert.equal(log.length, 0);
    await clock.advance(1);
    assert.match(log.find((line) => line.startsWith('m ')) ?? '', /^m 1! Sorry, this took too long/);
    assert.equal(log.at(-1), 'ended c-m');
    assert.ok(isFolkmootError(problems[0], 'FOLKMOOT_REPLY_MISSING'));
    assert.equal(desk.counts.forced, 1);
    assert.equal(clock.waiting, 0);
  });

  it('counts the time from where a run takes it over and from each part, and takes a run’s shorter time', async () => {
    const { clock, desk, log, expect } = setUp();
    expect('m', 60_000);
    await clock.advance(50_000);
    desk.extend('m', 300_000);
    await clock.advance(60_000);
    await desk.part('m', 'Wait. ');
    await clock.advance(60_000);
    desk.extend('m', 5_000);
    await clock.advance(14_999);
    assert.deepEqual(log, ['m 1 Wait. ']);
    await clock.advance(1);
    assert.equal(log.at(-1), 'ended c-m');
  });

  it('answers ten seconds after a run that ended in silence, by how it ended', async () => {
    const { clock, desk, log, expect } = setUp();
    for (const [id, outcome] of [
      ['a', 'failed'],
      ['b', 'done'],
      ['c', 'cancelled'],
    ] as const) {
      expect(id);
      desk.runEnded(id, outcome);
      if (id === 'a') void desk.part('a', '');
    }
    await clock.advance(limits.replyGraceMs);
    assert.match(log.find((line) => line.startsWith('a 1!')) ?? '', /went wrong/);
    assert.match(log.find((line) => line.startsWith('b 1!')) ?? '', /no answer/);
    assert.match(log.find((line) => line.startsWith('c 1!')) ?? '', /stopped before/);
    assert.equal(clock.waiting, 0);
  });

  it('waits for commands that are still carried out, whether it hears of them before or after the run ended', async () => {
    const { clock, desk, log, expect } = setUp();
    desk.working('early', 60_000);
    for (const id of ['early', 'late', 'short']) expect(id);
    for (const id of ['early', 'late', 'short']) desk.runEnded(id, 'done');
    await clock.advance(5_000);
    desk.working('late', 60_000);
    desk.working('short', 300);
    await clock.advance(limits.replyGraceMs + 300);
    assert.deepEqual(
      log.filter((line) => line.startsWith('ended')),
      ['ended c-short'],
    );
    await clock.advance(54_700);
    assert.deepEqual([desk.isOpen('early'), desk.isOpen('late')], [false, true]);
    void desk.finish('late', 'The blind is down.');
    await clock.advance(60_000);
    assert.ok(log.includes('late 1! The blind is down.'));
    assert.equal(clock.waiting, 0);
  });

  it('says to whom was interrupted that nobody knows what became of it, unless something answers', async () => {
    const { clock, desk, log, problems } = setUp();
    for (const id of ['a', 'b', 'c']) {
      desk.expect({ id, conversation: `c-${id}` }, { deadlineMs: 60_000, isInterrupted: true });
    }
    desk.extend('b', 60_000);
    desk.working('c', 5_000);
    await clock.advance(limits.replyGraceMs);
    assert.match(log.find((line) => line.startsWith('a 1!')) ?? '', /interrupted and can’t tell/);
    assert.deepEqual([desk.isOpen('b'), desk.isOpen('c')], [true, true]);
    await clock.advance(60_000);
    assert.match(log.find((line) => line.startsWith('b 1!')) ?? '', /too long/);
    assert.match(log.find((line) => line.startsWith('c 1!')) ?? '', /interrupted/);
    assert.equal(problems.length, 1);
  });

  it('does not force a reply when the flow answers after the run ended', async () => {
    const { clock, desk, log, expect } = setUp();
    expect('m');
    desk.runEnded('m', 'done');
    await clock.advance(5_000);
    void desk.finish('m', 'The light is on.');
    await clock.advance(60_000);
    assert.deepEqual([desk.counts.forced, log.filter((line) => line.startsWith('m ')).length], [0, 1]);
  });

  it('answers at closing what is open, of one owner or of all', async () => {
    const { clock, desk, log, expect } = setUp();
    expect('a', 60_000, 'node-1');
    expect('b', 60_000, 'node-2');
    await clock.advance(1_000);
    await desk.close({ owner: 'node-1' });
    assert.equal(log.filter((line) => line.startsWith('ended')).join(), 'ended c-a');
    assert.ok(desk.isOpen('b'));
    await desk.close();
    assert.equal(log.at(-1), 'ended c-b');
    assert.match(log.find((line) => line.startsWith('b 1!')) ?? '', /go on with it when I am back/);
    assert.equal(clock.waiting, 0);
  });

  it('closes although nothing can be published', async () => {
    const { clock, desk, state, expect } = setUp();
    state.stuck = true;
    expect('m');
    await clock.advance(1_000);
    const closed = desk.close({ waitMs: 2_000 });
    await clock.advance(2_000);
    await closed;
    assert.equal(clock.waiting, 0);
  });

  it('numbers without gaps when a part could not be sent, and tries the last part again', async () => {
    const { clock, desk, log, problems, state, expect } = setUp();
    expect('m');
    await clock.advance(200);
    state.fails = 1;
    await assert.rejects(desk.part('m', 'lost '), (error) => isFolkmootError(error, 'FOLKMOOT_BUS_FULL'));
    await desk.part('m', 'kept ');
    state.fails = 2;
    const last = desk.finish('m', 'lost kept end');
    await clock.advance(2_000);
    await last;
    assert.deepEqual(
      log.filter((line) => line.startsWith('m ')),
      ['m 1 kept ', 'm 2! lost kept end'],
    );
    assert.equal(problems.length, 1);
  });

  it('answers also when the rows can’t be kept', async () => {
    const clock = fakeClock();
    const published: string[] = [];
    const problems: Error[] = [];
    const desk = createReplyDesk({
      clock,
      agentId: 'a',
      publish: async ({ topic }) => void published.push(topic),
      record: () => Promise.reject(new Error('disk full')),
      onProblem: (problem) => problems.push(problem),
    });
    desk.expect({ id: 'm', conversation: 'c' }, { deadlineMs: 1_000 });
    void desk.finish('m', 'x');
    await clock.advance(1_000);
    assert.deepEqual(published, [amicaTopics.replies('m'), amicaTopics.events]);
    assert.deepEqual(
      problems.map((problem) => problem.message),
      ['disk full'],
    );
  });

  it('is never silent: an empty answer becomes words, and a long one is cut', async () => {
    const { clock, desk, log, expect } = setUp();
    expect('a');
    expect('b');
    void desk.finish('a', '  ');
    void desk.finish('b', 'x'.repeat(limits.replyChars + 5));
    await clock.advance(200);
    assert.ok(log.includes('a 1! Sorry, I have no answer to that.'));
    assert.equal(log.find((line) => line.startsWith('b 1!'))?.length, limits.replyChars + 5);
  });

  it('takes no more than it can hold', () => {
    const { desk, expect } = setUp();
    for (let n = 0; n < limits.repliesOpen; n += 1) assert.ok(expect(`m-${n}`));
    assert.equal(expect('one more'), false);
    assert.equal(desk.counts.open, limits.repliesOpen);
  });
});
