/** Two houses on one broker, as two connections nodes of one Node-RED, and programs that are no Folkmoot. */
import assert from 'node:assert/strict';
import mqtt, { type MqttClient } from 'mqtt';
import remoteAgentNode from '../../nodes/remote-agent/remote-agent.ts';
import { askRegistry } from '../../nodes/shared/process.ts';
import type { TestBroker } from '../broker.ts';
import { startMosquitto } from '../mosquitto.ts';
import { node, onTab, startServer, stopServer, unload, until, type FlowNode } from './red.ts';
import { agent, config, ends, modules as teamModules, router } from './team-flow.ts';

export const modules = [...teamModules, remoteAgentNode] as never[];

/** What came, and how it is answered; `more` are MQTT 5 properties. */
export type Answering = (
  body: {
    readonly kind?: string;
    readonly payload?: unknown;
    readonly arguments?: unknown;
    readonly id?: string;
    readonly conversation?: string;
    readonly moot?: Readonly<Record<string, unknown>>;
  },
  reply: (body: unknown, more?: object) => Promise<unknown>,
) => unknown;

export const remote = (more: object = {}): FlowNode => ({
  id: 'remote',
  type: 'folkmoot-remote-agent',
  name: 'Northern lights',
  backbone: 'bs',
  remoteId: 'lights',
  wires: [[], []],
  ...more,
});
export const northern = (more: object = {}): FlowNode =>
  agent('lights', 'lights', ['category:lights'], { backbone: 'bn', ...more });
export const southern = (more: object = {}): FlowNode => router(['remote'], { backbone: 'bs', ...more });
export const cardOf = (agentId: string, more: object = {}) => ({
  v: 1,
  agentId,
  name: agentId,
  generates: ['SetLight'],
  ...more,
});

export const statusOf = (id: string): string | undefined =>
  (node(id) as unknown as { status: { args: { text?: string }[][] } }).status.args.at(-1)?.[0]?.text?.split('.').at(-1);
export const isThere = (): Promise<void> => until(() => statusOf('remote') === 'connected');
export const say = (text: string, to = 'router'): void => node(to).receive({ payload: text, topic: 'home' });

export interface TwoHouses {
  readonly broker: () => TestBroker;
  /** @param north More settings of the northern connections. */
  flow(nodes: readonly FlowNode[], north?: object): FlowNode[];
  /** A program that knows nothing but its own card and the topic on which it is asked. Its last will is an empty card. */
  program(topic: string, askTopic: string, card: object, answer: Answering): Promise<MqttClient>;
}

/** Arranges a broker and a Node-RED for a suite. After each test nothing is open, connected or retained. */
export function twoHouses(): TwoHouses {
  let broker: TestBroker;
  let clients: MqttClient[] = [];
  before(async () => {
    broker = await startMosquitto();
    await startServer();
  });
  after(async () => {
    await stopServer();
    await broker.stop();
  });
  afterEach(async () => {
    await unload();
    for (const client of clients) await client.endAsync(true);
    clients = [];
    assert.equal(askRegistry.pending, 0);
    await forgetRetained(broker.url);
  });
  const backbone = (id: string, house: string, more: object = {}): FlowNode => {
    const bus = { bus: 'mqtt', busUrl: broker.url, storePath: ':memory:' };
    return { id, type: 'folkmoot-backbone', ...bus, house, ...more };
  };
  return {
    broker: () => broker,
    flow: (nodes, north = {}) => [
      backbone('bn', 'north', north),
      backbone('bs', 'south'),
      ...config(),
      ...onTab([...nodes, ...ends]),
    ],
    async program(topic, askTopic, card, answer) {
      const will = { topic, payload: Buffer.alloc(0), retain: true, qos: 1 as const };
      const client = await mqtt.connectAsync(broker.url, { protocolVersion: 5, will });
      clients.push(client);
      client.on('message', (_topic, payload, { properties }) => {
        const { responseTopic = '', correlationData } = properties ?? {};
        const reply = (body: unknown, more: object = {}) =>
          client.publishAsync(responseTopic, typeof body === 'string' ? body : JSON.stringify(body), {
            qos: 1,
            properties: { ...(correlationData ? { correlationData } : {}), ...more },
          });
        void answer(JSON.parse(payload.toString()) as object, reply);
      });
      await client.subscribeAsync(askTopic, { qos: 1 });
      await client.publishAsync(topic, JSON.stringify(card), { qos: 1, retain: true });
      return client;
    },
  };
}

async function forgetRetained(url: string): Promise<void> {
  const client = await mqtt.connectAsync(url, { protocolVersion: 5 });
  const topics: string[] = [];
  client.on('message', (topic, payload) => payload.length > 0 && topics.push(topic));
  await client.subscribeAsync('folkmoot/v1/#', { qos: 1 });
  await client.publishAsync('folkmoot/v1/fence', 'x', { qos: 1 });
  await until(() => topics.includes('folkmoot/v1/fence'));
  for (const topic of topics) await client.publishAsync(topic, '', { qos: 1, retain: true });
  await client.endAsync();
}
