import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import mqtt from 'mqtt';
import { startAedes } from '../../test/aedes.ts';
import type { TestBroker } from '../../test/broker.ts';
import { freePort } from '../../test/free-port.ts';
import { openGate } from '../../test/gate.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { startWire } from '../../test/valkey-wire.ts';
import { isFolkmootError } from '../errors.ts';
import { describeBus, newTopic, textOf, until } from './bus.contract.ts';
import type { Bus } from './bus.ts';
import { createMqttBus } from './mqtt.ts';
import type { MqttBusOptions } from './mqtt.ts';

const quick = { reconnectMinMs: 50, reconnectMaxMs: 400, connectTimeoutMs: 200 };

const up = (bus: Bus): Promise<void> => until('the connection', () => bus.state === 'up');

/** Sockets and timers that hold the process: nothing of a closed bus may be among them. */
const holding = (): number =>
  process.getActiveResourcesInfo().filter((kind) => /TCPSocketWrap|TCPConnectWrap|Timeout/.test(kind)).length;

for (const start of [startMosquitto, startAedes] as (() => Promise<TestBroker>)[]) {
  describe(`MQTT bus on ${start === startAedes ? 'aedes' : 'mosquitto'}`, function () {
    this.timeout(20_000);
    let broker: TestBroker;
    const made: Bus[] = [];
    const make = (options: Partial<MqttBusOptions> = {}) => {
      const bus = createMqttBus({ url: broker.url, ...quick, ...options });
      made.push(bus);
      return bus;
    };
    before(async () => {
      broker = await start();
    });
    after(() => broker.stop());
    afterEach(async () => {
      await Promise.all(made.splice(0).map((bus) => bus.close()));
    });

    describeBus({
      isShared: true,
      // aedes knows nothing of it.
      ...(start === startAedes ? { sharesWork: 'unknown' as const } : {}),
      make: async (options) => {
        const bus = make(options);
        await up(bus);
        return bus;
      },
    });

    it('answers a question in far less than the 40 ms of Nagle’s algorithm', async () => {
      const [asker, answerer] = [make(), make()];
      await Promise.all([up(asker), up(answerer)]);
      const topic = newTopic();
      await answerer.subscribe(topic, (question) =>
        answerer.publish(question.responseTopic ?? '', { payload: 'x', correlation: question.correlation ?? '' }),
      );
      await asker.request(topic, { payload: 'warm' }, { timeoutMs: 5_000 });
      const begin = Date.now();
      for (let n = 0; n < 20; n += 1) await asker.request(topic, { payload: 'x' }, { timeoutMs: 5_000 });
      assert.ok(Date.now() - begin < 20 * 30, `${(Date.now() - begin) / 20} ms each`);
    });

    it('finds its subscriptions standing after the broker was killed and started again', async () => {
      const bus = make();
      await up(bus);
      const states: string[] = [];
      bus.onState((state) => states.push(state));
      const topic = newTopic();
      const got: string[] = [];
      await bus.subscribe(`${topic}/+`, (message) => void got.push(textOf(message)));
      const gone = await bus.subscribe(`${topic}/b`, () => assert.fail('was closed while the broker was down'));
      await broker.kill();
      await until('the loss', () => bus.state === 'down');
      await gone.close();
      const waiting = [
        bus.publish(`${topic}/a`, { payload: '1' }),
        bus.publish(`${topic}/b`, { payload: '2', qos: 0 }),
      ];
      await bus.subscribe(`${topic}/a`, (message) => void got.push(`late ${textOf(message)}`));
      await broker.restart();
      await Promise.all(waiting);
      await until('what had waited', () => got.length >= 3);
      await bus.publish(`${topic}/a`, { payload: '3' });
      await until('the next', () => got.length >= 5);
      // Quality 0 and 1 do not wait for each other.
      assert.deepEqual([...got.slice(0, 3).sort(), ...got.slice(3)], ['1', '2', 'late 1', '3', 'late 3']);
      assert.deepEqual(states, ['up', 'down', 'up']);
      const answer = bus.subscribe(`${topic}/ask`, (question) =>
        bus.publish(question.responseTopic ?? '', { payload: 'yes', correlation: question.correlation ?? '' }),
      );
      await answer;
      assert.equal(textOf(await bus.request(`${topic}/ask`, { payload: '?' }, { timeoutMs: 5_000 })), 'yes');
    });

    it('loses nothing that was under way when the broker died', async () => {
      const [sender, receiver] = [make(), make()];
      await Promise.all([up(sender), up(receiver)]);
      const topic = newTopic();
      const got = new Set<string>();
      await receiver.subscribe(topic, (message) => void got.add(textOf(message)));
      const sent = Array.from({ length: 100 }, (_, index) => sender.publish(topic, { payload: String(index) }));
      const killed = broker.kill();
      await Promise.all([killed, until('the loss', () => sender.state === 'down' && receiver.state === 'down')]);
      await broker.restart();
      await Promise.all(sent);
      await up(receiver);
      await sender.publish(topic, { payload: 'after' });
      await until('the message after', () => got.has('after'));
    });

    it('refuses when its queue is full while the broker is down, and lets an aborted one go', async () => {
      await broker.kill();
      const bus = make({ queue: 3 });
      await until('the first failure', () => bus.state === 'down');
      const topic = newTopic();
      const abort = new AbortController();
      const aborted = assert.rejects(bus.publish(topic, { payload: 'aborted' }, abort.signal), /enough/);
      const kept = ['1', '2'].map((payload) => bus.publish(topic, { payload }));
      await assert.rejects(bus.publish(topic, { payload: '4' }), (error) =>
        isFolkmootError(error, 'FOLKMOOT_BUS_FULL'),
      );
      abort.abort(new Error('enough'));
      await aborted;
      const got: string[] = [];
      await bus.subscribe(topic, (message) => void got.push(textOf(message)));
      await broker.restart();
      await Promise.all(kept);
      await until('both', () => got.length === 2);
      assert.deepEqual(got, ['1', '2']);
    });

    it('leaves no client, socket or timer after 20 buses were made and closed with the broker down', async () => {
      await broker.kill();
      const before = holding();
      for (let n = 0; n < 20; n += 1) {
        const bus = createMqttBus({ url: broker.url, ...quick });
        if (n % 2) await until('the first failure', () => bus.state === 'down');
        const lost = assert.rejects(bus.publish(newTopic(), { payload: 'x' }));
        await bus.close();
        await lost;
      }
      await until('nothing left', () => holding() <= before);
      await broker.restart();
      await up(make());
      await until('that one and no other', async () => (await broker.clients()) === 1);
    });

    it('leaves no client and no session at the broker when it is closed', async () => {
      const clientId = `folkmoot-spec-${Date.now() % 1e6}`;
      const bus = make({ clientId });
      await up(bus);
      const topic = newTopic();
      await bus.subscribe(topic, () => undefined);
      await bus.close();
      await until('no client', async () => (await broker.clients()) === 0);
      const client = mqtt.connect(broker.url, { clientId, protocolVersion: 5, clean: false });
      const connack = await new Promise<{ sessionPresent: boolean }>((resolve) => client.once('connect', resolve));
      await client.endAsync();
      assert.equal(connack.sessionPresent, false);
    });

    it('gets what came while its connection was broken', async () => {
      const gate = await openGate(broker.port);
      const bus = make({ url: `mqtt://127.0.0.1:${gate.port}` });
      const other = make();
      await Promise.all([up(bus), up(other)]);
      const topic = newTopic();
      const got: string[] = [];
      await bus.subscribe(topic, (message) => void got.push(textOf(message)));
      gate.cut();
      await until('the loss', () => bus.state === 'down');
      await until('the broker noticed', async () => (await broker.clients()) === 1);
      await other.publish(topic, { payload: 'meanwhile' });
      await gate.open();
      await until('what came meanwhile', () => got.length === 1);
      await bus.close();
      await gate.close();
      assert.deepEqual(got, ['meanwhile']);
    });

    it('has its last will said when the connection is cut, not when it is closed', async () => {
      const watcher = make();
      await up(watcher);
      const topic = newTopic('presence');
      const got: string[] = [];
      await watcher.subscribe(topic, (message) => void got.push(textOf(message)));
      const gate = await openGate(broker.port);
      const options = { url: `mqtt://127.0.0.1:${gate.port}`, will: { topic, payload: 'offline' } };
      const closed = make(options);
      await up(closed);
      await closed.close();
      const cut = make(options);
      await up(cut);
      gate.cut();
      await until('the last will', () => got.length > 0);
      await cut.close();
      await gate.close();
      assert.deepEqual(got, ['offline']);
    });
  });
}

