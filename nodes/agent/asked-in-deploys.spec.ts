/** What comes over a broker while flows are deployed: asks of other houses, what people ask agents, topics and events. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import mqtt, { type MqttClient } from 'mqtt';
import { amicaClient, type AmicaClient } from '../../test/amica-client.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { deploy, load, onTab, startServer, stopServer, unload, until, type FlowNode } from '../../test/red/red.ts';
import { agent, config, modules as team } from '../../test/red/team-flow.ts';
import busIn from '../bus-in/bus-in.ts';
import { defineNode } from '../shared/define-node.ts';
import { text } from '../shared/fields.ts';
import type { Red } from '../shared/red.ts';

/** What arrived at whichever instance of a node. */
const arrived: unknown[] = [];
function actor(RED: Red): void {
  defineNode(RED, {
    type: 'test-actor',
    fields: { name: text() },
    start: () => ({ input: ({ payload }) => void arrived.push(payload) }),
  });
}

const modules = [...(team as readonly unknown[]), busIn, actor] as never[];
const kinds = ['nodes', 'full', 'flows', 'nodes', 'full', 'flows'] as const;
const count = 40;
const everyMs = 15;

describe('around deploys', function () {
  this.timeout(60_000);
  let broker: TestBroker;
  let client: MqttClient;
  let person: AmicaClient;
  before(async () => {
    broker = await startMosquitto();
    await startServer();
    client = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
    person = await amicaClient(broker.url);
  });
  after(async () => {
    await client.endAsync();
    await person.close();
    await stopServer();
    await broker.stop();
  });
  beforeEach(() => void arrived.splice(0));
  afterEach(unload);

  /** The note changes each of the nodes. */
  const flow = (note: string, nodes: readonly FlowNode[]): FlowNode[] => [
    { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:', house: 'north' },
    ...config(),
    ...onTab([...nodes.map((one) => ({ ...one, info: note })), { id: 'actor', type: 'test-actor', wires: [] }]),
  ];
  const lights = (more: object = {}) => agent('lights', 'lights', ['category:lights'], { backbone: 'b', ...more });
  /** Says one thing after the other, and deploys all the while. */
  const underDeploys = async (nodes: readonly FlowNode[], say: (n: number) => Promise<unknown>) => {
    const deployed = (async () => {
      for (const [n, kind] of kinds.entries()) {
        await pause((count * everyMs) / (kinds.length + 1));
        await deploy(flow(`change ${n}`, nodes), kind);
      }
    })();
    for (let n = 0; n < count; n += 1) {
      await say(n);
      await pause(everyMs);
    }
    await deployed;
  };
  const untilIs = async (topic: string) => {
    await client.subscribeAsync(topic, { qos: 1 });
    await new Promise<void>((resolve) => {
      client.on('message', (of) => of === topic && resolve());
    });
  };

  it('every ask of another house is answered, and none is cut off', async () => {
    const answers = new Map<string, { status: string; payload: unknown }>();
    const answerTopic = `spec/${randomUUID()}`;
    const nodes = [lights()];
    await load(modules, flow('', nodes));
    await untilIs('folkmoot/v1/agents/lights');
    await client.subscribeAsync(answerTopic, { qos: 1 });
    client.on('message', (topic, payload, { properties }) => {
      if (topic !== answerTopic) return;
      answers.set(String(properties?.correlationData), JSON.parse(payload.toString()) as never);
    });
    await underDeploys(nodes, (n) =>
      client.publishAsync(
        'folkmoot/v1/agents/lights/ask',
        JSON.stringify({ v: 1, kind: 'step', payload: 'turn the kitchen light on' }),
        { qos: 1, properties: { responseTopic: answerTopic, correlationData: Buffer.from(`${n}`) } },
      ),
    );
    await until(() => answers.size === count, 15_000);
    assert.deepEqual(new Set([...answers.values()].map(({ status }) => status)), new Set(['answered']));
  });

  it('everything arrives that comes on a topic, once, and what is retained for each that is made anew', async () => {
    const topic = `spec/${randomUUID()}`;
    const listener = { id: 'in', type: 'folkmoot-bus-in', mode: 'topic', topic, backbone: 'b', wires: [['actor']] };
    await client.publishAsync(topic, 'kept', { qos: 1, retain: true });
    await load(modules, flow('', [listener]));
    await until(() => arrived.includes('kept'));
    await underDeploys([listener], (n) => client.publishAsync(topic, `${n}`, { qos: 1 }));
    const said = () => arrived.filter((payload) => payload !== 'kept');
    await until(() => said().length >= count);
    assert.deepEqual(
      said().map(Number),
      Array.from({ length: count }, (_, n) => n),
    );
    assert.equal(arrived.length - count, 1 + kinds.length);
    await client.publishAsync(topic, '', { qos: 1, retain: true });
  });

  it('an agent by flag answers what people ask, and hears each event', async () => {
    const nodes = [
      lights({ listensToRequests: true }),
      agent('minutes', 'minutes', [], {
        ...{ backbone: 'b', listensToEvents: ['ConversationEnded'], wires: [['actor'], ['actor'], [], []] },
        overlap: 'parallel',
      }),
    ];
    await load(modules, flow('', nodes));
    await untilIs('folkmoot/v1/agents/minutes');
    const ids: string[] = [];
    const first = await person.ask('turn the kitchen light on');
    await until(() => person.parts(first).length > 0);
    await until(() => arrived.length > 0);
    await underDeploys(nodes, async () => {
      const conversation = randomUUID();
      ids.push(await person.ask('turn the kitchen light on', conversation));
    });
    const complete = (id: string) => person.parts(id).filter(({ isComplete }) => isComplete);
    await until(() => ids.every((id) => complete(id).length > 0), 15_000);
    assert.deepEqual(new Set(ids.map((id) => complete(id).length)), new Set([1]));
    // Each answer ends its conversation, and that is what the other agent is told.
    await until(() => arrived.length >= count + 1, 15_000);
    assert.equal(arrived.length, count + 1);
  });
});
