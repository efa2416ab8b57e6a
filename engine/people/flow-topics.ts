/** Which topics of a broker the nodes of a flow use, besides those that every home uses. */
import { patternFault, topicFault } from '../bus/topics.ts';
import { text, type RunningNode } from './running-nodes.ts';
import { sentTopics } from './sent-topics.ts';

export interface TopicUse {
  readonly access: 'read' | 'write' | 'readwrite';
  readonly pattern: string;
}

export interface FlowTopics {
  readonly uses: readonly TopicUse[];
  /** Names of nodes whose topics, or not all of them, can be read from the flow. */
  readonly unknown: readonly string[];
  /** What is wrong, or not on this broker, a sentence each. */
  readonly notes: readonly string[];
}

export function flowTopics(nodes: readonly RunningNode[]): FlowTopics {
  const uses: TopicUse[] = [];
  const unknown: string[] = [];
  const notes: string[] = [];
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const places = new Set(nodes.flatMap((node) => (isOverMqtt(node) ? [placeOf(text(node['busUrl']))] : [])));
  for (const node of nodes) {
    const isIn = directions[node.type];
    if (isIn === undefined || (node.type.startsWith('folkmoot') && node['mode'] !== 'topic')) continue;
    const name = text(node['name']) || node.type;
    const elsewhere = whereElse(node, byId, places);
    if (elsewhere !== undefined) {
      notes.push(`"${name}" is not on this broker, but ${elsewhere}: it is left out.`);
      continue;
    }
    const { topics, areAll } = topicsOf(node, isIn, nodes);
    if (!areAll) unknown.push(name);
    for (const topic of topics) {
      const fault = (isIn || topic.includes('+') ? patternFault : topicFault)(topic);
      if (fault) notes.push(`"${name}": ${fault}`);
      // What we publish is heard again, so that nothing gets lost unseen.
      else uses.push({ access: isIn ? 'read' : 'readwrite', pattern: topic });
    }
  }
  uses.push(...toldByBrokers(nodes, byId, places));
  return { uses, unknown: [...new Set(unknown)], notes: [...new Set(notes)] };
}

/** Whether a node hears or sends. */
const directions: Readonly<Record<string, boolean>> = {
  'mqtt in': true,
  'mqtt out': false,
  'folkmoot-bus-in': true,
  'folkmoot-bus-out': false,
};

function topicsOf(node: RunningNode, isIn: boolean, nodes: readonly RunningNode[]) {
  // Those who share a subscription need the right to its topic.
  const topic = text(node['topic']).replace(/^\$share\/[^/]+\//, '');
  // A node that is told what to listen to keeps the topic of the time before.
  const isTold = node.type === 'mqtt in' && Number(node['inputs']) === 1;
  if (topic !== '' && !isTold && !isVariable(topic)) return { topics: [topic], areAll: true };
  return isIn || isVariable(topic) ? { topics: [], areAll: false } : sentTopics(node, nodes);
}

/** Of an environment variable that nobody sets here. */
const isVariable = (value: string): boolean => /^\$[{(]/.test(value);

const isOverMqtt = ({ type, bus, busUrl }: RunningNode): boolean =>
  type === 'folkmoot-backbone' && bus === 'mqtt' && text(busUrl) !== '';

/** In words, where a node's messages go when that isn't the home's broker; nothing when it is, or can't be known. */
function whereElse(
  node: RunningNode,
  byId: ReadonlyMap<string, RunningNode>,
  places: ReadonlySet<string>,
): string | undefined {
  if (node.type.startsWith('folkmoot')) {
    const backbone = byId.get(text(node['backbone']));
    if (!backbone || isOverMqtt(backbone)) return undefined;
    return text(backbone['busUrl']) ? 'on a Valkey server' : 'within Node-RED';
  }
  const broker = byId.get(text(node['broker']));
  const place = broker ? brokerPlace(broker) : '';
  const canTell = places.size > 0 && [place, ...places].every((one) => one !== '' && !isVariable(one));
  return canTell && !places.has(place) ? `on ${place}` : undefined;
}

function brokerPlace(broker: RunningNode): string {
  const host = text(broker['broker']);
  return host.includes('://') || isVariable(host)
    ? placeOf(host)
    : placeOf(`mqtt://${host}:${text(broker['port']) || 1883}`);
}

/** Host and port, as far as an address tells them. */
function placeOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, hostname, port } = new URL(address);
  return `${hostname === 'localhost' ? '127.0.0.1' : hostname}:${port || (protocol === 'mqtts:' ? 8883 : 1883)}`;
}

/** What connections to a broker tell when they come and go. */
function toldByBrokers(
  nodes: readonly RunningNode[],
  byId: ReadonlyMap<string, RunningNode>,
  places: ReadonlySet<string>,
): TopicUse[] {
  const used = nodes.filter(({ type }) => type === 'mqtt in' || type === 'mqtt out');
  const here = used.filter((node) => whereElse(node, byId, places) === undefined);
  const brokers = new Set(here.flatMap((node) => byId.get(text(node['broker'])) ?? []));
  return [...brokers].flatMap((broker) =>
    ['birthTopic', 'closeTopic', 'willTopic'].flatMap((name): TopicUse[] => {
      const topic = text(broker[name]);
      return topic && !isVariable(topic) && !topicFault(topic) ? [{ access: 'write', pattern: topic }] : [];
    }),
  );
}