describe('MQTT bus', function () {
  this.timeout(20_000);

  it('refuses an address that is none, and never shows a password', () => {
    for (const url of ['', 'localhost', 'http://127.0.0.1:1', '127.0.0.1:1883']) {
      assert.throws(
        () => createMqttBus({ url }),
        (error) => isFolkmootError(error, 'FOLKMOOT_BAD_SETTING'),
      );
    }
  });

  it('says why it is down without the password, tries again with growing pauses and never hurries', async () => {
    const tries: number[] = [];
    const server = createServer((socket) => {
      tries.push(Date.now());
      socket.destroy();
    });
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
    const bus = createMqttBus({ url: `mqtt://ana:secret@127.0.0.1:${port}`, ...quick });
    const reasons: string[] = [];
    bus.onState((_, reason) => void (reason && reasons.push(reason)));
    await until('six tries', () => tries.length >= 6, 10_000);
    await bus.close();
    server.close();
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    assert.ok(Math.min(...pauses) >= quick.reconnectMinMs - 2, `${pauses.join(', ')}`);
    assert.ok(Math.max(...pauses) <= quick.reconnectMaxMs, `${pauses.join(', ')}`);
    assert.ok((pauses[3] ?? 0) > (pauses[0] ?? 0), `${pauses.join(', ')}`);
    assert.equal(reasons.length, 1);
    assert.match(reasons[0] ?? '', new RegExp(`^mqtt://127.0.0.1:${port}: `));
    assert.doesNotMatch(reasons.join(), /secret/);
  });

  it('closes while a broker that never answers holds the connection', async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined).resume()));
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
    const bus = createMqttBus({ url: `mqtt://127.0.0.1:${port}`, ...quick, connectTimeoutMs: 5_000 });
    await until('the connection', () => sockets.size === 1);
    const begin = Date.now();
    await bus.close();
    assert.ok(Date.now() - begin < 1_000);
    await until('no socket', () => [...sockets].every((socket) => socket.destroyed));
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('says in one error what the broker’s access rules refuse', async () => {
    const broker = await startMosquitto({ acl: ['topic readwrite allowed/#'] });
    const bus = createMqttBus({ url: broker.url, ...quick });
    await up(bus);
    const isRefused = (error: unknown) => isFolkmootError(error, 'FOLKMOOT_BUS_REFUSED');
    await assert.rejects(bus.publish('secret', { payload: 'x' }), isRefused);
    await bus.publish('allowed/a', { payload: 'x' });
    await bus.close();
    await broker.stop();
  });

  it('goes on trying when user or password are wrong', async () => {
    const broker = await startMosquitto({ lines: ['allow_anonymous false'] });
    const wire = await startWire(broker.port);
    const bus = createMqttBus({ url: `mqtt://127.0.0.1:${wire.port}`, ...quick, user: 'ana', password: 'secret' });
    const [states, reasons]: [string[], string[]] = [[], []];
    bus.onState((state, reason) => {
      states.push(state);
      if (reason) reasons.push(reason);
    });
    await wire.connected(4);
    assert.deepEqual(states, ['connecting', 'down']);
    assert.match(reasons.join(), /Not authorized|Bad User Name or Password/i);
    await bus.close();
    await wire.stop();
    await broker.stop();
  });

  it('resolves a subscription at once while nobody answers, and makes it when a broker comes', async () => {
    const port = await freePort();
    const bus = createMqttBus({ url: `mqtt://127.0.0.1:${port}`, ...quick });
    const got: string[] = [];
    await bus.subscribe('a', (message) => void got.push(textOf(message)));
    assert.equal(bus.state, 'down');
    const broker = await startMosquitto({ port });
    await bus.publish('a', { payload: 'x' });
    await until('the message', () => got.length === 1);
    await bus.close();
    await broker.stop();
  });
});
