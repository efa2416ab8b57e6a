import assert from 'node:assert/strict';
import { brokerByHand, type Sent } from '../../test/broker-by-hand.ts';
import { fakeClock } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { Store } from '../store/store.ts';
import { connectedAnew } from './bus.ts';
import type { Outgoing } from './bus.ts';
import { createBusMetrics } from './metrics.ts';
import { createOutbox } from './outbox.ts';
import { createOutboxShelf } from './outbox-shelf.ts';

function setUp({ most = 1_000, store }: { readonly most?: number; readonly store?: Store } = {}) {
  const clock = fakeClock();
  const broker = brokerByHand();
  const metrics = createBusMetrics({ clock });
  const problems: string[] = [];
  const report = (problem: unknown) => void problems.push((problem as Error).message);
  const shelf = store && createOutboxShelf({ store, house: 'h', processId: 'p', report });
  const options = { bus: broker.bus, clock, metrics, shelf, most, ageMs: 3_600_000, report };
  const outbox = createOutbox(options);
  /** `sent`, `lost …` or still `open`. */
  const send = (text: string, more: Partial<Outgoing> = {}) => {
    const outcome = { is: 'open' };
    outbox.publish('lamp/set', { payload: text, keep: 'store', ...more }).then(
      () => void (outcome.is = 'sent'),
      (error: { code?: string }) => void (outcome.is = `${error.code}`),
    );
    return outcome;
  };
  const settle = () => clock.advance(0);
  return { clock, ...broker, metrics, problems, outbox, send, settle, counts: () => metrics.snapshot().outbox };
}

const texts = (sent: readonly Sent[]) => sent.map(({ text }) => text);
const closing = new Error('closed');

