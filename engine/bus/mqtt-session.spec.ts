/** A process that is killed and comes again under its name: what it had not worked on is given to it once more. */
import assert from 'node:assert/strict';
import { startAedes } from '../../test/aedes.ts';
import type { TestBroker } from '../../test/broker.ts';
import { openGate } from '../../test/gate.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { fakeClock } from '../clock.ts';
import type { FakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { newTopic, textOf, until } from './bus.contract.ts';
import type { Bus } from './bus.ts';
import { createBusMetrics } from './metrics.ts';
import { createMqttBus } from './mqtt.ts';
import type { MqttBusOptions } from './mqtt.ts';

const quick = { reconnectMinMs: 50, reconnectMaxMs: 400, connectTimeoutMs: 200 };
let names = 0;

for (const start of [startMosquitto, startAedes] as (() => Promise<TestBroker>)[]) {
  describe(`a process that was killed, on ${start === startAedes ? 'aedes' : 'mosquitto'}`, function () {
    this.timeout(20_000);
    let broker: TestBroker;
    let clientId: string;
    let clock: FakeClock;
    const open: Bus[] = [];
    const make = async (options: Partial<MqttBusOptions> = {}) => {
      const bus = createMqttBus({ url: broker.url, ...quick, clock, ...options });
      open.push(bus);
      await until('the connection', () => bus.state === 'up');
      return bus;
    };
    /** Its socket is cut and nothing of it is left, as by SIGKILL. */
    const killed = async (live: (bus: Bus) => Promise<void>) => {
      const gate = await openGate(broker.port);
      const bus = await make({ url: `mqtt://127.0.0.1:${gate.port}`, clientId });
      await live(bus);
      const before = await broker.clients();
      gate.cut();
      await bus.close();
      await gate.close();
      await until('the broker noticed', async () => (await broker.clients()) < before);
    };
    before(async () => {
      broker = await start();
    });
    after(() => broker.stop());
    beforeEach(() => {
      clock = fakeClock();
      clientId = `folkmoot-killed-${process.pid}-${++names}`;
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map((bus) => bus.close()));
      assert.equal(clock.waiting, 0);
    });

    it('gets what it was working on and what came meanwhile, in order, also when it listens late', async () => {
      const topic = newTopic();
      const other = await make();
      const seen: string[] = [];
      await killed(async (bus) => {
        await bus.subscribe(topic, async (message) => {
          seen.push(textOf(message));
          if (textOf(message) !== 'done') await new Promise(() => undefined);
        });
        await other.publish(topic, { payload: 'done' });
        await other.publish(topic, { payload: 'half' });
        await until('both', () => seen.length === 2);
        // What was done is acknowledged in a turn of its own.
        await other.publish(newTopic(), { payload: 'fence' });
      });
      await other.publish(topic, { payload: 'meanwhile' });
      const metrics = createBusMetrics({ clock });
      const again = await make({ clientId, metrics });
      await until('all that is left', () => metrics.snapshot().topics[topic]?.in === 2);
      const got: string[] = [];
      await again.subscribe(topic, (message) => void got.push(textOf(message)));
      await until('what is left', () => got.length === 2);
      await other.publish(topic, { payload: 'next' });
      await until('the next', () => got.includes('next'));
      assert.deepEqual(got, ['half', 'meanwhile', 'next']);
    });

    it('gives what came meanwhile to each that listened, whoever of them is there first, and once to those who share', async () => {
      const topic = newTopic();
      const wide = `${topic.slice(0, topic.lastIndexOf('/'))}/+`;
      const other = await make();
      const alone = ['one', 'two'].map((name) => ({ name, pattern: topic }));
      const team = { name: 'team', pattern: topic, share: 'team' };
      // Aedes has none who share the work, and keeps a message once for each pattern without saying for which.
      const listeners = start === startAedes ? alone : [...alone, { name: 'wide', pattern: wide }, team, team];
      const join = async (bus: Bus, heard: (name: string, text: string) => void) => {
        for (const { name, pattern, ...options } of listeners) {
          await bus.subscribe(pattern, (message) => heard(name, textOf(message)), options);
        }
      };
      await killed((bus) => join(bus, () => undefined));
      for (const payload of ['first', 'same', 'same']) await other.publish(topic, { payload });
      const got: Record<string, string[]> = {};
      const again = await make({ clientId });
      await join(again, (name, text) => (got[name] ??= []).push(text));
      await other.publish(topic, { payload: 'next' });
      await until('the next', () => listeners.every(({ name }) => got[name]?.includes('next')));
      const all = ['first', 'same', 'same', 'next'];
      assert.deepEqual(got, Object.fromEntries(listeners.map(({ name }) => [name, all])));
    });

    it('lets go, counted, what nobody listens to any more, and takes old subscriptions away', async () => {
      const [kept, gone] = [newTopic('kept'), newTopic('gone')];
      const other = await make();
      let remembered: readonly string[] = [];
      const patternMemory = {
        load: async () => remembered,
        save: (patterns: readonly string[]) => void (remembered = patterns),
      };
      await killed(async (bus) => {
        await bus.subscribe(kept, () => undefined);
        await bus.subscribe(gone, () => undefined);
      });
      remembered = [kept, gone];
      await other.publish(gone, { payload: 'x' });
      const metrics = createBusMetrics({ clock });
      const again = await make({ clientId, patternMemory, metrics });
      await again.subscribe(kept, () => undefined);
      await until('the message', () => (metrics.snapshot().topics[gone]?.in ?? 0) === 1);
      assert.deepEqual(metrics.snapshot().topics[gone]?.dropped, {});
      await clock.advance(limits.busHeldMs);
      assert.deepEqual(metrics.snapshot().topics[gone]?.dropped, { 'nobody listens': 1 });
      await until('the list', () => remembered.length === 1);
      assert.deepEqual(remembered, [kept]);
      await again.publish(newTopic(), { payload: 'after the unsubscription' });
      await other.publish(gone, { payload: 'y' });
      await other.publish(kept, { payload: 'fence' });
      await until('the fence', () => metrics.snapshot().topics[kept]?.in === 1);
      assert.equal(metrics.snapshot().topics[gone]?.in, 1);
    });
  });
}
