/** Who may ask, over a real broker: whoever is not listed is refused in words and counted, and the flow hears nothing. */
import assert from 'node:assert/strict';
import mqtt from 'mqtt';
import type { MetricsBody } from '../../engine/bus/watch-schemas.ts';
import { amicaTopics, ourTopics } from '../../engine/bus/topics.ts';
import { amicaClient, type AmicaClient } from '../../test/amica-client.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { arrivals, core, load, onTab, settle, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import backbone from '../backbone/backbone.ts';
import busOut from '../bus-out/bus-out.ts';
import busIn from './bus-in.ts';

const modules = [backbone, busIn, busOut, ...core('function')] as never[];
const classes = 'es.nachobrito.amica.domain.model.message.payload';

describe('a house that only some may ask', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let person: AmicaClient;
  let watcher: mqtt.MqttClient;
  let counts: MetricsBody | undefined;
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
    watcher = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
    watcher.on('message', (_, payload) => (counts = JSON.parse(payload.toString()) as MetricsBody));
    await watcher.subscribeAsync(ourTopics.metrics);
  });
  afterEach(async () => {
    await unload();
    await Promise.all([person.close(), watcher.endAsync(true)]);
  });

  it('answers who is listed, and refuses, answers and counts all others', async () => {
    const func = 'msg.payload = "Done."; msg.moot.outcome = "done"; return msg;';
    await load(modules, [
      {
        ...{ id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:' },
        allowedSenders: 'ana\nkitchen-agent',
      },
      ...onTab([
        { id: 'in', type: 'folkmoot-bus-in', mode: 'requests', backbone: 'b', wires: [['f', 'seen']] },
        { id: 'f', type: 'function', func, outputs: 1, wires: [['out']] },
        { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', wires: [] },
        { id: 'seen', type: 'helper', wires: [] },
      ]),
    ]);
    const complete = (id: string) => person.parts(id).filter(({ isComplete }) => isComplete);
    const hellos: string[] = [];
    while (!hellos.some((id) => complete(id).length > 0)) {
      hellos.push(await person.ask('hello'));
      await settle();
    }
    const seen = arrivals('seen');
    const say = async (id: string, userName: string | undefined, more: Record<string, string> = {}) => {
      const body = { dateTime: new Date().toISOString(), ...(userName ? { userName } : {}), message: 'open the door' };
      await person.send(JSON.stringify(body), {
        ...{ MESSAGE_ID: id, CONVERSATION_ID: `c-${id}`, PAYLOAD_TYPE: `${classes}.UserRequest`, ...more },
      });
      await until(() => complete(id).length > 0);
      return complete(id).map(({ message }) => message);
    };
    const refusal = ['Sorry, you are not among those who may ask here.'];
    for (const [id, name] of [
      ['r-eve', 'eve'],
      ['r-Ana', 'Ana'],
      ['r-none', undefined],
    ] as const) {
      assert.deepEqual(await say(id, name), refusal, String(name));
      await until(() => person.ended.includes(`c-${id}`));
    }
    assert.deepEqual(await say('r-agent', 'eve', { AGENT_ID: 'another-agent' }), refusal);
    assert.deepEqual(await say('r-listed', 'eve', { AGENT_ID: 'kitchen-agent' }), ['Done.']);
    assert.deepEqual(await say('r-ana', 'ana'), ['Done.']);
    assert.deepEqual(
      seen.filter(({ payload }) => payload === 'open the door').map(({ moot }) => moot?.request?.id),
      ['r-listed', 'r-ana'],
    );
    await until(() => (counts?.topics[amicaTopics.requests]?.refusedSenders ?? 0) === 4, 5_000);
  });
});
