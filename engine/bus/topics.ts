/** Topics: MQTT's rules for names and patterns, A.M.I.C.A.'s three (seed-contracts.md A2) and ours (contracts.md 5). */
import { folkmootError } from '../errors.ts';

/** A.M.I.C.A.'s name of a topic → what is on the wire: `a.b.c` → `/a/b/c`. One that begins with `/` stays. */
export const toMqttTopic = (name: string): string => (name.startsWith('/') ? name : `/${name.replaceAll('.', '/')}`);

/** The other way: `/a/b/c` → `a.b.c`. A topic without a leading `/` stays. */
export const fromMqttTopic = (topic: string): string =>
  topic.startsWith('/') ? topic.slice(1).replaceAll('/', '.') : topic;

export const amicaTopics = {
  requests: toMqttTopic('es.nachobrito.amica.user.request.v1'),
  events: toMqttTopic('es.nachobrito.amica.system.event.v1'),
  /** One topic per request, named by the request's MESSAGE_ID. */
  replies: (requestId: string): string => `/es/nachobrito/amica/replies/${requestId}`,
} as const;

/** Nothing but its own messages may be published there: its agents go deaf by what they don't know (seed-contracts.md A10). */
export const isAmicaTopic = (topic: string): boolean => topic.startsWith('/es/nachobrito/amica/');

/** Throws FOLKMOOT_BUS_REFUSED for a topic that is not for a flow's own messages. */
export function checkOwnTopic(topic: string): void {
  checkTopic(topic);
  if (!isAmicaTopic(topic)) return;
  throw folkmootError(
    'FOLKMOOT_BUS_REFUSED',
    `"${topic}" belongs to A.M.I.C.A., whose agents read nothing else there.`,
  );
}

/** Ours, all under `folkmoot/v1/`. An id is one level: what would break a topic is written as `%2F`, `%2B`, `%23`. */
export const ourTopics = {
  presence: (process: string): string => `folkmoot/v1/presence/${level(process)}`,
  agent: (agentId: string): string => `folkmoot/v1/agents/${level(agentId)}`,
  agentAsk: (agentId: string): string => `folkmoot/v1/agents/${level(agentId)}/ask`,
  tool: (toolId: string): string => `folkmoot/v1/tools/${level(toolId)}`,
  toolCall: (toolId: string): string => `folkmoot/v1/tools/${level(toolId)}/call`,
  runEvents: (run: string): string => `folkmoot/v1/runs/${level(run)}/events`,
  boardChanges: (conversation: string): string => `folkmoot/v1/boards/${level(conversation)}/changes`,
  approval: (id: string): string => `folkmoot/v1/approvals/${level(id)}`,
  approvalAnswer: (id: string): string => `folkmoot/v1/approvals/${level(id)}/answer`,
  control: 'folkmoot/v1/control',
  metrics: 'folkmoot/v1/metrics',
  /** Who asks there is told whom that process knows. */
  registry: (process: string): string => `folkmoot/v1/registry/${level(process)}`,
  /** What a home is asked that is no agent's matter: boards, and who is in its team. */
  homeAsk: (house: string): string => `folkmoot/v1/homes/${level(house)}/ask`,
  /** Where answers to one process's requests arrive; told apart by correlation. */
  answers: (process: string): string => `folkmoot/v1/answers/${level(process)}`,
} as const;

/** To subscribe to all of a kind. */
export const ourPatterns = {
  presence: 'folkmoot/v1/presence/+',
  agents: 'folkmoot/v1/agents/+',
  tools: 'folkmoot/v1/tools/+',
  runs: 'folkmoot/v1/runs/+/events',
  boards: 'folkmoot/v1/boards/+/changes',
} as const;

const escapes: Readonly<Record<string, string>> = { '/': '%2F', '+': '%2B', '#': '%23', '%': '%25' };
const level = (id: string): string => id.replace(/[/+#%]/g, (character) => escapes[character] ?? character);

/** Brokers differ beyond this; a deeper topic is a mistake. */
const topicLevels = 100;
const topicBytes = 65_535;

function commonFault(what: string, text: string): string | undefined {
  if (text === '') return `The ${what} is empty.`;
  if (text.includes('\u0000')) return `The ${what} has a zero character in it.`;
  if (Buffer.byteLength(text) > topicBytes) return `The ${what} is longer than ${topicBytes} bytes.`;
  if (text.split('/').length > topicLevels) return `The ${what} has more than ${topicLevels} levels.`;
  return undefined;
}

/** What is wrong with a topic to publish to, in words; nothing when it is right. */
export function topicFault(topic: string): string | undefined {
  const fault = commonFault('topic', topic);
  if (fault) return fault;
  return /[+#]/.test(topic) ? `The topic "${topic}" has a wildcard (+ or #) in it.` : undefined;
}

/** What is wrong with a pattern to subscribe to, in words; nothing when it is right. */
export function patternFault(pattern: string): string | undefined {
  const fault = commonFault('pattern', pattern);
  if (fault) return fault;
  const levels = pattern.split('/');
  const isWrong = levels.some(
    (part, index) =>
      (part.includes('+') && part !== '+') || (part.includes('#') && (part !== '#' || index < levels.length - 1)),
  );
  return isWrong ? `In "${pattern}" + must stand for a whole level, and # for the last one.` : undefined;
}

/** Throws FOLKMOOT_BUS_REFUSED for a topic that no broker takes. */
export function checkTopic(topic: string): void {
  const fault = topicFault(topic);
  if (fault) throw folkmootError('FOLKMOOT_BUS_REFUSED', fault);
}

/** Throws FOLKMOOT_BUS_REFUSED for a pattern that no broker takes. */
export function checkPattern(pattern: string): void {
  const fault = patternFault(pattern);
  if (fault) throw folkmootError('FOLKMOOT_BUS_REFUSED', fault);
}

/** MQTT's matching: `+` one level, `#` the rest and its parent; topics that begin with `$` need it said. */
export function topicMatches(pattern: string, topic: string): boolean {
  if (pattern === topic) return true;
  if (topic.startsWith('$') && /^[+#]/.test(pattern)) return false;
  const patternLevels = pattern.split('/');
  const levels = topic.split('/');
  for (const [index, part] of patternLevels.entries()) {
    if (part === '#') return true;
    if (index >= levels.length) return false;
    if (part !== '+' && part !== levels[index]) return false;
  }
  return patternLevels.length === levels.length;
}

/** Throws FOLKMOOT_LIMIT for a payload that is too large to send. */
export function checkSize(topic: string, payload: Uint8Array | string, most: number): void {
  const bytes = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
  if (bytes > most) {
    throw folkmootError('FOLKMOOT_LIMIT', `A message of ${bytes} bytes to "${topic}" is over the limit of ${most}.`);
  }
}
