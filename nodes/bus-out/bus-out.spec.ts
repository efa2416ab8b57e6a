/** Bus in and bus out on topics, with and without a broker, in a real Node-RED. */
import assert from 'node:assert/strict';
import mqtt from 'mqtt';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import {
  arrivals,
  core,
  load,
  node,
  onTab,
  settle,
  startServer,
  stopServer,
  unload,
  until,
} from '../../test/red/red.ts';
import backbone from '../backbone/backbone.ts';
import busOut from './bus-out.ts';
import busIn from '../bus-in/bus-in.ts';

const modules = [backbone, busIn, busOut, ...core('catch')] as never[];

describe('bus in and bus out on topics of a broker', () => {
  let broker: TestBroker;
  before(async () => {
    broker = await startMosquitto();
    await startServer();
  });
  after(async () => {
    await stopServer();
    await broker.stop();
  });
  afterEach(unload);

  it('bring messages of a topic as objects, text or bytes, and publish to topics', async () => {
    const topics = [
      { id: 't', type: 'folkmoot-bus-in', mode: 'topic', topic: 'home/+/state', backbone: 'b', wires: [['got']] },
      { id: 'o', type: 'folkmoot-bus-out', mode: 'topic', topic: '', backbone: 'b', wires: [] },
      { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', wires: [] },
      { id: 'c', type: 'catch', scope: null, uncaught: false, wires: [['caught']] },
      ...['got', 'caught'].map((id) => ({ id, type: 'helper', wires: [] })),
    ];
    await load(modules, [
      { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:' },
      ...onTab(topics),
    ]);
    const got = arrivals('got');
    const send = async (payload: unknown, more: object = {}) => {
      const before = got.length;
      node('o').receive({ payload, topic: 'home/lamp/state', ...more });
      await until(() => got.length > before);
      return got.at(-1);
    };
    await until(() => {
      node('o').receive({ payload: 'hello', topic: 'home/lamp/state' });
      return got.length > 0;
    });
    await settle();
    const first = await send({ state: 'ON', n: [1] });
    assert.deepEqual([first?.payload, first?.topic], [{ state: 'ON', n: [1] }, 'home/lamp/state']);
    assert.equal((await send('{not json'))?.payload, '{not json');
    assert.equal((await send(12.5))?.payload, '12.5');
    assert.deepEqual((await send(Buffer.from([0, 255])))?.payload, Buffer.from([0, 255]));
    const caught = arrivals('caught');
    node('o').receive({ payload: 'x', topic: 'home/+' });
    node('o').receive({ payload: 'x', topic: '' });
    node('out').receive({ payload: 'nobody asked' });
    node('o').receive({ payload: 'x', topic: '/es/nachobrito/amica/user/request/v1' });
    await until(() => caught.length === 4);
    assert.deepEqual(caught.map((message) => (message.error as { code: string }).code).sort(), [
      'FOLKMOOT_BAD_INPUT',
      'FOLKMOOT_BAD_INPUT',
      'FOLKMOOT_BUS_REFUSED',
      'FOLKMOOT_BUS_REFUSED',
    ]);
  });
});

describe('bus in on a topic whose work is shared', () => {
  let broker: TestBroker;
  before(async () => {
    broker = await startMosquitto();
    await startServer();
  });
  after(async () => {
    await stopServer();
    await broker.stop();
  });
  afterEach(unload);

  it('gets each message once between it and a program of others that joins under the same name', async () => {
    const taker = { mode: 'topic', topic: 'jobs/#', backbone: 'b', shareWork: true, shareName: 'mowers' };
    await load(modules, [
      { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:' },
      ...onTab([
        { id: 'in', type: 'folkmoot-bus-in', ...taker, wires: [['got']] },
        { id: 'got', type: 'helper', wires: [] },
      ]),
    ]);
    const got = arrivals('got');
    const other = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
    const send = (payload: string) => other.publishAsync('jobs/mow', payload, { qos: 1 });
    await until(() => {
      void send('hello');
      return got.length > 0;
    });
    const others: string[] = [];
    other.on('message', (_, payload) => others.push(payload.toString()));
    await other.subscribeAsync('$share/mowers/jobs/#', { qos: 1 });
    const jobs = Array.from({ length: 20 }, (_, n) => `${n}`);
    for (const job of jobs) await send(job);
    const own = () => got.map(({ payload }) => String(payload)).filter((payload) => payload !== 'hello');
    const theirs = () => others.filter((payload) => payload !== 'hello');
    await until(() => own().length + theirs().length >= jobs.length);
    await settle();
    assert.deepEqual([...own(), ...theirs()].sort(), jobs.toSorted());
    assert.ok(own().length > 0 && theirs().length > 0, `${own().length} and ${theirs().length}`);
    await other.endAsync(true);
  });
});

describe('bus in without a broker', () => {
  before(startServer);
  after(stopServer);
  afterEach(unload);

  it('says that people’s requests need one, and bus out does too', async () => {
    const flow = onTab([
      { id: 'in', type: 'folkmoot-bus-in', mode: 'requests', wires: [[]] },
      { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', wires: [] },
      { id: 'c', type: 'catch', scope: null, uncaught: false, wires: [['caught']] },
      { id: 'caught', type: 'helper', wires: [] },
    ]);
    await load(modules, flow);
    const caught = arrivals('caught');
    node('out').receive({ payload: 'x', moot: { v: 1, run: 'r', request: { id: 'm', via: 'flow' }, outcome: 'done' } });
    node('out').receive({ payload: 'x', moot: { v: 1, run: 'r', outcome: 'done' } });
    node('out').receive({ payload: 'x', moot: { v: 1, request: { id: 'm', via: 'amica' }, outcome: 'done' } });
    await until(() => caught.length === 1);
    await settle();
    assert.deepEqual(
      caught.map((message) => (message.error as { code: string }).code),
      ['FOLKMOOT_BUS_NEEDS_BROKER'],
    );
  });

  it('brings the messages of a topic from other flows of the process', async () => {
    const flow = onTab([
      { id: 'in', type: 'folkmoot-bus-in', mode: 'topic', topic: 'a/#', wires: [['got']] },
      { id: 'out', type: 'folkmoot-bus-out', mode: 'topic', topic: 'a/b', wires: [] },
      { id: 'got', type: 'helper', wires: [] },
    ]);
    await load(modules, flow);
    const got = arrivals('got');
    await until(() => {
      node('out').receive({ payload: { on: true } });
      return got.length > 0;
    });
    assert.deepEqual([got[0]?.payload, got[0]?.topic], [{ on: true }, 'a/b']);
  });
});
