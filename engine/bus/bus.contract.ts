/** What every adapter of the bus port does. Adapters' specs call this with a way to make a bus. */
import assert from 'node:assert/strict';
import { isFolkmootError } from '../errors.ts';
import type { Bus, BusMessage } from './bus.ts';
import { describeRetained } from './bus-retained.contract.ts';
import { describeSharing } from './bus-sharing.contract.ts';

export interface BusMaker {
  /** A new bus that is up. Each call shares the same broker, if there is one. */
  make(options?: { readonly queue?: number; readonly payloadBytes?: number }): Promise<Bus>;
  /** True when two buses of `make` see each other's messages. */
  readonly isShared: boolean;
  /** False where work can't be shared between those who listen, `unknown` where the broker decides. */
  readonly sharesWork?: boolean | 'unknown';
}

/** Waits until something is so; for specs against real servers. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 5_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Not within ${withinMs} ms: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const textOf = (message: BusMessage): string => Buffer.from(message.payload).toString('utf8');

let topics = 0;
/** A topic that no other spec uses. */
export const newTopic = (name = 'a'): string => `contract/${process.pid}/${++topics}/${name}`;

/** Until what was sent before has surely arrived: one sender's messages keep their order, there and back again. */
export async function arrived(bus: Bus): Promise<void> {
  for (const round of [1, 2]) {
    const topic = newTopic('fence');
    let isHere = false;
    const fence = await bus.subscribe(topic, () => void (isHere = true));
    await bus.publish(topic, { payload: String(round) });
    await until('the message after it', () => isHere);
    await fence.close();
  }
}

