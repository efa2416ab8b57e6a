/** An agent that others wrote, on the house's broker (docs/join.md): it waters plants, and takes its time. */
import { readFile } from 'node:fs/promises';
import { connectAsync } from 'mqtt';

const topic = 'folkmoot/v1/agents/greenhouse';
const card = { v: 1, agentId: 'greenhouse', name: 'Greenhouse', generates: ['WaterPlants'] };

export interface SlowAgent {
  /** What it was asked, each ask once, in order. */
  readonly asked: readonly string[];
  /** How often it was asked, also the same again. */
  readonly count: number;
  close(): Promise<void>;
}

interface Ask {
  readonly kind: string;
  readonly payload: string;
  readonly moot: { readonly ask: { readonly id: string } };
}

/** @param work Settles when the work on an ask is done. */
export async function startSlowAgent(broker: string, work: (prompt: string) => Promise<unknown>): Promise<SlowAgent> {
  const client = await connectAsync(broker, {
    protocolVersion: 5,
    will: { topic, payload: Buffer.alloc(0), qos: 1, retain: true },
  });
  const works = new Map<string, Promise<object>>();
  const asked: string[] = [];
  let count = 0;
  const answer = async (prompt: string): Promise<object> => {
    asked.push(prompt);
    await work(prompt);
    const bed = /tomatoes|herbs/.exec(prompt)?.[0];
    return { status: 'answered', payload: 'I do.', mutations: [{ function: 'WaterPlants', parameters: { bed } }] };
  };
  client.on('message', (_topic, message, { properties: { responseTopic, correlationData } = {} }) => {
    const { kind, payload, moot } = JSON.parse(message.toString()) as Ask;
    if (kind !== 'step' || !responseTopic || !correlationData) return;
    count += 1;
    const { id } = moot.ask;
    const known = works.get(id) ?? answer(payload);
    works.set(id, known);
    void known.then((said) =>
      client.publish(responseTopic, JSON.stringify(said), { qos: 1, properties: { correlationData } }),
    );
  });
  await client.subscribeAsync(`${topic}/ask`, { qos: 1 });
  await client.publishAsync(topic, JSON.stringify(card), { qos: 1, retain: true });
  return {
    asked,
    get count() {
      return count;
    },
    close: () => client.endAsync(true),
  };
}

type FlowNode = Record<string, unknown> & { id: string; wires: string[][] };

/** The starter home in which that agent is one of the team, and its pump is on `home/pump/set` (docs/two-pis.md). */
export async function flowWithSlowAgent(): Promise<FlowNode[]> {
  const shipped = new URL('../../flows/home.json', import.meta.url);
  const flow = JSON.parse(await readFile(shipped, 'utf8')) as FlowNode[];
  const nodeOf = (id: string): FlowNode => {
    const found = flow.find((node) => node.id === id);
    if (!found) throw new Error(`The starter home has no ${id}.`);
    return found;
  };
  delete nodeOf('homeremote000001')['d'];
  (nodeOf('homelanguage0001')['functions'] as object[]).push({
    name: 'WaterPlants',
    description: 'Water the plants of a bed',
    category: 'greenhouse',
    risk: 'reversible',
    effect: true,
    repeatable: false,
    synonyms: ['water'],
    sentence: 'watering the {bed}',
    parameters: [{ name: 'bed', type: 'string', required: true, allowedValues: ['tomatoes', 'herbs'] }],
  });
  const apply = nodeOf('homeapply0000001');
  const rows = apply['rows'] as object[];
  rows.push({ kind: 'function', target: 'WaterPlants', runWithoutAsking: false, waitMs: 300 });
  apply['outputs'] = rows.length;
  apply.wires.push(['homepump00000001']);
  const place = { z: apply['z'], x: 1_200, y: 600, wires: [] };
  const to = { mode: 'topic', topic: 'home/pump/set', backbone: 'homebackbone0001' };
  return [...flow, { id: 'homepump00000001', type: 'folkmoot-bus-out', ...to, ...place }];
}