describe('an outbox', () => {
  it('keeps a message until it came back, and says that it is sent when the broker has it', async () => {
    const { clock, send, sent, settle, counts, outbox } = setUp();
    const outcome = send('on');
    await settle();
    assert.deepEqual([texts(sent), outcome.is, counts().waiting], [['on'], 'open', 1]);
    sent[0]?.ack();
    await settle();
    assert.deepEqual([outcome.is, counts().waiting], ['sent', 1]);
    sent[0]?.echo();
    await settle();
    assert.deepEqual(counts(), { waiting: 0, maybeLost: 0, lost: {} });
    outbox.close(closing);
    assert.equal(clock.waiting, 0);
  });

  it('of those who keep it themselves says so only when it came back', async () => {
    const { send, sent, settle } = setUp();
    const outcome = send('on', { keep: 'memory' });
    await settle();
    sent[0]?.ack();
    await settle();
    assert.equal(outcome.is, 'open');
    sent[0]?.echo();
    await settle();
    assert.equal(outcome.is, 'sent');
  });

  it('sends again in order, with the same ids, what had not come back when the connection was lost', async () => {
    const { send, sent, settle, set, counts } = setUp();
    for (const text of ['1', '2', '3']) send(text);
    await settle();
    sent[0]?.ack();
    sent[0]?.echo();
    sent[1]?.ack();
    await settle();
    set('down');
    send('4');
    await settle();
    assert.deepEqual(texts(sent), ['1', '2', '3']);
    set('up');
    await settle();
    assert.deepEqual(texts(sent), ['1', '2', '3', '2', '3', '4']);
    assert.deepEqual([sent[3]?.id, sent[4]?.id], [sent[1]?.id, sent[2]?.id]);
    for (const one of sent.slice(3)) {
      one.ack();
      one.echo();
    }
    await settle();
    assert.deepEqual(counts(), { waiting: 0, maybeLost: 0, lost: {} });
  });

  it('waits a little for others when the broker came back without its memory, and not for what must not come late', async () => {
    const { clock, send, sent, settle, set } = setUp();
    await settle();
    set('down');
    send('waits');
    set('up', connectedAnew);
    send('now', { onlyNow: true });
    await clock.advance(limits.outboxSettleMs - 1);
    assert.deepEqual(texts(sent), ['now']);
    await clock.advance(1);
    assert.deepEqual(texts(sent), ['now', 'waits']);
    set('down');
    set('up');
    await settle();
    assert.deepEqual(texts(sent), ['now', 'waits', 'waits']);
  });

  it('counts as maybe lost what the broker acknowledged and nobody saw again', async () => {
    const { clock, send, sent, settle, counts } = setUp();
    send('1');
    await settle();
    sent[0]?.ack();
    await clock.advance(limits.outboxEchoMs - 1);
    assert.equal(counts().maybeLost, 0);
    await clock.advance(1);
    assert.deepEqual([counts().waiting, counts().maybeLost], [0, 1]);
    // Nothing comes back there: the next one need not wait.
    send('2');
    await settle();
    sent[1]?.ack();
    await settle();
    assert.deepEqual([counts().waiting, counts().maybeLost], [0, 2]);
  });

  it('counts the same at once where the broker does not let us listen', async () => {
    const { send, sent, settle, counts, forbidListening } = setUp();
    forbidListening();
    const outcome = send('1');
    await settle();
    sent[0]?.ack();
    await settle();
    assert.deepEqual([outcome.is, counts().maybeLost, counts().waiting], ['sent', 1, 0]);
  });

  it('never repeats what must not come late, and counts it when it may be lost', async () => {
    const { send, sent, settle, set, counts } = setUp();
    const [first, second] = [send('1', { onlyNow: true }), send('2', { onlyNow: true })];
    await settle();
    for (const one of sent) one.ack();
    sent[0]?.echo();
    await settle();
    assert.deepEqual([first.is, second.is], ['sent', 'sent']);
    sent[0]?.echo();
    set('down');
    const late = send('3', { onlyNow: true });
    await settle();
    set('up');
    await settle();
    assert.deepEqual([late.is, texts(sent)], ['FOLKMOOT_BUS_LOST', ['1', '2']]);
    assert.equal(counts().maybeLost, 1);
  });

  it('does not count what came back before the broker’s acknowledgement was here', async () => {
    const { clock, send, sent, settle, counts } = setUp();
    const outcomes = [send('1', { onlyNow: true }), send('2')];
    await settle();
    for (const one of sent) {
      one.echo();
      one.ack();
    }
    await clock.advance(limits.outboxEchoMs * 2);
    assert.deepEqual(
      outcomes.map(({ is }) => is),
      ['sent', 'sent'],
    );
    assert.deepEqual(counts(), { waiting: 0, maybeLost: 0, lost: {} });
  });

  it('refuses in one error what does not fit, is too large or goes nowhere', async () => {
    const { send, settle, set, counts, outbox } = setUp({ most: 2 });
    set('down');
    const outcomes = ['1', '2', '3'].map((text) => send(text));
    await settle();
    assert.deepEqual(
      outcomes.map(({ is }) => is),
      ['open', 'open', 'FOLKMOOT_BUS_FULL'],
    );
    assert.deepEqual(counts().lost, { full: 1 });
    const large = { payload: 'x'.repeat(limits.busPayloadBytes + 1), keep: 'store' } as const;
    await assert.rejects(outbox.publish('a', large), { code: 'FOLKMOOT_LIMIT' });
    await assert.rejects(outbox.publish('a/#', { payload: '', keep: 'store' }), { code: 'FOLKMOOT_BUS_REFUSED' });
  });

  it('gives up what the broker refuses, once, and goes on with the next', async () => {
    const { send, sent, settle, counts } = setUp();
    const outcomes = ['1', '2'].map((text) => send(text));
    await settle();
    sent[0]?.fail(folkmootError('FOLKMOOT_BUS_REFUSED', 'Not allowed.'));
    sent[1]?.ack();
    sent[1]?.echo();
    await settle();
    assert.deepEqual(
      outcomes.map(({ is }) => is),
      ['FOLKMOOT_BUS_REFUSED', 'sent'],
    );
    assert.deepEqual([texts(sent), counts().lost], [['1', '2'], { refused: 1 }]);
  });

  it('tries again, in order, what a connection that stands could not take just now', async () => {
    const { clock, send, sent, settle, counts } = setUp();
    const outcomes = ['1', '2'].map((text) => send(text));
    await settle();
    for (const one of sent) one.fail(folkmootError('FOLKMOOT_BUS_FULL', 'Too many wait.'));
    await clock.advance(1_000);
    assert.deepEqual([texts(sent), counts().waiting], [['1', '2', '1', '2'], 2]);
    for (const one of sent.slice(2)) {
      one.ack();
      one.echo();
    }
    await settle();
    assert.deepEqual(
      outcomes.map(({ is }) => is),
      ['sent', 'sent'],
    );
    assert.deepEqual(counts(), { waiting: 0, maybeLost: 0, lost: {} });
  });

  it('gives up what is too old, and a message over which the connection always breaks', async () => {
    const { clock, send, settle, set, counts } = setUp();
    const poison = send('poison');
    for (let n = 0; n < limits.outboxTries; n += 1) {
      await settle();
      set('down');
      await settle();
      set('up');
    }
    await clock.advance(1_000);
    assert.equal(poison.is, 'FOLKMOOT_BUS_REFUSED');
    set('down');
    const old = send('old');
    await clock.advance(3_600_000);
    assert.equal(old.is, 'FOLKMOOT_BUS_LOST');
    assert.deepEqual(counts(), { waiting: 0, maybeLost: 0, lost: { 'too many tries': 1, 'too old': 1 } });
  });

  it('sends no more than its rate after an outage', async () => {
    const { clock, send, sent, set, settle } = setUp();
    set('down');
    for (let n = 0; n < 900; n += 1) send(`${n}`);
    set('up');
    let acknowledged = 0;
    const passOn = async (ms: number) => {
      for (let at = 0; at < ms; at += 10) {
        await clock.advance(10);
        for (; acknowledged < sent.length; acknowledged += 1) {
          sent[acknowledged]?.ack();
          sent[acknowledged]?.echo();
        }
        await settle();
      }
    };
    await passOn(1_000);
    assert.ok(sent.length <= limits.outboxPerSecond * 1.1 + 1, `${sent.length} in a second`);
    await passOn(2_000);
    assert.deepEqual(
      texts(sent),
      Array.from({ length: 900 }, (_, n) => `${n}`),
    );
  });

  it('goes on after a restart with what was not acknowledged, in order and before what is new', async () => {
    const store = createEmbeddedStore({ path: ':memory:', clock: fakeClock() });
    const first = setUp({ store });
    first.set('down');
    for (const text of ['1', '2', '3']) first.send(text);
    first.send('kept by another', { keep: 'memory' });
    await first.settle();
    first.outbox.close(closing);
    const second = setUp({ store });
    second.send('4');
    for (let n = 0; n < 5; n += 1) await second.settle();
    assert.deepEqual(texts(second.sent), ['1', '2', '3', '4']);
    for (const one of second.sent) {
      one.ack();
      one.echo();
    }
    for (let n = 0; n < 5; n += 1) await second.settle();
    second.outbox.close(closing);
    const third = setUp({ store });
    for (let n = 0; n < 5; n += 1) await third.settle();
    assert.deepEqual(third.sent, []);
    await store.close();
  });
});
