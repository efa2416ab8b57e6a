/**
 * Others that answer people's requests on the same broker: Java agents, other homes. A.M.I.C.A.'s command line shows
 * only who is first with a whole answer (seed-contracts.md A5), so while there are others, a reply that only declines
 * gives them time, and is left out when one of them answered.
 *
 * What it costs: one subscription to all reply topics for each process that takes requests. Each part of a reply on the
 * broker comes in once, ours included; two of its properties are looked at, its body never.
 */
import type { Sender } from '../bus/our-properties.ts';
import { senderOf } from '../bus/our-properties.ts';
import { amicaTypes } from '../bus/amica.ts';
import type { Bus, BusMessage, Subscription } from '../bus/bus.ts';
import { amicaTopics } from '../bus/topics.ts';
import type { Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import { hash } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Moot } from '../moot.ts';
import { tagged } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';

export interface ForeignRespondersOptions {
  readonly bus: Bus;
  readonly store: Store;
  readonly clock: Clock;
  readonly house: string;
  /** How our own replies are known: by `process`, and where a reply has none, by `agentId`. */
  readonly own: Sender;
  /** `auto` (default): once one was seen, for `limits.foreignResponderMs`. */
  readonly mode?: 'auto' | 'yes' | 'no';
  readonly report: (problem: Error) => void;
}

export interface ForeignResponders {
  /** Begins to look; a second call does nothing. Never rejects: without it nobody gives way. */
  start(): Promise<void>;
  /** There are others, or there were within a week. */
  readonly arePresent: boolean;
  /**
   * Gives others time to answer this request: true as soon as one did, false when nobody did or there are no others.
   * @param signal Ends the wait.
   */
  giveWay(requestId: string, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

interface SeenRecord {
  readonly v: 1;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The record is written so often at most. */
const writeEveryMs = 3_600_000;
/** Two homes that both decline shall not do so in the same moment: then each hears the other. */
const spreadMs = 500;

/**
 * Whether a result only declines or asks back: nothing was done, and another agent's answer would be the better one. Who
 * shows a plan knows what to do.
 */
export const isDecline = ({
  outcome,
  reason,
  mutations = [],
}: Pick<Moot, 'outcome' | 'reason' | 'mutations'>): boolean =>
  (outcome === 'refused' || (outcome === 'asked' && reason !== 'approval')) && mutations.length === 0;

export function createForeignResponders(options: ForeignRespondersOptions): ForeignResponders {
  const { bus, store, clock, own, mode = 'auto' } = options;
  const key = tagged(options.house, 'foreign-responders', '');
  const graceMs = limits.declineGraceMs + (parseInt(hash(own).slice(0, 6), 16) % spreadMs);
  const answered = new Set<string>();
  const waiting = new Map<string, Set<() => void>>();
  let seenAt: number | undefined;
  let writtenAt = -Infinity;
  let standing: Promise<Subscription | undefined> | undefined;
  const problem = (error: unknown) => void options.report(asError(error));

  const isOwn = ({ properties }: BusMessage): boolean => {
    const sender = senderOf(properties);
    return sender.process === undefined ? sender.agentId === own.agentId : sender.process === own.process;
  };
  const note = () => {
    seenAt = clock.now();
    if (seenAt - writtenAt < writeEveryMs) return;
    writtenAt = seenAt;
    const record: SeenRecord = { v: 1, at: seenAt };
    store.put(key, record, { expiresInMs: limits.foreignResponderMs }).catch(problem);
  };
  const receive = (message: BusMessage) => {
    // Retained ones are old, and what is no reply says nothing about who answers.
    if (message.retained || message.properties['PAYLOAD_TYPE'] !== amicaTypes.response || isOwn(message)) return;
    note();
    const id = message.topic.slice(message.topic.lastIndexOf('/') + 1);
    remember(answered, id);
    for (const tell of waiting.get(id) ?? []) tell();
  };
  const read = async () => {
    const record = await store.get<SeenRecord>(key);
    if (record) seenAt = Math.max(seenAt ?? 0, readVersioned(record, 1).at);
  };
  const begin = async (): Promise<Subscription | undefined> => {
    if (mode === 'auto') await read().catch(problem);
    return bus.subscribe(amicaTopics.replies('+'), receive).catch((error: unknown) => {
      problem(error);
      return undefined;
    });
  };
  const arePresent = () =>
    mode === 'yes' || (mode === 'auto' && seenAt !== undefined && clock.now() - seenAt < limits.foreignResponderMs);

  return {
    async start() {
      if (mode !== 'no') await (standing ??= begin());
    },
    get arePresent() {
      return arePresent();
    },
    async giveWay(requestId, signal) {
      if (answered.has(requestId)) return true;
      if (!arePresent() || signal.aborted) return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const onAnswer = () => resolve(true);
      const onEnd = () => resolve(false);
      const all = waiting.get(requestId) ?? new Set<() => void>();
      waiting.set(requestId, all.add(onAnswer));
      const timer = clock.setTimer(onEnd, graceMs);
      signal.addEventListener('abort', onEnd, { once: true });
      return promise.finally(() => {
        clock.clearTimer(timer);
        signal.removeEventListener('abort', onEnd);
        all.delete(onAnswer);
        if (all.size === 0) waiting.delete(requestId);
      });
    },
    async close() {
      const subscription = await standing;
      await subscription?.close();
    },
  };
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const oldest = ids.values().next().value;
  if (ids.size > limits.requestIdMemory && oldest !== undefined) ids.delete(oldest);
}
