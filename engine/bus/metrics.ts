/** What one backbone's bus carried, dropped and refused, by kind of topic: for a node's status and `folkmoot/v1/metrics`. */
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';

export interface TopicMetrics {
  readonly in: number;
  readonly out: number;
  /** By reason, such as `not JSON` or `too many waiting`. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Messages of those who may not speak there. */
  readonly refusedSenders: number;
  readonly lastError?: { readonly text: string; readonly at: string };
}

export interface OutboxMetrics {
  /** Messages that wait to be acknowledged, now. */
  readonly waiting: number;
  /** The broker took them, and nobody said that they arrived. */
  readonly maybeLost: number;
  /** Given up, by reason: `full`, `too old`, `refused`, … */
  readonly lost: Readonly<Record<string, number>>;
}

/** What control kept from happening: requests, asks and commands while paused, commands and tools in shadow. */
export interface HeldBackMetrics {
  readonly paused: number;
  readonly shadow: number;
}

/** Requests that routers with a first tier planned, by whom; and what the planner said to those that it was asked too. */
export interface PlannedMetrics {
  readonly firstTier: number;
  readonly planner: number;
  readonly checked: number;
  readonly agreed: number;
}

/** The body of `folkmoot/v1/metrics`, without who sends it. Counts begin with the connection. */
export interface MetricsSnapshot {
  readonly v: 1;
  /** By topic; ids in topics of ours and of A.M.I.C.A. are written as `+`. */
  readonly topics: Readonly<Record<string, TopicMetrics>>;
  readonly outbox: OutboxMetrics;
  readonly heldBack: HeldBackMetrics;
  readonly planned: PlannedMetrics;
}

export interface BusMetrics {
  countIn(topic: string): void;
  countOut(topic: string): void;
  dropped(topic: string, reason: string, count?: number): void;
  refusedSender(topic: string): void;
  failed(topic: string, text: string): void;
  outboxWaiting(count: number): void;
  maybeLost(topic: string): void;
  lost(topic: string, reason: string): void;
  heldBack(why: keyof HeldBackMetrics, count?: number): void;
  planned(what: keyof PlannedMetrics): void;
  snapshot(): MetricsSnapshot;
  /** Called after each change, in the same turn: whoever publishes it has to wait a little. */
  onChange(listener: () => void): () => void;
}

interface Counters {
  in: number;
  out: number;
  dropped: Map<string, number>;
  refusedSenders: number;
  lastError: { readonly text: string; readonly at: string } | undefined;
}

/** Topics and reasons beyond `limits.metricTopics` and `limits.metricReasons` are counted under this name. */
const others = 'others';

/** Topics that hold an id, as one kind each. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^(\/es\/nachobrito\/amica\/replies)\/.*$/, '$1/+'],
  [/^(folkmoot\/v1\/(?:presence|agents|tools|approvals|answers|runs|boards))\/[^/]+(\/.*)?$/, '$1/+$2'],
];

/** The kind of a topic: ids of one message, run or process are no topics of their own. */
export function topicKind(topic: string): string {
  const found = kinds.find(([form]) => form.test(topic));
  return (found ? topic.replace(...found) : topic).slice(0, limits.metricTopicChars);
}

export function createBusMetrics({ clock }: { readonly clock: Clock }): BusMetrics {
  const topics = new Map<string, Counters>();
  const lost = new Map<string, number>();
  const outbox = { waiting: 0, maybeLost: 0 };
  const heldBack = { paused: 0, shadow: 0 };
  const planned = { firstTier: 0, planner: 0, checked: 0, agreed: 0 };
  const listeners = new Set<() => void>();

  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  const at = (topic: string): Counters => {
    const kind = topicKind(topic);
    const name = topics.has(kind) || topics.size < limits.metricTopics ? kind : others;
    const known = topics.get(name);
    if (known) return known;
    const made = { in: 0, out: 0, dropped: new Map<string, number>(), refusedSenders: 0, lastError: undefined };
    topics.set(name, made);
    return made;
  };
  const add = (counts: Map<string, number>, reason: string, count = 1) => {
    const name = counts.has(reason) || counts.size < limits.metricReasons ? reason : others;
    counts.set(name, (counts.get(name) ?? 0) + count);
  };
  const change =
    <A extends unknown[]>(count: (...given: A) => void) =>
    (...given: A) => {
      count(...given);
      changed();
    };
  const failed = (topic: string, text: string) => {
    at(topic).lastError = { text: text.slice(0, limits.metricErrorChars), at: new Date(clock.now()).toISOString() };
  };

  return {
    countIn: change((topic: string) => void (at(topic).in += 1)),
    countOut: change((topic: string) => void (at(topic).out += 1)),
    dropped: change((topic: string, reason: string, count = 1) => add(at(topic).dropped, reason, count)),
    refusedSender: change((topic: string) => void (at(topic).refusedSenders += 1)),
    failed: change(failed),
    outboxWaiting: change((count: number) => void (outbox.waiting = count)),
    maybeLost: change(() => void (outbox.maybeLost += 1)),
    lost: change((topic: string, reason: string) => {
      add(lost, reason);
      failed(topic, `A message was given up: ${reason}.`);
    }),
    heldBack: change((why: keyof HeldBackMetrics, count = 1) => void (heldBack[why] += count)),
    planned: change((what: keyof PlannedMetrics) => void (planned[what] += 1)),
    snapshot: () => ({
      v: 1,
      topics: Object.fromEntries([...topics].map(([topic, counters]) => [topic, plain(counters)])),
      outbox: { ...outbox, lost: Object.fromEntries(lost) },
      heldBack: { ...heldBack },
      planned: { ...planned },
    }),
    onChange(listener) {
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

const plain = ({ dropped, lastError, ...counts }: Counters): TopicMetrics => ({
  ...counts,
  dropped: Object.fromEntries(dropped),
  ...(lastError ? { lastError } : {}),
});