/** The bus contract, as suites of the calling spec. */
export function describeBus(maker: BusMaker): void {
  const made: Bus[] = [];
  const make: BusMaker['make'] = async (options) => {
    const bus = await maker.make(options);
    made.push(bus);
    return bus;
  };
  afterEach(async () => {
    await Promise.all(made.splice(0).map((bus) => bus.close()));
  });

  it('delivers text, bytes, properties, response topic and correlation unchanged', async () => {
    const bus = await make();
    const topic = newTopic();
    const got: BusMessage[] = [];
    await bus.subscribe(topic, (message) => void got.push(message));
    await bus.publish(topic, {
      payload: 'grün ✓',
      properties: { MESSAGE_ID: 'm-1', 'with space': 'ü' },
      responseTopic: 'answers/here',
      correlation: 'c-1',
    });
    await bus.publish(topic, { payload: Uint8Array.from([0, 255, 128]), qos: 0, properties: {} });
    await bus.publish(topic, { payload: '', qos: 2 });
    await until('three messages', () => got.length === 3);
    const [first, second, third] = got as [BusMessage, BusMessage, BusMessage];
    assert.equal(textOf(first), 'grün ✓');
    assert.deepEqual({ ...first.properties }, { MESSAGE_ID: 'm-1', 'with space': 'ü' });
    assert.deepEqual(
      [first.topic, first.responseTopic, first.correlation, first.retained],
      [topic, 'answers/here', 'c-1', false],
    );
    assert.deepEqual([...second.payload], [0, 255, 128]);
    assert.equal(third.payload.length, 0);
  });

  it('keeps the order of one sender', async () => {
    const bus = await make();
    const topic = newTopic();
    const got: string[] = [];
    await bus.subscribe(topic, (message) => void got.push(textOf(message)));
    const sent = Array.from({ length: 200 }, (_, index) => String(index));
    await Promise.all(sent.map((payload) => bus.publish(topic, { payload })));
    await until('all messages', () => got.length >= sent.length);
    assert.deepEqual(got, sent);
  });

  it('matches wildcards, and gives a message of two matching patterns to each handler once', async () => {
    const bus = await make();
    const base = newTopic('home');
    const got: string[] = [];
    for (const pattern of [`${base}/+/set`, `${base}/#`, `${base}/lamp/set`, `${base}/+`]) {
      await bus.subscribe(pattern, (message) => void got.push(`${pattern.slice(base.length)} ${textOf(message)}`));
    }
    await bus.publish(`${base}/lamp/set`, { payload: '1' });
    await bus.publish(`${base}/lamp/set`, { payload: '1' });
    await bus.publish(base, { payload: '2' });
    await until('seven deliveries', () => got.length >= 7);
    await arrived(bus);
    const each = ['/#', '/+/set', '/lamp/set'].flatMap((name) => [`${name} 1`, `${name} 1`]);
    assert.deepEqual(got.sort(), [...each, '/# 2'].sort());
  });

  it('counts subscriptions per pattern: one that closes leaves the others', async () => {
    const bus = await make();
    const topic = newTopic();
    const got: string[] = [];
    const first = await bus.subscribe(topic, () => void got.push('first'));
    const second = await bus.subscribe(topic, () => void got.push('second'));
    await first.close();
    await first.close();
    await bus.publish(topic, { payload: 'x' });
    await until('the second', () => got.length === 1);
    await second.close();
    await bus.publish(topic, { payload: 'x' });
    await arrived(bus);
    assert.deepEqual(got, ['second']);
  });

  it('subscribes to a pattern again after its last subscription was closed', async () => {
    const bus = await make();
    const topic = newTopic();
    let got = 0;
    const first = await bus.subscribe(topic, () => undefined);
    const [, second] = await Promise.all([first.close(), bus.subscribe(topic, () => void (got += 1))]);
    await bus.publish(topic, { payload: 'x' });
    await until('the message', () => got === 1);
    await second.close();
  });

  describeRetained(make);

  describeSharing(maker, make);

  it('reports a handler that throws or rejects, and goes on with the next message', async () => {
    const bus = await make();
    const topic = newTopic();
    const problems: string[] = [];
    const got: string[] = [];
    bus.onProblem((problem) => problems.push(problem.message));
    await bus.subscribe(topic, () => {
      throw new Error('thrown');
    });
    await bus.subscribe(topic, async () => Promise.reject(new Error('rejected')));
    await bus.subscribe(topic, (message) => void got.push(textOf(message)));
    await bus.publish(topic, { payload: '1' });
    await bus.publish(topic, { payload: '2' });
    await until('both messages', () => got.length === 2 && problems.length === 4);
    assert.deepEqual(problems.sort(), ['rejected', 'rejected', 'thrown', 'thrown']);
  });

  it('gives each handler its own copy', async () => {
    const bus = await make();
    const topic = newTopic();
    const got: string[] = [];
    const spoil = (message: BusMessage) => {
      got.push(textOf(message));
      message.payload.fill(33);
    };
    await bus.subscribe(topic, spoil);
    await bus.subscribe(topic, spoil);
    const payload = Buffer.from('mine');
    const published = bus.publish(topic, { payload });
    await published;
    await until('both', () => got.length === 2);
    assert.deepEqual(got, ['mine', 'mine']);
    assert.equal(payload.toString(), 'mine');
  });

  it('refuses topics and patterns that are none, and payloads over the limit', async () => {
    const bus = await make({ payloadBytes: 100 });
    for (const topic of ['', 'a/+', 'a/#', 'a\u0000b', 'x/'.repeat(200)]) {
      await assert.rejects(bus.publish(topic, { payload: 'x' }), (error) =>
        isFolkmootError(error, 'FOLKMOOT_BUS_REFUSED'),
      );
    }
    for (const pattern of ['', 'a/#/b', 'a+/b', 'a/b#']) {
      await assert.rejects(
        bus.subscribe(pattern, () => undefined),
        (error) => isFolkmootError(error, 'FOLKMOOT_BUS_REFUSED'),
      );
    }
    await assert.rejects(bus.publish(newTopic(), { payload: 'x'.repeat(101) }), (error) =>
      isFolkmootError(error, 'FOLKMOOT_LIMIT'),
    );
  });

  it('says when its queue is full, and works on afterwards', async () => {
    const bus = await make({ queue: 10 });
    const topic = newTopic();
    let got = 0;
    await bus.subscribe(topic, () => void (got += 1));
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => bus.publish(topic, { payload: 'x' })));
    const full = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(full.length, 20);
    assert.ok(full.every((outcome) => isFolkmootError(outcome.reason, 'FOLKMOOT_BUS_FULL')));
    await until('what was taken', () => got === 10);
    await bus.publish(topic, { payload: 'x' });
    await until('the next', () => got === 11);
  });

  it('does not publish what was aborted before', async () => {
    const bus = await make();
    const reason = new Error('not any more');
    await assert.rejects(bus.publish(newTopic(), { payload: 'x' }, AbortSignal.abort(reason)), reason);
  });

  it('asks and gets the answer that belongs to the question', async () => {
    const bus = await make();
    const other = maker.isShared ? await make() : bus;
    const topic = newTopic('ask');
    await other.subscribe(topic, async (question) => {
      const answer = { payload: `${textOf(question)}!`, correlation: question.correlation ?? '' };
      await other.publish(question.responseTopic ?? '', answer);
    });
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((payload) => bus.request(topic, { payload }, { timeoutMs: 5_000 })),
    );
    assert.deepEqual(answers.map(textOf), ['a!', 'b!', 'c!']);
  });

  it('passes over answers that the asker does not accept', async () => {
    const bus = await make();
    const topic = newTopic('ask');
    await bus.subscribe(topic, async ({ responseTopic = '', correlation = '' }) => {
      for (const payload of ['forged', 'true']) await bus.publish(responseTopic, { payload, correlation });
    });
    const accept = (answer: BusMessage) => textOf(answer) === 'true';
    assert.equal(textOf(await bus.request(topic, { payload: 'a' }, { timeoutMs: 5_000, accept })), 'true');
  });

  it('ends a question without an answer at its deadline or when it is aborted', async () => {
    const bus = await make();
    const topic = newTopic();
    await assert.rejects(bus.request(topic, { payload: 'x' }, { timeoutMs: 20 }), (error) =>
      isFolkmootError(error, 'FOLKMOOT_DEADLINE'),
    );
    const abort = new AbortController();
    const asked = bus.request(topic, { payload: 'x' }, { timeoutMs: 60_000, signal: abort.signal });
    const reason = new Error('changed my mind');
    setImmediate(() => abort.abort(reason));
    await assert.rejects(asked, reason);
  });

  it('tells its state at once and at each change, until the listener is taken away', async () => {
    const bus = await make();
    const states: string[] = [];
    const other: string[] = [];
    bus.onState((state) => states.push(state));
    bus.onState((state) => other.push(state))();
    await bus.close();
    assert.deepEqual(states, ['up', 'closed']);
    assert.deepEqual(other, ['up']);
    assert.equal(bus.state, 'closed');
  });

  it('is closed for ever: everything after it, and every question that waits, is refused', async () => {
    const bus = await make();
    const topic = newTopic();
    const isLost = (error: unknown) => isFolkmootError(error, 'FOLKMOOT_BUS_LOST');
    const subscription = await bus.subscribe(topic, () => assert.fail('delivered after close'));
    const asked = assert.rejects(bus.request(newTopic(), { payload: 'x' }, { timeoutMs: 60_000 }), isLost);
    await Promise.all([bus.close(), bus.close(), asked]);
    await assert.rejects(bus.publish(topic, { payload: 'x' }), isLost);
    await assert.rejects(
      bus.subscribe(topic, () => undefined),
      isLost,
    );
    await assert.rejects(bus.request(topic, { payload: 'x' }, { timeoutMs: 10 }), isLost);
    await subscription.close();
  });
}
