import assert from 'node:assert/strict';
import { createJavaBuffer } from '../../test/amica-buffer.ts';
import { amicaTypes, readAmica, writeRequest, writeResponse } from '../bus/amica.ts';
import type { Bus } from '../bus/bus.ts';
import { createInProcessBus } from '../bus/in-process.ts';
import { senderProperties } from '../bus/our-properties.ts';
import { amicaTopics } from '../bus/topics.ts';
import { fakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { createAmicaDoor } from './amica-door.ts';
import { createForeignResponders, isDecline } from './foreign-responders.ts';
import { createRequestMemory } from './intake-memory.ts';
import { createRequestLedger } from './request-ledger.ts';
import { createTurns } from './turns.ts';

const house = 'h';
const sorry = 'Sorry, I can’t do that.';
const javaAnswer = 'Two users are logged in.';

function setUp() {
  const clock = fakeClock();
  const store = createEmbeddedStore({ path: ':memory:', clock });
  const bus: Bus = Object.assign(Object.create(createInProcessBus({ clock })) as Bus, { kind: 'mqtt' as const });
  const problems: string[] = [];
  const report = (problem: Error) => void problems.push(problem.message);
  const subscriptions: string[] = [];
  const ownBus: Bus = Object.assign(Object.create(bus) as Bus, {
    subscribe: (...of: Parameters<Bus['subscribe']>) => {
      subscriptions.push(of[0]);
      return bus.subscribe(...of);
    },
  });

  /** A home that answers each request at once, in the words given. */
  const startHome = async (
    process: string,
    words: string,
    options: { mode?: 'auto' | 'yes' | 'no'; declines?: boolean } = {},
  ) => {
    const { mode = 'auto', declines = true } = options;
    const rows: string[] = [];
    const unsaid: string[] = [];
    const sender = { house, process };
    const base = { bus: ownBus, store, house, clock, report };
    const others = createForeignResponders({ ...base, mode, own: { agentId: 'folkmoot-h', ...sender } });
    const door = createAmicaDoor({
      bus: ownBus,
      clock,
      agentId: 'folkmoot-h',
      sender,
      others,
      requests: createRequestLedger({
        store,
        house: `${house}-${process}`,
        clock,
        memory: createRequestMemory(),
        onProblem: report,
      }),
      refused: createRequestMemory(),
      openRequests: async () => new Set(),
      turns: createTurns(
        {
          append: async (_, added) => void rows.push(...added.map(({ text = '' }) => text)),
          readLast: async () => [],
        },
        clock,
      ),
      unsaid: async (id) => void unsaid.push(id),
      report,
    });
    await door.take({
      owner: 'in',
      deadlineMs: 60_000,
      accept: ({ messageId }) => void door.desk.finish(messageId, words, { declines }),
    });
    await clock.advance(0);
    return { door, others, rows, unsaid };
  };

  /** What Java's command line shows of the replies to a request, and when. */
  const ask = async (id: string, text = 'how many users are logged in?', properties = {}) => {
    const buffer = createJavaBuffer();
    const sentAt = clock.now();
    const ended: number[] = [];
    const arrivals: string[] = [];
    await bus.subscribe(amicaTopics.events, () => void ended.push(clock.now() - sentAt));
    await bus.subscribe(amicaTopics.replies(id), (incoming) => {
      const reading = readAmica(incoming);
      assert.ok('message' in reading && reading.message.kind === 'response');
      buffer.arrive(reading.message, clock.now() - sentAt);
      arrivals.push(`${clock.now() - sentAt} ${reading.message.message}`);
    });
    const conversationId = '9b7d1f0e-5c43-4c7b-9d0a-2f6f8f3a1b20';
    const request = { messageId: id, conversationId, userName: 'ana', message: text, atMs: 0 };
    const { topic, message } = writeRequest(request);
    await bus.publish(topic, { ...message, properties: { ...message.properties, ...properties } });
    await clock.advance(0);
    return { buffer, ended, arrivals, shown: () => buffer.delivered.map(({ message: said }) => said) };
  };

  /** The shipped Java agent: one answer, number 0, without a name. */
  const javaAnswers = async (id: string) => {
    const part = { requestId: id, conversationId: 'c', message: javaAnswer, isComplete: true, sequence: 0, atMs: 0 };
    const { topic, message } = writeResponse(part);
    await bus.publish(topic, message);
    await clock.advance(0);
  };
  return { clock, store, bus, problems, subscriptions, startHome, ask, javaAnswers };
}

describe('beside others that answer', () => {
  it('a home that only declines lets the Java agent’s number 0 after two seconds be shown', async () => {
    const { clock, startHome, ask, javaAnswers, problems } = setUp();
    const { rows, unsaid } = await startHome('p1', sorry);
    const first = await ask('m1');
    await clock.advance(2_000);
    await javaAnswers('m1');
    assert.deepEqual(first.shown(), [sorry], 'nobody knew of the Java agent yet');

    const second = await ask('m2');
    await clock.advance(2_000);
    assert.deepEqual(second.arrivals, []);
    await javaAnswers('m2');
    assert.deepEqual([second.shown(), second.buffer.isDone], [[javaAnswer], true]);
    await clock.advance(60_000);
    assert.deepEqual(second.arrivals, [`2000 ${javaAnswer}`]);
    assert.deepEqual(second.ended, [], 'the end of that conversation is the Java agent’s to tell');
    assert.deepEqual(rows, ['how many users are logged in?', sorry], 'what was not said is not kept');
    assert.deepEqual(unsaid, ['m2'], 'nor waits for an answer what it asked back');
    assert.deepEqual(problems, []);
  });

  it('declines after four seconds if nobody else answers', async () => {
    const { clock, startHome, ask, javaAnswers } = setUp();
    await startHome('p1', sorry, { mode: 'yes' });
    const asked = await ask('m');
    await clock.advance(limits.declineGraceMs - 1);
    assert.deepEqual(asked.arrivals, []);
    await clock.advance(501);
    assert.deepEqual(asked.shown(), [sorry]);
    assert.equal(asked.ended.length, 1);
    await javaAnswers('m');
    assert.deepEqual(asked.shown(), [sorry]);
    assert.equal(clock.waiting, 0);
  });

  it('does not wait with an answer', async () => {
    const { clock, startHome, ask } = setUp();
    await startHome('p1', 'Kitchen light on.', { mode: 'yes', declines: false });
    const asked = await ask('m');
    await clock.advance(limits.replyFirstMs);
    assert.deepEqual(asked.arrivals, [`${limits.replyFirstMs} Kitchen light on.`]);
  });

  it('does not wait where nobody else was seen for a week, nor when it is told not to', async () => {
    const { clock, startHome, ask, javaAnswers, subscriptions } = setUp();
    const home = await startHome('p1', sorry);
    await javaAnswers('x');
    assert.equal(home.others.arePresent, true);
    await home.door.close();
    const next = await startHome('p1', sorry);
    assert.equal(next.others.arePresent, true, 'also after a restart');
    await clock.advance(limits.foreignResponderMs - 1_000);
    assert.equal(next.others.arePresent, true);
    await clock.advance(1_000);
    assert.equal(next.others.arePresent, false);
    const asked = await ask('m');
    await clock.advance(limits.replyFirstMs);
    assert.deepEqual(asked.shown(), [sorry]);
    await next.door.close();

    subscriptions.length = 0;
    await startHome('p2', sorry, { mode: 'no' });
    // Its own replies as they come back, and what people ask.
    const ofAmica = subscriptions.filter((pattern) => !pattern.startsWith('folkmoot/'));
    assert.deepEqual(ofAmica, [amicaTopics.replies('+'), amicaTopics.requests]);
    await javaAnswers('x');
    const second = await ask('m2');
    await clock.advance(limits.replyFirstMs);
    assert.deepEqual(second.shown(), [sorry]);
  });

  it('takes no reply of its own, no retained one and no other kind of message for another’s', async () => {
    const { clock, bus, startHome } = setUp();
    const { others } = await startHome('p1', sorry);
    const own = senderProperties({ agentId: 'folkmoot-h', house, process: 'p1' });
    const topic = amicaTopics.replies('x');
    const PAYLOAD_TYPE = amicaTypes.response;
    await bus.publish(topic, { payload: '{}', properties: { PAYLOAD_TYPE, ...own } });
    await bus.publish(topic, { payload: '{}', properties: { PAYLOAD_TYPE, AGENT_ID: 'folkmoot-h' } });
    await bus.publish(topic, { payload: '{}', properties: { PAYLOAD_TYPE: 'x' } });
    await bus.publish(topic, { payload: '{}', retain: false });
    await clock.advance(0);
    assert.equal(others.arePresent, false);
    await bus.publish(topic, { payload: '{}', properties: { PAYLOAD_TYPE, ...own, PROCESS: 'p2' } });
    await clock.advance(0);
    assert.equal(others.arePresent, true);
  });

  it('of two homes that both decline, one speaks', async () => {
    const { clock, startHome, ask } = setUp();
    await startHome('p1', sorry);
    await startHome('p2', sorry);
    await ask('m1');
    await clock.advance(10_000);
    const asked = await ask('m2');
    for (let step = 0; step < 1_000; step += 1) await clock.advance(10);
    assert.equal(asked.arrivals.length, 1);
    assert.equal(clock.waiting, 0);
  });

  it('a home that closes declines at once', async () => {
    const { clock, startHome, ask } = setUp();
    const { door } = await startHome('p1', sorry, { mode: 'yes' });
    const asked = await ask('m');
    await clock.advance(1_000);
    const closed = door.close();
    await clock.advance(0);
    assert.deepEqual(asked.shown(), [sorry]);
    await clock.advance(limits.closeWaitMs);
    await closed;
    assert.equal(clock.waiting, 0);
  });

  it('what can’t be used is declined in the same way', async () => {
    const { clock, startHome, ask, javaAnswers } = setUp();
    await startHome('p1', sorry, { mode: 'yes' });
    const asked = await ask('m', 'x'.repeat(limits.requestChars + 1));
    await clock.advance(2_000);
    await javaAnswers('m');
    await clock.advance(10_000);
    assert.deepEqual(asked.shown(), [javaAnswer]);
  });

  it('a broadcast of its own is not answered by itself', async () => {
    const { clock, startHome, ask } = setUp();
    await startHome('p1', 'Here.', { declines: false });
    const own = await ask('m1', 'who is there?', senderProperties({ process: 'p1' }));
    const other = await ask('m2', 'who is there?', senderProperties({ process: 'p2' }));
    await clock.advance(1_000);
    assert.deepEqual([own.shown(), other.shown()], [[], ['Here.']]);
  });

  it('declines by refusing, or by only asking back', () => {
    const mutation = { id: 'a', function: 'MowLawn', parameters: {}, risk: 'reversible' as const };
    assert.deepEqual(
      [
        isDecline({ outcome: 'refused' }),
        isDecline({ outcome: 'asked', mutations: [] }),
        isDecline({ outcome: 'asked', reason: 'approval', mutations: [] }),
        isDecline({ outcome: 'asked', mutations: [mutation] }),
        isDecline({ outcome: 'done' }),
        isDecline({ outcome: 'failed' }),
        isDecline({}),
      ],
      [true, true, false, false, false, false, false],
    );
  });
});
