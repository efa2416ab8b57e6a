/** People speak to a flow over a real broker: bus in and bus out in a real Node-RED. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { amicaClient, type AmicaClient } from '../../test/amica-client.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import {
  arrivals,
  core,
  deploy,
  load,
  node,
  onTab,
  settle,
  startServer,
  stopServer,
  unload,
  until,
  type FlowNode,
} from '../../test/red/red.ts';
import { fakeClock } from '../../engine/clock.ts';
import backbone from '../backbone/backbone.ts';
import busOut from '../bus-out/bus-out.ts';
import { runFeed, useClock } from '../shared/process.ts';
import type { RedMessage } from '../shared/red.ts';
import busIn from './bus-in.ts';

const modules = [backbone, busIn, busOut, ...core('function', 'catch')] as never[];

/** A flow that answers: `parts …` in parts, `silence` never, the rest with an echo. */
const answering = `
  const said = msg.payload;
  if (said.startsWith('silence')) return null;
  if (said.startsWith('parts')) for (const word of said.split(' ').slice(1)) {
    node.send({ ...msg, payload: word + ' ', moot: { ...msg.moot } });
  }
  msg.payload = 'You said: ' + said;
  msg.moot.outcome = 'done';
  return msg;
`;

describe('bus in and bus out over a real broker', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let person: AmicaClient;

  const flow = (more: readonly FlowNode[] = [], settings: object = {}): FlowNode[] => [
    { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:', house: 'test' },
    ...onTab([
      { id: 'in', type: 'folkmoot-bus-in', mode: 'requests', backbone: 'b', ...settings, wires: [['f', 'seen']] },
      { id: 'f', type: 'function', func: answering, outputs: 1, wires: [['out']] },
      { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', wires: [] },
      { id: 'c', type: 'catch', scope: null, uncaught: false, wires: [['caught']] },
      ...['seen', 'caught'].map((id) => ({ id, type: 'helper', wires: [] })),
      ...more,
    ]),
  ];
  const answered = (id: string) => person.parts(id).some((part) => part.isComplete);
  /** Requests sent before the subscription stands are lost to any listener. */
  const listening = async () => {
    const hellos: string[] = [];
    const end = Date.now() + 10_000;
    while (Date.now() < end && !hellos.some(answered)) {
      hellos.push(await person.ask('hello'));
      await settle();
    }
    await until(() => hellos.some(answered));
  };
  const requests = (messages: readonly RedMessage[]) => messages.filter(({ payload }) => payload !== 'hello');

  before(async () => {
    broker = await startMosquitto();
    await startServer();
  });
  after(async () => {
    await stopServer();
    await broker.stop();
  });
  beforeEach(async () => {
    person = await amicaClient(broker.url);
  });
  afterEach(async () => {
    useClock();
    await unload();
    await person.close();
  });

  it('pass a request on, and its answer back in parts, then the end of the conversation', async () => {
    await load(modules, flow());
    await listening();
    const seen = arrivals('seen');
    const id = await person.ask('parts one two', 'c-parts');
    await until(() => requests(seen).length === 1);
    const [message] = requests(seen) as [RedMessage];
    assert.equal(message.payload, 'parts one two');
    assert.equal(message.topic, '/es/nachobrito/amica/user/request/v1');
    const at = message.moot?.request?.at;
    assert.ok(typeof at === 'number', 'when it came');
    assert.deepEqual(message.moot, {
      v: 1,
      conversation: 'c-parts',
      user: 'ana',
      request: { id, via: 'amica', replyTo: `/es/nachobrito/amica/replies/${id}`, at },
    });
    await until(() => person.ended.includes('c-parts'));
    const parts = person.parts(id);
    assert.deepEqual(
      parts.map(({ message: text, isComplete, sequence }) => [sequence, isComplete, text]),
      [
        [1, false, 'one '],
        [2, false, 'two '],
        [3, true, 'You said: parts one two'],
      ],
    );
    assert.ok(parts.every(({ agent, conversation }) => agent === 'folkmoot-test' && conversation === 'c-parts'));
    const own = person.order.filter((line) => line.startsWith(id) || line === 'ended c-parts');
    assert.deepEqual(own, [`${id} 1`, `${id} 2`, `${id} 3!`, 'ended c-parts']);
  });

  it('answer with the report, and take a later one about it for no answer', async () => {
    await load(modules, flow());
    await listening();
    const seen = arrivals('seen');
    const id = await person.ask('silence', 'c-late');
    await until(() => requests(seen).length === 1);
    const [{ moot }] = requests(seen) as [RedMessage];
    assert.ok(moot);
    node('out').receive({ payload: 'The lamp failed.', moot: { ...moot, report: [], late: true } });
    node('out').receive({ payload: 'Lamp on.', moot: { ...moot, report: [] } });
    await until(() => person.ended.includes('c-late'));
    assert.deepEqual(
      person.parts(id).map(({ message }) => message),
      ['Lamp on.'],
    );
  });

  it('give the first answer again to a repeated request, and act on it once', async () => {
    await load(modules, flow());
    await listening();
    const seen = arrivals('seen');
    const id = await person.ask('hi', 'c-1');
    await until(() => answered(id));
    await person.ask('hi', 'c-1', id);
    await until(() => person.parts(id).length === 2);
    assert.equal(person.parts(id)[1]?.message, 'You said: hi');
    await until(() => person.ended.filter((ended) => ended === 'c-1').length === 2);
    const own = person.order.filter((line) => line.startsWith(id) || line === 'ended c-1');
    assert.deepEqual(own, [`${id} 1!`, 'ended c-1', `${id} 1!`, 'ended c-1']);
    assert.equal(requests(seen).length, 1);
  });

  it('survive 1,000 bad messages, answer what can be answered, and the next good request at once', async () => {
    await load(modules, flow());
    await listening();
    const seen = arrivals('seen');
    const type = 'es.nachobrito.amica.domain.model.message.payload.UserRequest';
    const envelope = (id: string, payloadType = type) => ({
      MESSAGE_ID: id,
      CONVERSATION_ID: `c-${id}`,
      PAYLOAD_TYPE: payloadType,
    });
    const good = '{"message":"hi"}';
    const bad: ((id: string) => [string | Buffer, Record<string, string>])[] = [
      (id) => ['{"message":', envelope(id)],
      (id) => [good, envelope(id, 'java.lang.String')],
      (id) => [good, { MESSAGE_ID: id }],
      () => [good, {}],
      (id) => ['', envelope(id)],
      (id) => [Buffer.from([0xff, 0x00, 0xc3]), envelope(id)],
      (id) => ['{"message":"a\\u0007b"}', envelope(id)],
      (id) => [`{"message":${'['.repeat(5_000)}`, envelope(id)],
      (id) => ['"just text"', envelope(id)],
      () => [good, envelope('a/+/#')],
    ];
    const ids = Array.from({ length: 1_000 }, () => randomUUID());
    await person.send(`{"message":"${'x'.repeat(2 ** 20)}"}`, envelope('one-mebibyte'));
    await Promise.all(ids.map((id, index) => person.send(...(bad[index % bad.length] as (typeof bad)[0])(id))));
    const next = await person.ask('still there?');
    await until(() => answered(next));
    assert.equal(person.parts(next)[0]?.message, 'You said: still there?');
    const [first = ''] = ids;
    await until(() => ['one-mebibyte', first].every((id) => person.ended.includes(`c-${id}`)));
    assert.ok(answered('one-mebibyte') && answered(first));
    assert.match(person.parts('one-mebibyte')[0]?.message ?? '', /larger than 256 kilobytes/);
    assert.deepEqual(
      requests(seen).map((message) => message.payload),
      ['still there?'],
    );
  });

  it('answer in words when the flow never does, at the end of the time and at the end of the run', async () => {
    const clock = fakeClock();
    await load(modules, flow([], { replySeconds: 20 }));
    await listening();
    useClock(clock);
    const seen = arrivals('seen');
    const [first, second] = [await person.ask('silence 1', 'c-1'), await person.ask('silence 2', 'c-2')];
    await until(() => requests(seen).length === 2);
    runFeed.ended({ run: 'r', owner: 'x', request: { id: second, via: 'amica' }, outcome: 'failed' });
    await clock.advance(10_000);
    await until(() => person.ended.includes('c-2'));
    assert.match(person.parts(second)[0]?.message ?? '', /went wrong/);
    assert.equal(person.parts(first).length, 0);
    await clock.advance(20_000);
    await until(() => person.ended.includes('c-1'));
    assert.match(person.parts(first)[0]?.message ?? '', /took too long/);
    assert.ok(person.parts(first)[0]?.isComplete);
  });

  it('keep who waits open over deploys, and send the answer of what went on', async () => {
    await load(modules, flow());
    await listening();
    for (const kind of ['full', 'flows', 'nodes'] as const) {
      const seen = arrivals('seen');
      const id = await person.ask('silence please', `c-${kind}`);
      await until(() => requests(seen).length === 1);
      await deploy(flow([], { name: kind }), kind);
      await listening();
      assert.deepEqual(person.parts(id), []);
      const moot = { v: 1 as const, conversation: `c-${kind}`, request: { id, via: 'amica' as const } };
      node('out').receive({ payload: 'done after all', moot: { ...moot, outcome: 'done' } });
      await until(() => person.ended.includes(`c-${kind}`));
      assert.deepEqual(
        person.parts(id).map(({ message }) => message),
        ['done after all'],
      );
    }
    const id = randomUUID();
    const moot = { v: 1 as const, conversation: 'c-crash', request: { id, via: 'amica' as const } };
    node('out').receive({ payload: 'asked before a crash', moot: { ...moot, outcome: 'done' } });
    await until(() => person.ended.includes('c-crash'));
    assert.deepEqual(
      person.parts(id).map((part) => [part.message, part.isComplete]),
      [['asked before a crash', true]],
    );
  });

  it('answer who waits when they are stopped', async () => {
    await load(modules, flow());
    await listening();
    const seen = arrivals('seen');
    const id = await person.ask('silence please', 'c-stop');
    await until(() => requests(seen).length === 1);
    await unload();
    await until(() => person.ended.includes('c-stop'));
    assert.match(person.parts(id)[0]?.message ?? '', /being stopped/);
  });

  it('leave one client at the broker after 20 deploys while it was down, and none when they are gone', async () => {
    await load(modules, flow());
    await listening();
    await person.close();
    await broker.kill();
    for (let n = 0; n < 20; n += 1) await deploy(flow([], { name: `n${n}` }), n % 2 ? 'full' : 'nodes');
    await broker.restart();
    person = await amicaClient(broker.url);
    await listening();
    /** Read from the system's table, which can miss a line while connections come and go. */
    const clientsBecome = async (count: number) => {
      const end = Date.now() + 3_000;
      while ((await broker.clients()) !== count && Date.now() < end) await settle();
      assert.equal(await broker.clients(), count);
    };
    await clientsBecome(2);
    await unload();
    await clientsBecome(1);
  });

  it('give requests to one bus in node only, and say so', async () => {
    await load(
      modules,
      flow([{ id: 'in2', type: 'folkmoot-bus-in', mode: 'requests', backbone: 'b', wires: [['f']] }]),
    );
    const warned = ['in', 'in2'].map((id) => {
      const texts: string[] = [];
      const emitter = node(id) as unknown as EventEmitter;
      emitter.on('call:warn', (call: { args: [string] }) => texts.push(`${id}: ${call.args[0]}`));
      return texts;
    });
    await listening();
    await until(() => warned.flat().length > 0);
    assert.deepEqual(warned.flat(), [
      'in2: Another bus in node takes the requests of these connections already; this one gets none.',
    ]);
    const seen = arrivals('seen');
    const id = await person.ask('once');
    await until(() => person.ended.length > 0 && answered(id));
    // Whatever a second node did with it would be here before the answer to the next.
    const next = await person.ask('next');
    await until(() => answered(next));
    assert.equal(person.parts(id).length, 1);
    assert.deepEqual(
      requests(seen).map(({ payload }) => payload),
      ['once', 'next'],
    );
  });
});
