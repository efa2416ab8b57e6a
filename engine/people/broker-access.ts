/** Who may do what on a broker, read from a flow: the access list and password file that mosquitto understands. */
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { amicaTopics, ourTopics, patternFault, topicFault } from '../bus/topics.ts';
import { agentIdFrom, agentIdPattern } from '../agent/agent-id.ts';

/** A node as a flow file holds it. */
export type FlowNode = Readonly<Record<string, unknown>> & { readonly type: string };

export interface BrokerUser {
  readonly name: string;
  /** One line: whom it is for. */
  readonly purpose: string;
  readonly rules: readonly AccessRule[];
}

export interface AccessRule {
  readonly access: 'read' | 'write' | 'readwrite';
  readonly pattern: string;
}

export interface BrokerAccess {
  readonly users: readonly BrokerUser[];
  /** What could not be read from the flow, a sentence each. */
  readonly notes: readonly string[];
}

export interface AccessOptions {
  /** Name of the home's own connection. */
  readonly home: string;
  /** Topics of devices that nodes take from messages. */
  readonly topics: readonly string[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const rule = (access: AccessRule['access'], pattern: string): AccessRule => ({ access, pattern });
const own = 'folkmoot/v1';

/** The home's connection, one user for people and one for each agent, here or elsewhere, so that each can live alone. */
export function accessOf(nodes: readonly FlowNode[], options: AccessOptions): BrokerAccess {
  const notes: string[] = [];
  const home = new Map<string, AccessRule>();
  const add = (access: AccessRule['access'], pattern: string) => {
    const known = home.get(pattern);
    home.set(pattern, rule(known && known.access !== access ? 'readwrite' : access, pattern));
  };
  for (const node of nodes) {
    const found = topicOf(node);
    if (!found) continue;
    const name = text(node['name']) || node.type;
    const fault = found.topic === '' ? undefined : (found.isIn ? patternFault : topicFault)(found.topic);
    if (fault) notes.push(`"${name}": ${fault}`);
    else if (found.topic === '') notes.push(unknownTopic(name, options.topics));
    // What we publish is heard again, so that nothing gets lost unseen.
    else add(found.isIn ? 'read' : 'readwrite', found.topic);
  }
  for (const topic of options.topics) add('readwrite', topic);
  return {
    users: [homeUser(options.home, [...home.values()]), peopleUser, ...agentIds(nodes).map(agentUser)],
    notes: [...new Set(notes)],
  };
}

const unknownTopic = (name: string, topics: readonly string[]): string =>
  `"${name}" takes its topic from messages: ${
    topics.length ? `it has to be among those given (${topics.join(', ')}).` : 'name it with --topic.'
  }`;

/** The topic of a node that uses a broker; blank: it comes with each message. */
function topicOf(node: FlowNode): { readonly topic: string; readonly isIn: boolean } | undefined {
  if (node['d'] === true) return undefined;
  const topic = text(node['topic']);
  const isTopic = node['mode'] === 'topic';
  switch (node.type) {
    case 'mqtt in':
      return { topic, isIn: true };
    case 'mqtt out':
      return { topic, isIn: false };
    case 'folkmoot-bus-in':
      return isTopic ? { topic, isIn: true } : undefined;
    case 'folkmoot-bus-out':
      return isTopic ? { topic, isIn: false } : undefined;
    default:
      return undefined;
  }
}

function agentIds(nodes: readonly FlowNode[]): string[] {
  const ids = nodes.flatMap((node) => {
    const isAgent = node.type === 'folkmoot-agent' || node.type === 'folkmoot-remote-agent';
    if (!isAgent || node['d'] === true) return [];
    const id =
      text(node['agentId']) || text(node['remoteId']) || (text(node['name']) ? agentIdFrom(text(node['name'])) : '');
    return agentIdPattern.test(id) ? [id] : [];
  });
  return [...new Set(ids)].sort();
}

const homeUser = (name: string, devices: readonly AccessRule[]): BrokerUser => ({
  name,
  purpose: 'the home itself',
  rules: [
    rule('readwrite', amicaTopics.requests),
    rule('readwrite', amicaTopics.replies('+')),
    rule('readwrite', amicaTopics.events),
    rule('readwrite', `${own}/#`),
    ...devices,
  ],
});

/** They ask, and hear answers; nothing else. */
const peopleUser: BrokerUser = {
  name: 'people',
  purpose: 'whoever asks, such as "folkmoot chat"',
  rules: [
    rule('write', amicaTopics.requests),
    rule('read', amicaTopics.replies('+')),
    rule('read', amicaTopics.events),
  ],
};

/** It shows its card, is asked on its own topic and answers; it can neither ask people's houses nor reach a device. */
const agentUser = (agentId: string): BrokerUser => ({
  name: agentId,
  purpose: 'this agent, where it runs as a program of its own',
  rules: [
    rule('readwrite', ourTopics.agent(agentId)),
    rule('read', ourTopics.agentAsk(agentId)),
    rule('write', ourTopics.answers('+').replace('%2B', '+')),
    rule('readwrite', ourTopics.presence(agentId)),
  ],
});

/** The file for mosquitto's `acl_file`. */
export const accessFile = ({ users, notes }: BrokerAccess): string =>
  [
    '# Who may do what, for mosquitto: "acl_file" in its configuration names this file.',
    '# Whoever is not listed may do nothing.',
    ...notes.map((note) => `# Note: ${oneLine(note)}`),
    ...users.flatMap(({ name, purpose, rules }) => [
      '',
      `# ${oneLine(purpose)}`,
      `user ${oneLine(name)}`,
      ...rules.map(({ access, pattern }) => `topic ${access} ${oneLine(pattern)}`),
    ]),
    '',
  ].join('\n');

const oneLine = (words: string): string => words.replace(/\p{Cc}+/gu, ' ');

/** 24 characters that are easy to type. */
export const newPassword = (): string => randomBytes(18).toString('base64url');

/** As `mosquitto_passwd` writes it: the file holds no password that could be read. */
const iterations = 101;

/** A line for mosquitto's `password_file`. */
export function passwordLine(name: string, password: string): string {
  const salt = randomBytes(12);
  const hash = pbkdf2Sync(password, salt, iterations, 64, 'sha512');
  return `${name}:$7$${iterations}$${salt.toString('base64')}$${hash.toString('base64')}`;
}
