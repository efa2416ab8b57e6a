import assert from 'node:assert/strict';
import { writeRequest } from '../bus/amica.ts';
import type { AmicaOutgoing, AmicaRequest } from '../bus/amica.ts';
import type { BusMessage } from '../bus/bus.ts';
import { createBusMetrics } from '../bus/metrics.ts';
import { amicaTopics } from '../bus/topics.ts';
import { fakeClock } from '../clock.ts';
import { isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { readSenders } from '../people/senders.ts';
import { createIntake } from './intake.ts';
import type { IntakeOptions } from './intake.ts';
import { createRequestMemory } from './intake-memory.ts';
import { createBadReports, shownPayload } from './intake-reports.ts';

function setUp(hasRoom = true, more: Partial<IntakeOptions> = {}) {
  const clock = fakeClock();
  const memory = createRequestMemory();
  const refused = createRequestMemory();
  const ended: string[] = [];
  const problems: string[] = [];
  const store = { fails: false, forgotten: [] as string[] };
  const reported: string[] = [];
  const accepted: string[] = [];
  const replies: { topic: string; text: string; isComplete: boolean; at: number }[] = [];
  const reports = createBadReports({
    clock,
    report: (problem) => {
      assert.ok(isFolkmootError(problem, 'FOLKMOOT_MESSAGE_INVALID'));
      reported.push(problem.message);
    },
  });
  const intake = createIntake({
    clock,
    requests: {
      get: memory.get,
      async claim({ messageId, conversationId }: AmicaRequest) {
        memory.put(messageId, { conversationId });
        if (store.fails) throw new Error('disk full');
        await Promise.resolve();
        return undefined;
      },
      async forget(id) {
        memory.forget(id);
        store.forgotten.push(id);
      },
    },
    refused,
    reports,
    ...more,
    deadlineMs: () => 60_000,
    onProblem: (problem) => problems.push(problem.message),
    agentId: 'house-agent',
    accept: (request) => {
      if (hasRoom) accepted.push(`${request.messageId} ${request.userName ?? '-'} ${request.message}`);
      return hasRoom;
    },
    reply: (id, [reply, end, ...others]: readonly AmicaOutgoing[], { declines }) => {
      assert.ok(reply && others.length === 0);
      assert.equal(reply.topic, amicaTopics.replies(id));
      assert.equal(declines, /^Sorry, (?:I could not use|you are not)/.test(String(reply.message.payload).slice(12)));
      const body = JSON.parse(String(reply.message.payload)) as { message: string; isComplete: boolean };
      replies.push({ topic: reply.topic, text: body.message, isComplete: body.isComplete, at: clock.now() });
      if (!end) return;
      assert.equal(end.topic, amicaTopics.events);
      ended.push((JSON.parse(String(end.message.payload)) as { conversationId: string }).conversationId);
    },
  });
  const close = () => {
    intake.close();
    reports.close();
    assert.equal(clock.waiting, 0);
  };
  return { clock, memory, refused, reports, intake, reported, accepted, replies, ended, problems, store, close };
}

const request = (id: string, message: string, change: Partial<BusMessage> = {}): BusMessage => {
  const written = writeRequest({ messageId: id, conversationId: `c-${id}`, userName: 'ana', message, atMs: 0 });
  return {
    topic: amicaTopics.requests,
    payload: Buffer.from(String(written.message.payload)),
    properties: { ...written.message.properties },
    retained: false,
    ...change,
  };
};

describe('intake of requests', () => {
  it('passes a good request on, once, although it comes twice before it is kept', async () => {
    const { intake, accepted, reported, close } = setUp();
    await Promise.all([1, 2].map(() => intake.receive(request('m-1', '  turn the light on \n'))));
    assert.deepEqual(accepted, ['m-1 ana turn the light on']);
    assert.match(reported[0] ?? '', /repeated id/);
    close();
  });

  it('says nothing to a repeated id while the first one runs, and gives its reply again afterwards', async () => {
    const { intake, accepted, replies, ended, memory, clock, reports, close } = setUp();
    await intake.receive(request('m-1', 'mow the lawn'));
    void intake.receive(request('m-1', 'mow the lawn'));
    await clock.advance(1_000);
    assert.deepEqual(replies, []);
    memory.put('m-1', { conversationId: 'c-m-1', reply: 'The front lawn is being mown.' });
    void intake.receive(request('m-1', 'something else'));
    await clock.advance(1_000);
    assert.deepEqual(
      replies.map(({ topic, text, isComplete }) => [topic, text, isComplete]),
      [[amicaTopics.replies('m-1'), 'The front lawn is being mown.', true]],
    );
    assert.deepEqual(ended, ['c-m-1']);
    assert.equal(accepted.length, 1);
    assert.equal(reports.counted(amicaTopics.requests, 'repeated id'), 2);
    close();
  });

  it('does not answer again what the broker gives again because this process was killed', async () => {
    const { intake, replies, memory, clock, close } = setUp();
    memory.put('m-1', { conversationId: 'c-m-1', reply: 'The front lawn is being mown.' });
    await intake.receive({ ...request('m-1', 'mow the lawn'), redelivered: true });
    await clock.advance(1_000);
    assert.deepEqual(replies, []);
    close();
  });

  it('refuses whoever is not among those who may ask, in words, and counts it', async () => {
    const metrics = createBusMetrics({ clock: fakeClock() });
    const { intake, accepted, replies, reports, clock, close } = setUp(true, {
      senders: readSenders('eve\nkitchen'),
      metrics,
    });
    await intake.receive(request('m-1', 'mow the lawn'));
    const fromAgent = request('m-2', 'mow the lawn');
    await intake.receive({ ...fromAgent, properties: { ...fromAgent.properties, AGENT_ID: 'kitchen' } });
    await clock.advance(1_000);
    assert.deepEqual(accepted, ['m-2 ana mow the lawn']);
    assert.deepEqual(
      replies.map(({ text, isComplete }) => [text, isComplete]),
      [['Sorry, you are not among those who may ask here.', true]],
    );
    assert.equal(reports.counted(amicaTopics.requests, 'unknown sender'), 1);
    assert.equal(metrics.snapshot().topics[amicaTopics.requests]?.refusedSenders, 1);
    close();
  });

  it('answers what can’t be used once, in plain words, no sooner than a requester can listen', async () => {
    const { intake, replies, ended, clock, close } = setUp();
    const began = clock.now();
    void intake.receive(request('m-1', 'x', { payload: Buffer.from('{"mess') }));
    void intake.receive(request('m-1', 'x', { payload: Buffer.from('{"mess') }));
    void intake.receive(request('m-2', ' '));
    void intake.receive(request('m-3', 'a\u0007b'));
    void intake.receive(request('m-4', 'x'.repeat(limits.requestChars + 1)));
    void intake.receive(request('m-5', 'x', { properties: { MESSAGE_ID: 'm-5' } }));
    await clock.advance(5_000);
    assert.deepEqual(
      replies.map((reply) => reply.topic),
      ['m-1', 'm-2', 'm-3', 'm-4', 'm-5'].map((id) => amicaTopics.replies(id)),
    );
    assert.ok(replies.every((reply) => reply.isComplete && reply.at >= began + limits.replyFirstMs));
    assert.ok(replies.every((reply) => !/JSON|schema|MESSAGE_ID|PAYLOAD|property|m-\d/i.test(reply.text)));
    assert.match(replies[1]?.text ?? '', /no words/);
    // Of the last one the conversation can't be read.
    assert.deepEqual(ended, ['c-m-1', 'c-m-2', 'c-m-3', 'c-m-4']);
    close();
  });

  it('answers at most ten a second, and so many in all, while good requests pass at once', async () => {
    const { intake, replies, accepted, reports, reported, clock, close } = setUp();
    for (let n = 0; n < 1_000; n += 1) void intake.receive(request(`bad-${n}`, 'x', { payload: Buffer.from([0xff]) }));
    await intake.receive(request('good', 'mow the lawn'));
    assert.deepEqual(accepted, ['good ana mow the lawn']);
    for (let second = 1; second <= 30; second += 1) {
      const before = replies.length;
      await clock.advance(1_000);
      assert.ok(replies.length - before <= limits.badRepliesPerSecond);
    }
    assert.equal(replies.length, limits.badRepliesWaiting);
    assert.equal(reports.counted(amicaTopics.requests, 'binary'), 1_000);
    assert.equal(reported.length, 1);
    await clock.advance(limits.badReportEveryMs);
    assert.equal(reported.length, 2);
    assert.match(reported[1] ?? '', /^999 more messages .*binary\)\. 900 got no reply: too many replies waited\./);
    assert.equal(reports.unanswered, 900);
    await clock.advance(10 * limits.badReportEveryMs);
    assert.equal(reported.length, 2);
    close();
  });

  it('does not answer where it can’t know whom, or where nobody waits', async () => {
    const { intake, replies, reports, accepted, clock, close } = setUp();
    void intake.receive(request('m-1', 'x', { properties: {} }));
    void intake.receive(request('m-1', 'x', { properties: { MESSAGE_ID: '../#' } }));
    void intake.receive(request('m-1', 'mow the lawn', { retained: true }));
    await clock.advance(5_000);
    assert.deepEqual([replies.length, accepted.length], [0, 0]);
    assert.equal(reports.counted(amicaTopics.requests), 3);
    close();
  });

  it('refuses other kinds of messages, and says so when there is no room', async () => {
    const { intake, replies, clock, store, memory, close } = setUp(false);
    const type = 'es.nachobrito.amica.domain.model.message.payload.AgentResponse';
    const properties = { ...request('m-1', 'x').properties, PAYLOAD_TYPE: type };
    void intake.receive(request('m-1', 'x', { properties }));
    void intake.receive(request('m-2', 'mow the lawn'));
    await clock.advance(1_000);
    assert.match(replies[0]?.text ?? '', /not a request/);
    assert.match(replies[1]?.text ?? '', /too much to do/);
    assert.deepEqual([store.forgotten, memory.get('m-2')], [['m-2'], undefined]);
    close();
  });

  it('answers a bad message that comes again after it was closed, for what waited was never sent', async () => {
    const { intake, refused, clock, close } = setUp();
    await intake.receive(request('m-1', ' '));
    assert.ok(refused.get('m-1'));
    close();
    assert.equal(refused.get('m-1'), undefined);
    await intake.receive(request('good', 'mow the lawn'));
    assert.equal(clock.waiting, 0);
  });

  it('passes requests on also when they can’t be kept, and says so', async () => {
    const { intake, accepted, problems, store, close } = setUp();
    store.fails = true;
    await Promise.all([1, 2].map(() => intake.receive(request('m-1', 'mow the lawn'))));
    assert.deepEqual([accepted.length, problems], [1, ['disk full']]);
    close();
  });
});

