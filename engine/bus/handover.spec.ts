import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { startMosquitto } from '../../test/mosquitto.ts';
import { fakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { arrived, describeBus, newTopic, textOf, until } from './bus.contract.ts';
import type { Bus, BusMessage, Handover } from './bus.ts';
import { withHandover } from './handover.ts';
import { createInProcessBus } from './in-process.ts';
import { createMqttBus } from './mqtt.ts';
import { createBusMetrics } from './metrics.ts';

describe('a bus whose subscriptions are handed over', () => {
  describeBus({
    isShared: false,
    make: async (options) => withHandover(createInProcessBus(options), { clock: fakeClock() }),
  });

  const setUp = () => {
    const clock = fakeClock();
    const metrics = createBusMetrics({ clock });
    const bus = withHandover(createInProcessBus({ clock }), { clock, metrics });
    const say = async (...texts: string[]) => {
      for (const payload of texts) await bus.publish('a', { payload });
      await clock.advance(0);
    };
    const unheard: string[] = [];
    const handover: Handover = {
      unheard: (message, why) => void unheard.push(`${textOf(message)}: ${why}`),
    };
    const dropped = () => metrics.snapshot().topics['a']?.dropped ?? {};
    const listen = async (into: string[], name = '') =>
      bus.subscribe('a', (message) => void into.push(`${name}${textOf(message)}${message.retained ? ' kept' : ''}`));
    return { clock, bus, say, unheard, handover, dropped, listen };
  };

  it('gives the next one what came meanwhile, in order, behind what was not worked on to its end', async () => {
    const { clock, say, listen, unheard } = setUp();
    const [first, second]: [string[], string[]] = [[], []];
    const subscription = await listen(first);
    await say('1');
    const again = ['x', 'y'].map((text): BusMessage => ({
      ...{ topic: 'a', properties: {}, retained: false },
      payload: Buffer.from(text),
    }));
    await subscription.close({ again });
    await say('2', '3');
    const next = await listen(second);
    await say('4');
    assert.deepEqual([first, second], [['1'], ['x', 'y', '2', '3', '4']]);
    await next.close();
    await say('5');
    assert.equal(second.length, 5);
    assert.deepEqual([clock.waiting, unheard], [0, []]);
  });

  it('gives the next one what is retained, once, also after several of them', async () => {
    const { bus, clock, say, listen } = setUp();
    await bus.publish('a', { payload: 'old', retain: true });
    const got: string[][] = [[], [], []];
    for (const own of got) {
      const subscription = await listen(own);
      await say('live');
      await bus.publish('a', { payload: 'new', retain: true });
      await clock.advance(0);
      await subscription.close({});
    }
    assert.deepEqual(got, [
      ['old kept', 'live', 'new'],
      ['new kept', 'live', 'new'],
      ['new kept', 'live', 'new'],
    ]);
    await bus.close();
  });

  it('gives up what nobody comes for in time, and tells', async () => {
    const { clock, say, unheard, handover, dropped, listen } = setUp();
    const subscription = await listen([]);
    await subscription.close(handover);
    await say('1', '2');
    await clock.advance(limits.deployLingerMs - 1);
    assert.deepEqual(unheard, []);
    await clock.advance(1);
    assert.deepEqual(unheard, ['1: nobody', '2: nobody']);
    assert.deepEqual(dropped(), { 'nobody listens': 2 });
    const late: string[] = [];
    await listen(late);
    await say('3');
    assert.deepEqual([late, clock.waiting], [['3'], 0]);
  });

  it('lets no more than so many wait', async () => {
    const { say, unheard, handover, dropped, listen } = setUp();
    const subscription = await listen([]);
    await subscription.close(handover);
    await say(...Array.from({ length: limits.deployHeld + 2 }, (_, n) => `${n}`));
    assert.deepEqual(unheard, [`${limits.deployHeld}: too many`, `${limits.deployHeld + 1}: too many`]);
    assert.deepEqual(dropped(), { 'too many waiting': 2 });
    const got: string[] = [];
    await listen(got);
    assert.equal(got.length, limits.deployHeld);
  });

  it('keeps two of one pattern apart, and those who share the work from others', async () => {
    const { bus, clock, say, listen } = setUp();
    const got: string[] = [];
    const share = { share: 'team' };
    const shared = (name: string) => bus.subscribe('a', (message) => void got.push(`${name}${textOf(message)}`), share);
    const all = [await listen(got, 'first '), await listen(got, 'second '), await shared('shared ')];
    for (const one of all) await one.close({});
    await say('1');
    await listen(got, 'third ');
    await listen(got, 'fourth ');
    await listen(got, 'fresh ');
    assert.deepEqual(got, ['third 1', 'fourth 1']);
    await shared('last ');
    await say('2');
    assert.deepEqual(got.slice(2).sort(), ['fourth 2', 'fresh 2', 'last 1', 'last 2', 'third 2']);
    await bus.close();
    assert.equal(clock.waiting, 0);
  });

  it('tells of what waits when it is closed', async () => {
    const { bus, clock, say, unheard, handover, listen } = setUp();
    const subscription = await listen([]);
    await subscription.close(handover);
    await say('1');
    await bus.close();
    assert.deepEqual([unheard, clock.waiting, bus.state], [['1: nobody'], 0, 'closed']);
  });

  it('reports what the next one can’t work on, and goes on', async () => {
    const { bus, say } = setUp();
    const problems: string[] = [];
    bus.onProblem(({ message }) => void problems.push(message));
    const subscription = await bus.subscribe('a', () => undefined);
    await subscription.close({});
    await say('1', '2');
    const got: string[] = [];
    await bus.subscribe('a', (message) => {
      got.push(textOf(message));
      throw new Error(`not ${textOf(message)}`);
    });
    await say('3');
    assert.deepEqual(
      [got, problems],
      [
        ['1', '2', '3'],
        ['not 1', 'not 2', 'not 3'],
      ],
    );
  });

  it('over a broker never unsubscribes, gets what came meanwhile, and is told that nothing arrived before it did', async () => {
    const log = `/tmp/folkmoot-handover-${process.pid}.log`;
    const broker = await startMosquitto({ lines: [`log_dest file ${log}`, 'log_type all'] });
    const made = createMqttBus({ url: broker.url, clientId: 'the-home' });
    const bus: Bus = withHandover(made, { clock: fakeClock() });
    const other = createMqttBus({ url: broker.url, clientId: 'another' });
    await until('both', () => bus.state === 'up' && other.state === 'up');
    const topic = newTopic();
    const said = () => readFile(log, 'utf8');
    /** The number under which the broker sent it, so that it is known when it was told that it arrived. */
    const sentAs = async () =>
      new RegExp(`Sending PUBLISH to the-home \\(d0, q1, r0, m(\\d+), '${topic}'`).exec(await said())?.[1];
    const isAcknowledged = async (id: string) => (await said()).includes(`Received PUBACK from the-home (Mid: ${id},`);
    await other.publish(topic, { payload: 'kept', retain: true });
    const subscription = await bus.subscribe(topic, () => undefined);
    await arrived(bus);
    await subscription.close({});
    await other.publish(topic, { payload: 'meanwhile' });
    await until('it was sent', async () => (await sentAs()) !== undefined);
    const id = (await sentAs()) ?? '';
    await arrived(bus);
    assert.equal(await isAcknowledged(id), false);
    const got: string[] = [];
    await bus.subscribe(topic, (message) => void got.push(`${textOf(message)} ${message.retained}`));
    await until('both messages', () => got.length === 2);
    await until('it was acknowledged', () => isAcknowledged(id));
    await other.publish(topic, { payload: 'after' });
    await until('the next', () => got.includes('after false'));
    await arrived(bus);
    assert.deepEqual(got.sort(), ['after false', 'kept true', 'meanwhile false']);
    assert.doesNotMatch(await said(), new RegExp(`UNSUBSCRIBE from the-home[^]{0,80}${topic}`));
    await bus.close();
    await other.close();
    await broker.stop();
    await rm(log, { force: true });
  }).timeout(20_000);
});
