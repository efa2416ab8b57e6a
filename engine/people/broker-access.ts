/** Who may do what on a broker, read from a flow: the access list and password file that mosquitto understands. */
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { agentIdFrom } from '../agent/agent-id.ts';
import { amicaTopics, ourTopics } from '../bus/topics.ts';
import { flowTopics } from './flow-topics.ts';
import { text, type RunningNode } from './running-nodes.ts';

export interface BrokerUser {
  readonly name: string;
  /** One line: whom it is for. */
  readonly purpose: string;
  readonly rules: readonly AccessRule[];
  /** What can't be known of it, a line each. */
  readonly unknown?: readonly string[];
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

const rule = (access: AccessRule['access'], pattern: string): AccessRule => ({ access, pattern });
const own = 'folkmoot/v1';
/** `ourTopics` writes the id of one; this is any. */
const any = (topic: (id: string) => string): string => topic('-').replace('/-', '/+');

/**
 * The home's connection, one user for people, one for who looks on, and one for each agent and tool, here or elsewhere, so
 * that each can live alone.
 */
export function accessOf(nodes: readonly RunningNode[], options: AccessOptions): BrokerAccess {
  const { uses, unknown, notes } = flowTopics(nodes);
  const devices = [...uses, ...options.topics.map((topic) => rule('readwrite', topic))];
  const home = homeUser(options.home, devices, unknown);
  const standing = [home, peopleUser, watchUser];
  const names = new Set(standing.map(({ name }) => name));
  const found = othersOf(nodes);
  const users = merged([...standing, ...found.users.filter(({ name }) => !names.has(name))]);
  const taken = found.users.filter(({ name }) => names.has(name));
  const all = [
    ...notes,
    ...unknown.map((name) => unknownTopic(name, options.topics)),
    ...found.notes,
    ...taken.map(({ name }) => `"${name}" is the name of another user already: give that agent or tool another id.`),
  ];
  return { users, notes: [...new Set(all)] };
}

const unknownTopic = (name: string, topics: readonly string[]): string =>
  `"${name}" takes its topic from messages: ${
    topics.length ? `it has to be among those given (${topics.join(', ')}).` : 'name it with --topic.'
  }`;

/** One user of each name, with all that those of its name may do, and one rule for each topic. */
function merged(users: readonly BrokerUser[]): BrokerUser[] {
  const byName = new Map<string, BrokerUser>();
  for (const user of users) {
    const known = byName.get(user.name);
    byName.set(user.name, { ...user, ...known, rules: mergedRules([...(known?.rules ?? []), ...user.rules]) });
  }
  return [...byName.values()];
}

function mergedRules(rules: readonly AccessRule[]): AccessRule[] {
  const byPattern = new Map<string, AccessRule>();
  for (const { access, pattern } of rules) {
    const known = byPattern.get(pattern);
    byPattern.set(pattern, rule(known && known.access !== access ? 'readwrite' : access, pattern));
  }
  return [...byPattern.values()];
}

/** Ids on the broker, as its topics have them. */
const idPattern = /^[A-Za-z0-9._-]{1,128}$/;

/** The agents and tools of the flow that are, or could be, programs of their own. */
function othersOf(nodes: readonly RunningNode[]): Pick<BrokerAccess, 'users' | 'notes'> {
  const users: BrokerUser[] = [];
  const notes: string[] = [];
  for (const node of nodes) {
    const isRemote = node.type === 'folkmoot-remote-agent';
    if (!isRemote && node.type !== 'folkmoot-agent') continue;
    const name = text(node['name']);
    const isTool = isRemote && node['kind'] === 'tool';
    const isBroadcast = isRemote && !isTool && node['mode'] === 'amica';
    // A remote agent's name is this house's own word for it: on the broker it is known by its id.
    const given = text(node[isRemote ? 'remoteId' : 'agentId']);
    const id = given || (name && (!isRemote || isBroadcast) ? agentIdFrom(name) : '');
    if (isBroadcast) users.push(broadcastUser(idPattern.test(id) ? id : 'amica-agents'));
    else if (idPattern.test(id))
      users.push(isTool ? toolUser(id) : { ...agentUser(id), ...(isRemote ? { unknown: elsewhere } : {}) });
    else notes.push(`"${name || node.type}" has no id, so there is no user for it.`);
  }
  return { users: users.sort((a, b) => a.name.localeCompare(b.name)), notes };
}

const homeUser = (name: string, devices: readonly AccessRule[], unknown: readonly string[]): BrokerUser => ({
  name,
  purpose: `the home itself; ${own}/# are its cards, asks, calls of tools, answers, presence, events, boards, control and counters`,
  rules: mergedRules([
    rule('readwrite', amicaTopics.requests),
    rule('readwrite', amicaTopics.replies('+')),
    rule('readwrite', amicaTopics.events),
    rule('readwrite', `${own}/#`),
    ...devices,
  ]),
  unknown: unknown.map((node) => `topic readwrite TOPICS OF "${node}", which come with its messages`),
});

/** They ask, also homes for boards and teams, and hear answers; nothing else. */
const peopleUser: BrokerUser = {
  name: 'people',
  purpose: 'whoever asks, such as "folkmoot chat"',
  rules: [
    rule('write', amicaTopics.requests),
    rule('read', amicaTopics.replies('+')),
    rule('read', amicaTopics.events),
    rule('read', any(ourTopics.presence)),
    rule('write', any(ourTopics.homeAsk)),
    rule('read', any(ourTopics.answers)),
  ],
};

/** It hears all that others say, and asks homes whom they know; it can not ask for anything to be done. */
const watchUser: BrokerUser = {
  name: 'watch',
  purpose: 'whoever looks on: "folkmoot watch" and "folkmoot agents"',
  rules: [
    rule('read', amicaTopics.requests),
    rule('read', amicaTopics.replies('+')),
    rule('read', amicaTopics.events),
    rule('read', `${own}/#`),
    rule('write', any(ourTopics.registry)),
    rule('readwrite', any(ourTopics.answers)),
  ],
};

/** Names of the users that every list has besides the home. */
export const standingUsers: readonly string[] = [peopleUser.name, watchUser.name];

const elsewhere = [
  `topic readwrite ${own}/presence/PROCESS, if it shows a presence under another name`,
  `topic write TOPIC, for response topics of other programs that ask it, outside of ${own}/answers`,
];

/** It shows its card, is asked on its own topic and answers; it can neither ask people's houses nor reach a device. */
const agentUser = (agentId: string): BrokerUser => ({
  name: agentId,
  purpose: 'this agent, where it runs as a program of its own',
  rules: [
    rule('readwrite', ourTopics.agent(agentId)),
    rule('read', ourTopics.agentAsk(agentId)),
    rule('write', any(ourTopics.answers)),
    rule('readwrite', ourTopics.presence(agentId)),
  ],
});

/** As an agent, with a tool's card and calls. */
const toolUser = (toolId: string): BrokerUser => ({
  name: toolId,
  purpose: 'this tool, which runs as a program of its own',
  rules: [
    rule('readwrite', ourTopics.tool(toolId)),
    rule('read', ourTopics.toolCall(toolId)),
    rule('write', any(ourTopics.answers)),
    rule('readwrite', ourTopics.presence(toolId)),
  ],
  unknown: elsewhere,
});

/** It hears every request, and answers as A.M.I.C.A.'s agents do. */
const broadcastUser = (name: string): BrokerUser => ({
  name,
  purpose: 'who answers a broadcast, such as an agent of A.M.I.C.A.',
  rules: [
    rule('read', amicaTopics.requests),
    rule('write', amicaTopics.replies('+')),
    rule('readwrite', amicaTopics.events),
  ],
});

/** The file for mosquitto's `acl_file`. */
export const accessFile = ({ users, notes }: BrokerAccess): string =>
  [
    '# Who may do what, for mosquitto: "acl_file" in its configuration names this file.',
    '# Whoever is not listed may do nothing. Lines that begin with "# topic" are not known here: fill them in as needed.',
    ...notes.map((note) => `# Note: ${oneLine(note)}`),
    ...users.flatMap(({ name, purpose, rules, unknown = [] }) => [
      '',
      `# ${oneLine(purpose)}`,
      `user ${oneLine(name)}`,
      ...rules.map(({ access, pattern }) => `topic ${access} ${oneLine(pattern)}`),
      ...unknown.map((line) => `# ${oneLine(line)}`),
    ]),
    '',
    '# Devices, and programs that speak for them, need users of their own, such as:',
    '# user devices',
    '# topic readwrite zigbee2mqtt/#',
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
