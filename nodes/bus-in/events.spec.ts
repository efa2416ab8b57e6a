/** What happens on the connections, as messages: conversations that end, processes that come and go. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import mqtt, { type MqttClient } from 'mqtt';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { arrivals, load, node, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import backbone from '../backbone/backbone.ts';
import busOut from '../bus-out/bus-out.ts';
import busIn from './bus-in.ts';

const events = '/es/nachobrito/amica/system/event/v1';
const classes = 'es.nachobrito.amica.domain.model.message.payload';

describe('bus in for what happens', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let client: MqttClient;
  before(async () => {
    broker = await startMosquitto();
    await startServer();
    client = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
  });
  after(async () => {
    await client.endAsync(true);
    await stopServer();
    await broker.stop();
  });
  afterEach(unload);

  const flow = (mode: string) => [
    { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:', house: 'test' },
    ...onTab([
      { id: 'in', type: 'folkmoot-bus-in', mode, backbone: 'b', wires: [['seen']] },
      { id: 'seen', type: 'helper', wires: [] },
    ]),
  ];
  /** Said again until it is heard: nobody tells from outside when a subscription stands. */
  const untilHeard = async (publish: () => Promise<unknown>, heard: () => boolean) => {
    for (let tries = 0; tries < 200 && !heard(); tries += 1) {
      await publish();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.ok(heard());
  };
  const ended = (conversationId: string, type = `${classes}.ConversationEnded`, id: string = randomUUID()) =>
    client.publishAsync(events, JSON.stringify({ conversationId }), {
      qos: 1,
      properties: { userProperties: { MESSAGE_ID: id, CONVERSATION_ID: randomUUID(), PAYLOAD_TYPE: type } },
    });

  it('brings each end of a conversation once, by the payload’s id (row 13)', async () => {
    await load([backbone, busIn] as never[], flow('events'));
    const seen = arrivals('seen');
    await untilHeard(
      () => ended('first'),
      () => seen.length > 0,
    );
    const id = randomUUID();
    await ended('second', undefined, id);
    await ended('second', undefined, id);
    await ended('strange', 'com.example.Strange');
    await ended('third');
    await until(() => seen.some(({ moot }) => moot?.event?.[0]?.value === 'third'));
    const [message] = seen;
    assert.deepEqual([message?.payload, message?.topic], [{ conversationId: 'first' }, events]);
    const { source, kind, value } = message?.moot?.event?.[0] ?? {};
    assert.deepEqual([source, kind, value], ['amica', 'ConversationEnded', 'first']);
    const values = seen.map(({ moot }) => moot?.event?.[0]?.value).filter((told) => told !== 'first');
    assert.deepEqual(values, ['second', 'third']);
    const { args } = (node('in') as unknown as { warn: { args: unknown[][] } }).warn;
    assert.ok(args.some(([said]) => String(said).includes('unknown payload type')));
  });

  it('brings the ends that a bus out node tells', async () => {
    const out = { id: 'out', type: 'folkmoot-bus-out', mode: 'events', backbone: 'b', wires: [], z: 'f' };
    await load([backbone, busIn, busOut] as never[], [...flow('events'), out]);
    const seen = arrivals('seen');
    await untilHeard(
      () => Promise.resolve(node('out').receive({ moot: { v: 1, conversation: 'of the flow' } })),
      () => seen.length > 0,
    );
    assert.deepEqual(seen[0]?.payload, { conversationId: 'of the flow' });
  });

  it('brings who is there and who goes, and drops what is in no right form', async () => {
    const topic = 'folkmoot/v1/presence/pi-kitchen';
    const body = (status: string) =>
      JSON.stringify({ v: 1, process: 'pi-kitchen', house: 'kitchen', status, since: '2026-03-04T05:06:07.000Z' });
    await client.publishAsync(topic, body('online'), { qos: 1, retain: true });
    await load([backbone, busIn] as never[], flow('presence'));
    const seen = arrivals('seen');
    const own = () => seen.filter(({ topic: of }) => of === topic);
    await until(() => own().length > 0);
    assert.equal(own()[0]?.['retain'], true);
    await client.publishAsync(topic, '{"v":1,"status":"maybe"}', { qos: 1 });
    await client.publishAsync(topic, 'no JSON', { qos: 1 });
    await client.publishAsync(topic, body('offline'), { qos: 1 });
    await until(() => own().length > 1);
    assert.deepEqual(
      own().map(({ payload, moot }) => [(payload as { status: string }).status, moot?.event?.[0]?.value]),
      [
        ['online', 'online'],
        ['offline', 'offline'],
      ],
    );
    await client.publishAsync(topic, '', { qos: 1, retain: true });
  });
});
