/** What comes on a broker as one line for people, and of which kind it is. Text of others can't write on the terminal. */
import { readAmica } from '../../engine/bus/amica.ts';
import type { BusMessage } from '../../engine/bus/bus.ts';
import { readOur, type OurKind } from '../../engine/bus/our-message.ts';
import type { ControlBody } from '../../engine/bus/watch-schemas.ts';
import { limits } from '../../engine/limits.ts';
import { amicaTopics, ourPatterns, ourTopics, topicMatches } from '../../engine/bus/topics.ts';

/** What may be watched, and its topics. */
export const watchKinds = {
  people: [amicaTopics.requests, amicaTopics.replies('+'), amicaTopics.events],
  runs: [ourPatterns.runs],
  boards: [ourPatterns.boards],
  presence: [ourPatterns.presence],
  agents: [ourPatterns.agents],
  tools: [ourPatterns.tools],
  control: [ourTopics.control],
  metrics: [ourTopics.metrics],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type WatchKind = keyof typeof watchKinds;

/** Counters come every second; whoever wants them asks for them. */
export const usualKinds = (Object.keys(watchKinds) as WatchKind[]).filter((kind) => kind !== 'metrics');

export interface Watched {
  readonly kind: WatchKind;
  /** In words; absent: it has nothing to tell. */
  readonly text?: string;
  /** Why homes pass it over, in words. */
  readonly dropped?: string;
  readonly run?: string;
}

const longest = 300;
const plain = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
};
const short = (id: string): string => plain(id).slice(0, 8);
const joined = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' ');

export function kindOf(topic: string): WatchKind | undefined {
  return (Object.keys(watchKinds) as WatchKind[]).find((kind) =>
    watchKinds[kind].some((pattern) => topicMatches(pattern, topic)),
  );
}

/** Nothing for a topic that isn't watched. */
export function watchedOf(message: BusMessage): Watched | undefined {
  const kind = kindOf(message.topic);
  if (!kind) return undefined;
  const dropped = dropOf(kind, message);
  if (dropped !== undefined) return { kind, dropped, text: `dropped: ${dropped}` };
  const told = tellers[kind](message);
  return told === undefined ? { kind } : { kind, ...(typeof told === 'string' ? { text: told } : told) };
}

/** What each kind has to be; A.M.I.C.A.'s topics are for many programs. */
const forms: Readonly<Partial<Record<WatchKind, OurKind>>> = {
  ...{ runs: 'runEvent', boards: 'boardChange', presence: 'presence', agents: 'card', tools: 'tool' },
  ...{ control: 'control', metrics: 'metrics' },
};

/** As homes read it; an empty message takes back what was retained. */
function dropOf(kind: WatchKind, message: BusMessage): string | undefined {
  const form = forms[kind];
  if (!form || message.payload.length === 0) return undefined;
  const reading = readOur(form, message);
  if ('fault' in reading) {
    const on = `on ${plain(message.topic)}`;
    // Of what is no JSON, only that is told.
    return reading.fault === 'wrong field' ? `${plain(reading.detail)} (${on})` : `${reading.fault} (${on})`;
  }
  const isAhead = form === 'control' && aheadMs(reading.body as ControlBody) > limits.controlAheadMs;
  return isAhead ? `its "since" is more than ${limits.controlAheadMs / 60_000} minutes ahead` : undefined;
}

const aheadMs = ({ since }: ControlBody): number => Date.parse(since) - Date.now();

type Told = string | { readonly text: string; readonly run: string } | undefined;

const tellers: Readonly<Record<WatchKind, (message: BusMessage) => Told>> = {
  people(message) {
    const reading = readAmica(message);
    if ('fault' in reading) return undefined;
    const read = reading.message;
    if (read.kind === 'request') return `${plain(read.userName ?? 'somebody')} asks: ${plain(read.message)}`;
    if (read.kind === 'ended') return `conversation ${short(read.endedConversation)} has ended`;
    const who = plain(read.agentId ?? 'an agent');
    return `${who} answers${read.isComplete ? '' : ` (part ${read.sequence})`}: ${plain(read.message)}`;
  },
  runs(message) {
    const reading = readOur('runEvent', message);
    if (!('body' in reading)) return undefined;
    const { run, kind, step, agent, data } = reading.body;
    return { run, text: joined(`run ${short(run)}`, kind, step && plain(step), agent && plain(agent), wordsOf(data)) };
  },
  boards(message) {
    const reading = readOur('boardChange', message);
    if (!('body' in reading)) return undefined;
    const { body } = reading;
    const what =
      body.kind === 'mutation'
        ? `${plain(body.mutation.function)} ${plain(body.mutation.parameters)}`
        : body.kind === 'message'
          ? `${body.message.role}: ${plain(body.message.text)}`
          : '';
    return joined(`board ${short(body.conversation)}`, `#${body.revision}`, body.kind, what);
  },
  presence(message) {
    if (message.payload.length === 0) return `${lastOf(message.topic)} is forgotten`;
    const reading = readOur('presence', message);
    if (!('body' in reading)) return undefined;
    return `${plain(reading.body.process)} of ${plain(reading.body.house)} is ${reading.body.status}`;
  },
  agents(message) {
    if (message.payload.length === 0) return `agent ${lastOf(message.topic)} is taken away`;
    const reading = readOur('card', message);
    return 'body' in reading
      ? joined(`agent ${plain(reading.body.agentId)}:`, plain(reading.body.description ?? reading.body.name))
      : undefined;
  },
  tools(message) {
    if (message.payload.length === 0) return `tool ${lastOf(message.topic)} is taken away`;
    const reading = readOur('tool', message);
    return 'body' in reading ? `tool ${plain(reading.body.toolId)}: ${plain(reading.body.purpose)}` : undefined;
  },
  control(message) {
    const reading = readOur('control', message);
    if (!('body' in reading)) return undefined;
    const { paused, shadow, by } = reading.body;
    return joined(paused ? 'paused' : 'going on', shadow ? 'in shadow' : '', `by ${plain(by)}`);
  },
  metrics(message) {
    const reading = readOur('metrics', message);
    if (!('body' in reading)) return undefined;
    const { process, topics, outbox } = reading.body;
    const all = Object.values(topics);
    const sum = (count: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + count(one), 0);
    const dropped = sum((one) => Object.values(one.dropped).reduce((total, count) => total + count, 0));
    const counts = `in ${sum((one) => one.in)}, out ${sum((one) => one.out)}, dropped ${dropped}`;
    return `${plain(process)}: ${counts}, waiting ${outbox.waiting}, maybe lost ${outbox.maybeLost}`;
  },
};

const lastOf = (topic: string): string => plain(topic.split('/').at(-1) ?? topic);

/** What an event says in words, where it has any. */
function wordsOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return plain(data);
  const { outcome, reason, text, payload, message, state, prompt } = data as Record<string, unknown>;
  const parts = [outcome, reason, state, text ?? payload ?? message ?? prompt];
  return parts
    .filter((part) => typeof part === 'string' && part !== '')
    .map(plain)
    .join(' ');
}
