import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { folkmootError, isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { amicaTypes, readAmica, writeResponse } from './amica.ts';
import { createAmicaRequester, type AmicaAnswers, type AmicaQuestion, type ReplyPart } from './amica-requester.ts';
import type { BusMessage, BusState } from './bus.ts';
import { createInProcessBus } from './in-process.ts';
import { amicaTopics } from './topics.ts';

const conversation = '9b7d1f0e-5c43-4c7b-9d0a-2f6f8f3a1b20';
const id = '3f0c6a52-9a0f-4a7e-8a51-0d6f2b1c7e11';

function setUp(options: { answersAtOnce?: boolean } = {}) {
  const clock = fakeClock();
  const inner = createInProcessBus({ clock });
  const log: string[] = [];
  let tell: (state: BusState) => void = () => undefined;
  const bus = Object.assign(Object.create(inner) as typeof inner, {
    onState(listener: (state: BusState) => void) {
      tell = listener;
      return () => (tell = () => undefined);
    },
    async subscribe(pattern: string, handler: (message: BusMessage) => void) {
      log.push('subscribing');
      const subscription = await inner.subscribe(pattern, handler);
      await Promise.resolve();
      log.push('subscribed');
      return {
        close: async () => {
          log.push('unsubscribed');
          await subscription.close();
        },
      };
    },
    async publish(...[topic, message, signal]: Parameters<typeof inner.publish>) {
      if (topic === amicaTopics.requests) log.push('published');
      await inner.publish(topic, message, signal);
    },
  });
  const requests: BusMessage[] = [];
  void inner.subscribe(amicaTopics.requests, (message) => {
    requests.push(message);
    if (options.answersAtOnce) reply('At once.', 1, true, 'a');
  });
  const requester = createAmicaRequester({ bus, clock, properties: { HOUSE: 'here' } });
  const reply = (message: string, sequence: number, isComplete = false, agentId = '') => {
    const part = { requestId: id, conversationId: conversation, message, isComplete, sequence, atMs: 0, agentId };
    const { topic, message: written } = writeResponse(part);
    void inner.publish(topic, written);
  };
  const ask = (more: Partial<AmicaQuestion> = {}) => {
    const parts: ReplyPart[] = [];
    const run = async (): Promise<AmicaAnswers> => {
      const answers = requester.ask({ message: 'mow', userName: 'ana', id, conversation, ...more });
      for (;;) {
        const next = await answers.next();
        if (next.done) return next.value;
        parts.push(next.value);
      }
    };
    const result = run();
    result.catch(() => undefined);
    return { parts, result, shown: () => parts.map((part) => `${part.reply}:${part.text}`).join(' ') };
  };
  return { clock, inner, log, requests, reply, ask, requester, tell: (state: BusState) => tell(state) };
}

describe('asking over A.M.I.C.A.’s topics', () => {
  it('waits until it hears replies, then asks, and unsubscribes at the end', async () => {
    const { clock, log, requests, ask } = setUp({ answersAtOnce: true });
    const { result, parts } = ask();
    for (let turn = 0; turn < 5; turn += 1) await clock.advance(0);
    await clock.advance(limits.replySettleMs);
    assert.deepEqual(await result, { complete: 1, unfinished: 0, unreadable: 0 });
    assert.deepEqual(parts, [{ reply: 1, text: 'At once.', isComplete: true, agentId: 'a' }]);
    assert.deepEqual(log, ['subscribing', 'subscribed', 'published', 'unsubscribed']);
    assert.equal(clock.waiting, 0);
    const reading = readAmica(requests[0] as BusMessage);
    assert.ok('message' in reading && reading.message.kind === 'request');
    assert.deepEqual(
      [reading.message.messageId, reading.message.conversationId, reading.message.userName, reading.message.message],
      [id, conversation, 'ana', 'mow'],
    );
    assert.equal(requests[0]?.properties['HOUSE'], 'here');
  });

  it('does not take the first whole answer for the only one', async () => {
    const { clock, reply, ask } = setUp();
    const { result, shown } = ask();
    await clock.advance(500);
    reply('Sorry.', 1, true, 'a');
    await clock.advance(limits.replySettleMs - 1);
    reply('Two users ', 1, false, 'b');
    await clock.advance(limits.replySettleMs * 3);
    reply('are logged in.', 2, true, 'b');
    reply('Two.', 0, true);
    await clock.advance(limits.replySettleMs);
    assert.equal(shown(), '1:Sorry. 2:Two users  2:are logged in. 3:Two.');
    assert.deepEqual(await result, { complete: 3, unfinished: 0, unreadable: 0 });
  });

  it('gives up an agent that falls silent when another one has answered', async () => {
    const { clock, reply, ask } = setUp();
    const { result, shown } = ask();
    await clock.advance(0);
    reply('Let me see', 1, false, 'b');
    reply('Mown.', 1, true, 'a');
    await clock.advance(limits.replyUnfinishedMs);
    assert.deepEqual(await result, { complete: 1, unfinished: 1, unreadable: 0 });
    assert.equal(shown(), '1:Let me see 2:Mown.');
    assert.equal(clock.waiting, 0);
  });

  it('counts as lost with the broker what does not come soon after that is back, and says so', async () => {
    const { clock, ask, inner, tell } = setUp();
    const { result } = ask({ lossMs: 15_000, silenceMs: 300_000 });
    await clock.advance(100);
    tell('down');
    await clock.advance(60_000);
    tell('up');
    await clock.advance(14_000);
    // It is away again: nothing can come.
    tell('down');
    await clock.advance(60_000);
    tell('up');
    await clock.advance(1_000);
    // What is no part of an answer says nothing.
    await inner.publish(amicaTopics.replies(id), { payload: 'hello' });
    await clock.advance(13_999);
    assert.equal(clock.waiting, 2);
    await clock.advance(1);
    await assert.rejects(
      result,
      (error) => isFolkmootError(error, 'FOLKMOOT_BUS_LOST') && /Ask again/.test(error.message),
    );
    assert.equal(clock.waiting, 0);
  });

  it('sends the same once more for who comes later, until an answer has begun', async () => {
    const { clock, requests, ask, reply } = setUp();
    let send = () => undefined as void;
    let isOver = false;
    const { result } = ask({
      again: (more) => {
        send = more;
        return () => (isOver = true);
      },
    });
    await clock.advance(100);
    send();
    await clock.advance(0);
    assert.equal(requests.length, 2);
    assert.equal(new Set(requests.map(({ properties }) => properties['MESSAGE_ID'])).size, 1);
    reply('Mo', 1, false, 'a');
    await clock.advance(0);
    send();
    reply('wn.', 2, true, 'a');
    await clock.advance(limits.replySettleMs);
    await result;
    assert.deepEqual([requests.length, isOver], [2, true]);
  });

  it('takes what comes after the broker was away, and waits as ever where nobody asked for that', async () => {
    const { clock, ask, reply, tell } = setUp();
    const { result, shown } = ask({ lossMs: 15_000, silenceMs: 300_000 });
    await clock.advance(100);
    tell('down');
    tell('up');
    await clock.advance(10_000);
    reply('Mow', 1, false, 'a');
    await clock.advance(20_000);
    reply('n.', 2, true, 'a');
    await clock.advance(limits.replySettleMs);
    assert.deepEqual(await result, { complete: 1, unfinished: 0, unreadable: 0 });
    assert.equal(shown(), '1:Mow 1:n.');
    const patient = setUp();
    const late = patient.ask({ silenceMs: 60_000 });
    await patient.clock.advance(100);
    for (const state of ['down', 'up'] as const) patient.tell(state);
    await patient.clock.advance(59_000);
    patient.reply('At last.', 1, true, 'a');
    await patient.clock.advance(limits.replySettleMs);
    assert.equal((await late.result).complete, 1);
  });

  it('ends with an error in words when nobody answers, counting silence', async () => {
    const { clock, reply, ask, log } = setUp();
    const nothing = ask({ silenceMs: 5_000 });
    await clock.advance(5_000);
    await assert.rejects(nothing.result, /^FolkmootError: No answer came within 5 s\./);
    assert.equal(log.at(-1), 'unsubscribed');
    const half = ask({ silenceMs: 5_000 });
    await clock.advance(4_000);
    reply('One', 1, false, 'a');
    reply('Three', 3, false, 'a');
    await clock.advance(5_000);
    assert.equal(half.shown(), '1:One 1:Three');
    await clock.advance(5_000);
    await assert.rejects(half.result, /An answer began, but its end did not come within 5 s\./);
    assert.equal(clock.waiting, 0);
  });

  it('ends with the signal, and when its reader stops', async () => {
    const { clock, reply, ask, requester, log } = setUp();
    const aborter = new AbortController();
    const asked = ask({ signal: aborter.signal });
    await clock.advance(10);
    aborter.abort(folkmootError('FOLKMOOT_CANCELLED', 'Enough.'));
    await assert.rejects(asked.result, (error) => isFolkmootError(error, 'FOLKMOOT_CANCELLED'));
    const read = async () => {
      for await (const part of requester.ask({ message: 'mow', userName: 'ana', id, conversation })) return part.text;
      return '';
    };
    const text = read();
    await clock.advance(10);
    reply('One', 1, false, 'a');
    await clock.advance(10);
    assert.equal(await text, 'One');
    await clock.advance(0);
    assert.deepEqual(log.filter((line) => line === 'unsubscribed').length, 2);
    assert.equal(clock.waiting, 0);
    await assert.rejects(ask({ signal: aborter.signal }).result, (error) =>
      isFolkmootError(error, 'FOLKMOOT_CANCELLED'),
    );
  });

  it('reads the shipped Java agent’s bytes, also without the conversation, and counts what is no reply', async () => {
    const { clock, inner, ask } = setUp();
    const { result, parts } = ask();
    await clock.advance(0);
    const topic = amicaTopics.replies(id);
    const properties = { MESSAGE_ID: 'c1a5f7a0-0000-4000-8000-000000000000', PAYLOAD_TYPE: amicaTypes.response };
    await inner.publish(topic, { payload: 'no JSON', properties });
    await inner.publish(topic, { payload: '{}' });
    const payload =
      '{"message":"Two users are logged in.","dateTime":"2026-03-04T06:06:19.5+01:00[Europe/Madrid]","isComplete":true,"sequenceNumber":{"value":0}}';
    await inner.publish(topic, { payload, properties });
    await clock.advance(limits.replySettleMs);
    assert.deepEqual(parts, [{ reply: 1, text: 'Two users are logged in.', isComplete: true }]);
    assert.deepEqual(await result, { complete: 1, unfinished: 0, unreadable: 2 });
  });

  it('ends when more comes than is read', async () => {
    const { clock, inner, requester } = setUp();
    const answers = requester.ask({ message: 'mow', userName: 'ana', id, conversation });
    const first = answers.next();
    await clock.advance(0);
    for (let sequence = 1; sequence <= limits.replyParts + 3; sequence += 1) {
      const part = { requestId: id, conversationId: conversation, message: 'x', isComplete: false, sequence, atMs: 0 };
      const { topic, message } = writeResponse({ ...part, agentId: 'a' });
      await inner.publish(topic, message);
      if (sequence % 500 === 0) await clock.advance(0);
    }
    await clock.advance(0);
    await first;
    const drain = async () => {
      for await (const part of answers) void part;
    };
    await assert.rejects(drain(), (error) => isFolkmootError(error, 'FOLKMOOT_LIMIT'));
    assert.equal(clock.waiting, 0);
  });

  it('tells what kept the request from leaving', async () => {
    const { clock, inner, ask } = setUp();
    await inner.close();
    await clock.advance(0);
    await assert.rejects(ask().result, (error) => isFolkmootError(error, 'FOLKMOOT_BUS_LOST'));
    assert.equal(clock.waiting, 0);
  });
});
