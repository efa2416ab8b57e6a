import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { startValkey } from '../../test/valkey-server.ts';
import type { TestValkey } from '../../test/valkey-server.ts';
import { isFolkmootError } from '../errors.ts';
import { describeBus, newTopic, textOf, until } from './bus.contract.ts';
import type { Bus, BusMessage } from './bus.ts';
import { busStream } from './valkey-stream-message.ts';
import { createValkeyStreamsBus } from './valkey-streams.ts';
import type { ValkeyStreamsBusOptions } from './valkey-streams.ts';

const quick = { reconnectMinMs: 50, reconnectMaxMs: 400, connectTimeoutMs: 200 };
const up = (bus: Bus): Promise<void> => until('the connection', () => bus.state === 'up');

describe('the bus over a Valkey stream', function () {
  this.timeout(20_000);
  let server: TestValkey;
  let client: Redis;
  const made: Bus[] = [];
  const make = (options: Partial<ValkeyStreamsBusOptions> = {}) => {
    const bus = createValkeyStreamsBus({ url: server.url, ...quick, ...options });
    made.push(bus);
    return bus;
  };
  const pending = async (group: string) => Number((await client.xpending(busStream, group))[0]);
  before(async () => {
    server = await startValkey({ persists: true });
    const { Redis: Client } = await import('ioredis');
    client = new Client(server.port, '127.0.0.1');
    client.on('error', () => undefined);
  });
  after(async () => {
    client.disconnect();
    await server.stop();
  });
  afterEach(async () => {
    await Promise.all(made.splice(0).map((bus) => bus.close()));
  });

  describeBus({
    isShared: true,
    make: async (options) => {
      const bus = make(options);
      await up(bus);
      return bus;
    },
  });

  it('acknowledges a message when the work on it is done', async () => {
    const bus = make({ clientId: 'acks' });
    await up(bus);
    const topic = newTopic();
    const work = Promise.withResolvers<undefined>();
    let begun = false;
    await bus.subscribe(topic, () => {
      begun = true;
      return work.promise;
    });
    await bus.publish(topic, { payload: 'x' });
    await until('the work', () => begun);
    assert.equal(await pending('process:acks'), 1);
    work.resolve(undefined);
    await until('the acknowledgement', async () => (await pending('process:acks')) === 0);
  });

  it('gives again after a crash what was not done, and what came meanwhile', async () => {
    const topic = newTopic();
    const first = createValkeyStreamsBus({ url: server.url, reconnectMinMs: 60_000, clientId: 'crashing' });
    await up(first);
    await first.subscribe(`${topic}/+`, () => new Promise(() => undefined));
    const other = make();
    await up(other);
    await other.publish(`${topic}/a`, { payload: 'begun' });
    await until('it began', async () => (await pending('process:crashing')) === 1);
    // A crash takes no leave: only the connections are cut.
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    const second = make({ clientId: 'crashing' });
    await other.publish(`${topic}/b`, { payload: 'meanwhile' });
    await up(second);
    const got: string[] = [];
    await second.subscribe(`${topic}/+`, (message) => void got.push(textOf(message)));
    await until('both', () => got.length >= 2);
    assert.deepEqual(got.toSorted(), ['begun', 'meanwhile']);
    await first.close();
  });

  it('lets another one of those who share the work take over what a dead one had', async () => {
    const topic = newTopic();
    const [dying, living] = [make({ idleMs: 300 }), make({ idleMs: 300 })];
    await Promise.all([up(dying), up(living)]);
    const got: string[] = [];
    let taken = 0;
    const share = { share: 'team' };
    await dying.subscribe(
      topic,
      () => {
        taken += 1;
        return new Promise(() => undefined);
      },
      share,
    );
    await dying.publish(topic, { payload: 'mine' });
    await until('it was taken', () => taken === 1);
    await living.subscribe(topic, (message) => void got.push(textOf(message)), share);
    await dying.close();
    await until('it was taken over', () => got.length === 1);
    assert.deepEqual(got, ['mine']);
  });

  it('does not take from a living one what only takes long', async () => {
    const topic = newTopic();
    const idleMs = 150;
    const [slow, other] = [make({ idleMs }), make({ idleMs, clientId: 'the-other' })];
    await Promise.all([up(slow), up(other)]);
    const share = { share: 'slow' };
    const work = Promise.withResolvers<undefined>();
    const got: string[] = [];
    await slow.subscribe(
      topic,
      (message) => {
        got.push(`slow ${textOf(message)}`);
        return work.promise;
      },
      share,
    );
    await slow.publish(topic, { payload: 'x' });
    await until('it was taken', () => got.length === 1);
    await other.subscribe(topic, (message) => void got.push(`other ${textOf(message)}`), share);
    // By the server's clock: it looked for work of others three times as long as one who is not heard of may be away.
    const looks: number[] = [];
    const monitor = await client.monitor();
    monitor.on('monitor', (seconds: string, [command = '', , , consumer]: string[]) => {
      if (command.toUpperCase() === 'XAUTOCLAIM' && consumer === 'the-other') looks.push(Number(seconds) * 1_000);
    });
    await until('it looked again and again', () => (looks.at(-1) ?? 0) - (looks[0] ?? 0) >= 3 * idleMs);
    monitor.disconnect();
    assert.deepEqual(got, ['slow x']);
    work.resolve(undefined);
  });

  it('has no more of a stream than its limit, and nothing older than its age', async () => {
    const bus = make({ entries: 200 });
    await up(bus);
    const topic = newTopic();
    for (let n = 0; n < 5; n += 1) {
      await Promise.all(Array.from({ length: 200 }, () => bus.publish(topic, { payload: 'x' })));
    }
    // Whole blocks of a hundred entries are taken away.
    assert.ok((await client.xlen(busStream)) <= 300, String(await client.xlen(busStream)));
    const young = make({ ageMs: 0 });
    await up(young);
    await young.publish(topic, { payload: 'y' });
    assert.ok((await client.xlen(busStream)) <= 200, String(await client.xlen(busStream)));
  });

  it('passes over entries that are none of ours, and messages whose time is over', async () => {
    const bus = make();
    await up(bus);
    const got: BusMessage[] = [];
    const topic = newTopic();
    await bus.subscribe(topic, (message) => void got.push(message));
    await client.xadd(busStream, '*', 'something', 'else');
    await client.xadd(busStream, '*', 'topic', topic, 'payload', 'late', 'until', '1');
    await client.xadd(busStream, '*', 'topic', topic, 'payload', 'of a stranger', 'properties', '{');
    await until('the good one', () => got.length === 1);
    assert.equal(textOf(got[0] as BusMessage), 'of a stranger');
  });

  it('goes on when the stream is deleted', async () => {
    const bus = make();
    await up(bus);
    const got: string[] = [];
    const topic = newTopic();
    await bus.subscribe(topic, (message) => void got.push(textOf(message)));
    await bus.publish(topic, { payload: '1' });
    await until('the first', () => got.length === 1);
    await client.del(busStream);
    await bus.publish(topic, { payload: '2' });
    await until('the second', () => got.length === 2);
    assert.deepEqual(got, ['1', '2']);
  });

  it('loses nothing when the server is killed and started again', async () => {
    const [sender, receiver] = [make(), make()];
    await Promise.all([up(sender), up(receiver)]);
    const topic = newTopic();
    const got = new Set<string>();
    await receiver.subscribe(topic, (message) => void got.add(textOf(message)));
    const sent = Array.from({ length: 100 }, (_, index) => sender.publish(topic, { payload: String(index) }));
    const killed = server.kill();
    await Promise.all([killed, until('the loss', () => sender.state === 'down' && receiver.state === 'down')]);
    await server.restart();
    await Promise.all(sent);
    await until('all of them', () => got.size === 100, 10_000);
  });

  it('leaves no group and no client when it is closed', async () => {
    await until('those before are gone', async () => (await server.clients()) === 1);
    for (let n = 0; n < 10; n += 1) {
      const bus = createValkeyStreamsBus({ url: server.url, ...quick, clientId: `gone-${n}` });
      if (n % 2) await up(bus);
      await bus.close();
    }
    await until('nothing left', async () => (await server.clients()) === 1);
    const groups = JSON.stringify(await client.call('XINFO', 'GROUPS', busStream));
    assert.doesNotMatch(groups, /gone-/);
  });

  it('says that the address is none', () => {
    assert.throws(
      () => createValkeyStreamsBus({ url: 'http://127.0.0.1' }),
      (error) => isFolkmootError(error, 'FOLKMOOT_BAD_SETTING'),
    );
  });
});