describe('memory of requests', () => {
  it('forgets the oldest when there are too many or their replies are too long', () => {
    const memory = createRequestMemory(3, 100);
    for (const id of ['a', 'b', 'c']) memory.put(id, { reply: 'x' });
    assert.deepEqual(memory.put('d', { reply: 'x' }), ['a']);
    assert.deepEqual([memory.get('a'), memory.size], [undefined, 3]);
    memory.put('b', { reply: 'x'.repeat(60) });
    assert.deepEqual(memory.put('c', { reply: 'y'.repeat(60) }), ['d', 'b']);
    assert.equal(memory.get('c')?.reply?.length, 60);
    memory.put('e', { reply: 'z'.repeat(500) });
    assert.equal(memory.size, 1);
  });

  it('forgets none that still runs, up to twice as many', () => {
    const memory = createRequestMemory(3, 100);
    memory.put('running', {});
    for (let n = 0; n < 10; n += 1) memory.put(`${n}`, { reply: 'x'.repeat(50) });
    assert.ok(memory.get('running'));
    for (let n = 0; n < 10; n += 1) memory.put(`r${n}`, {});
    assert.equal(memory.size, 6);
  });
});

describe('reports of bad messages', () => {
  it('tell each kind apart, and take what is too much together', async () => {
    const clock = fakeClock();
    const reported: string[] = [];
    const reports = createBadReports({ clock, report: (problem) => reported.push(problem.message) });
    for (let n = 0; n < limits.badKinds + 50; n += 1) {
      reports.count({ topic: `t/${n}`, reason: 'empty', detail: 'There is no payload.' });
    }
    assert.equal(reported.length, limits.badKinds + 1);
    assert.equal(reports.counted('t/3'), 1);
    assert.equal(reports.counted('other topics', 'empty'), 50);
    reports.close();
    assert.equal(clock.waiting, 0);
  });

  it('show at most 200 characters of a payload, none of which can write a line of its own', () => {
    const shown = shownPayload(Buffer.from(`line\nforged \u001b[31m${'x'.repeat(10_000)}`));
    assert.ok(shown.length <= limits.badPayloadChars);
    assert.match(shown, /^"line\\u\{a\}forged \\u\{1b\}\[31mxxx/);
    assert.ok(shownPayload(Buffer.alloc(1_000)).length <= limits.badPayloadChars);
  });
});
