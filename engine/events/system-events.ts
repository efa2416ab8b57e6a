/**
 * What happens on a bus, as events: A.M.I.C.A.'s system events and who is there. Whatever else comes on their topics is
 * counted and dropped (row 25): it reaches nobody and breaks nothing.
 */
import { readAmica } from '../bus/amica.ts';
import type { Bus, BusMessage, Handover, Subscription } from '../bus/bus.ts';
import { createOurMessages } from '../bus/our-message.ts';
import type { OurMessages } from '../bus/our-message.ts';
import { amicaTopics, ourPatterns } from '../bus/topics.ts';
import type { Clock } from '../clock.ts';
import { createBadReports } from '../conversation/intake-reports.ts';
import type { BadReports } from '../conversation/intake-reports.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { EventRecord } from '../moot.ts';

/** `ConversationEnded`: A.M.I.C.A.'s event. `Presence`: a process came or went. */
export const systemEventKinds = ['ConversationEnded', 'Presence'] as const;
export type SystemEventKind = (typeof systemEventKinds)[number];

export interface SystemEvent {
  readonly record: EventRecord;
  /** In words, for a team. */
  readonly sentence: string;
  /** What was published. */
  readonly payload: unknown;
  readonly topic: string;
  /** It happened before anybody listened. */
  readonly isRetained: boolean;
}

export interface HearOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** Only their topics are subscribed. */
  readonly kinds: readonly SystemEventKind[];
  readonly hear: (event: SystemEvent) => void;
  /** Gets a FOLKMOOT_MESSAGE_INVALID, once a minute for each kind. */
  readonly report: (problem: Error) => void;
}

/** Throws FOLKMOOT_BAD_SETTING for a name that is no kind of system event. */
export function checkedEventKinds(names: readonly unknown[]): readonly SystemEventKind[] {
  const known: readonly unknown[] = systemEventKinds;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return systemEventKinds.filter((kind) => names.includes(kind));
  const what = `"${unknown.map(String).join('", "')}" is no system event; there are ${systemEventKinds.join(', ')}.`;
  throw folkmootError('FOLKMOOT_BAD_SETTING', what);
}

/** Resolves when the subscriptions stand. Throws FOLKMOOT_BUS_REFUSED; then none stays. */
export async function hearSystemEvents(options: HearOptions): Promise<Subscription> {
  const { bus, kinds, hear } = options;
  const reports = createBadReports(options);
  const ours = createOurMessages(options);
  const isRepeat = createRepeats();
  const isNews = createNews();
  const standing: Subscription[] = [];
  const close = async (handover?: Handover) => {
    reports.close();
    ours.close();
    await Promise.all(standing.splice(0).map((one) => one.close(handover)));
  };
  const patterns: Readonly<
    Record<SystemEventKind, readonly [string, (message: BusMessage) => SystemEvent | undefined]>
  > = {
    ConversationEnded: [amicaTopics.events, (message) => endedEvent(message, options.clock, reports, isRepeat)],
    Presence: [ourPatterns.presence, (message) => presenceEvent(message, ours, isNews)],
  };
  try {
    for (const kind of kinds) {
      const [pattern, read] = patterns[kind];
      const take = (message: BusMessage) => {
        const event = read(message);
        if (event) hear(event);
      };
      standing.push(await bus.subscribe(pattern, take));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

function endedEvent(
  message: BusMessage,
  clock: Clock,
  reports: BadReports,
  isRepeat: (id: string) => boolean,
): SystemEvent | undefined {
  const { topic, payload, retained } = message;
  const count = (reason: string, detail: string) => reports.count({ topic, reason, detail, payload });
  const reading = readAmica(message);
  if ('fault' in reading) return void count(reading.fault.reason, reading.fault.detail);
  const { message: read } = reading;
  if (read.kind !== 'ended') return void count('not an event', 'PAYLOAD_TYPE is of another kind of message.');
  if (retained) return void count('retained', 'Events must not be retained by the broker.');
  if (isRepeat(read.messageId)) return void count('repeated id', 'An event of this id came before.');
  const { endedConversation: value, messageId: id } = read;
  const time = new Date(clock.now()).toISOString();
  return {
    record: { source: 'amica', kind: 'ConversationEnded', value, time, id },
    sentence: 'a conversation has ended',
    payload: { conversationId: value },
    topic,
    isRetained: false,
  };
}

function presenceEvent(
  message: BusMessage,
  ours: OurMessages,
  isNews: (process: string, state: string) => boolean,
): SystemEvent | undefined {
  // Somebody took it away: nobody came or went by that.
  if (message.payload.length === 0) return undefined;
  const body = ours.read('presence', message);
  if (!body) return undefined;
  const { process, status, house, since } = body;
  if (!isNews(process, `${status} ${since}`)) return undefined;
  return {
    record: { source: process, kind: 'Presence', value: status, time: since },
    sentence: `a process of ${house} is ${status}`,
    payload: body,
    topic: message.topic,
    isRetained: message.retained,
  };
}

/** Delivered twice, it happened once. */
function createRepeats(): (id: string) => boolean {
  const seen = new Set<string>();
  return (id) => {
    if (seen.has(id)) return true;
    seen.add(id);
    const [oldest] = seen;
    if (seen.size > limits.systemEventMemory && oldest !== undefined) seen.delete(oldest);
    return false;
  };
}

/** What is retained comes again whenever somebody of this connection subscribes to it. */
function createNews(): (process: string, state: string) => boolean {
  const known = new Map<string, string>();
  return (process, state) => {
    if (known.get(process) === state) return false;
    known.delete(process);
    known.set(process, state);
    const [oldest] = known.keys();
    if (known.size > limits.systemEventMemory && oldest !== undefined) known.delete(oldest);
    return true;
  };
}
