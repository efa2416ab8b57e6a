/**
 * Control of a house (contracts.md 5): paused and shadow, by whom and since when. The store is the truth; the broker's
 * retained message is only how others hear of it. Of two, the newer one counts.
 */
import type { Bus, BusMessage, Subscription } from '../bus/bus.ts';
import type { OurMessages } from '../bus/our-message.ts';
import { createRetained } from '../bus/retained.ts';
import { senderOf, senderProperties, type Sender } from '../bus/our-properties.ts';
import { ourTopics } from '../bus/topics.ts';
import type { ControlBody } from '../bus/watch-schemas.ts';
import type { Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import { limits } from '../limits.ts';
import { answerTopicFault, refusedAnswer } from '../registry/answering.ts';
import { tagged } from '../store/keys.ts';
import { storeUp } from '../store/store-up.ts';
import type { Store } from '../store/store.ts';
import { nameOf, type Senders } from './senders.ts';
import { readVersioned } from '../store/versioned.ts';

export type ControlState = ControlBody;

export interface Control {
  /** Nothing was ever set: neither paused nor shadow. */
  readonly state: ControlState | undefined;
  readonly isPaused: boolean;
  /** Everything is decided and told, and nothing leaves for devices. */
  readonly isShadow: boolean;
  /** Resolves when the store's is known and others are heard; never rejects. */
  readonly ready: Promise<void>;
  /** Kept, and told to all. */
  set(change: Partial<Pick<ControlState, 'paused' | 'shadow'>>, by: string): Promise<void>;
  onChange(listener: (state: ControlState) => void): () => void;
  close(): Promise<void>;
}

export interface ControlOptions {
  readonly bus: Bus;
  readonly store: Store;
  readonly house: string;
  readonly clock: Clock;
  readonly messages: OurMessages;
  /** Who may pause, by user properties; absent: everybody. */
  readonly senders?: Senders;
  /** Written on what is told. */
  readonly sender?: Sender;
  readonly report: (problem: Error) => void;
}

/** To whoever sent a message just now and names where an answer goes: `folkmoot pause` tells by it what each home does. */
function answerTo(message: BusMessage, body: object, { bus, sender = {} }: ControlOptions): Promise<void> {
  const { retained, responseTopic = '', correlation = '' } = message;
  if (retained || answerTopicFault(responseTopic)) return Promise.resolve();
  const payload = JSON.stringify({ v: 1, ...body });
  return bus.publish(responseTopic, { payload, correlation, properties: senderProperties(sender), onlyNow: true });
}

interface ControlRecord extends ControlState {
  readonly v: 1;
}

export function createControl(options: ControlOptions): Control {
  const { bus, store, house, clock, messages, senders, sender = {}, report } = options;
  const key = tagged(house, 'control');
  const listeners = new Set<(state: ControlState) => void>();
  const problem = (error: unknown) => report(asError(error));
  const retained = createRetained(bus, problem);
  let state: ControlState | undefined;
  let subscription: Subscription | undefined;
  const closing = new AbortController();
  const agedOf = ({ since }: ControlState) => Date.parse(since);

  const adopt = async (next: ControlState, isOurs: boolean) => {
    state = next;
    for (const listener of [...listeners]) listener(next);
    // What came from others is told again after the next connect as well: a killed broker forgets it.
    if (isOurs || bus.state === 'up') retained.set(ourTopics.control, JSON.stringify(next), senderProperties(sender));
    await loaded;
    // The store's own may have been newer.
    if (state === next) await store.put(key, { v: 1, ...next } satisfies ControlRecord);
  };
  const drop = (message: BusMessage, reason: string, detail: string) => {
    messages.drop('control', message, reason, detail);
    answerTo(message, refusedAnswer(detail), options).catch(problem);
  };
  const hear = async (message: BusMessage) => {
    // Taken away by somebody: it is still so here.
    if (message.payload.length === 0) return retained.again(ourTopics.control);
    const body = messages.read('control', message, (detail) => {
      messages.paced(
        () => void answerTo(message, refusedAnswer(detail, 'FOLKMOOT_MESSAGE_INVALID'), options).catch(problem),
      );
    });
    if (!body) return;
    const from = senderOf(message.properties);
    if (senders?.allows(from) === false && (sender.process === undefined || from.process !== sender.process)) {
      return drop(message, 'not allowed', `It comes from ${nameOf(from)}, who may not ask here.`);
    }
    const { paused, shadow, by, since } = body;
    const next = { paused, shadow, by, since };
    if (agedOf(next) > clock.now() + limits.controlAheadMs) {
      return drop(
        message,
        'from the future',
        `It says that it is of ${since}, which is more than ten minutes ahead of the clock here.`,
      );
    }
    const isOlder = state && agedOf(next) < agedOf(state);
    if (isOlder) retained.again(ourTopics.control);
    const adopted = !state || agedOf(next) > agedOf(state) ? adopt(next, false) : undefined;
    answerTo(message, { status: 'answered', payload: state }, options).catch(problem);
    await adopted;
  };
  /** A store that is away at the start is asked when it is there. */
  const load = async () => {
    if (!(await storeUp(store, closing.signal))) return;
    const record = await store.get<ControlRecord>(key);
    if (!record) return;
    const { v: _, ...kept } = readVersioned(record, 1);
    if (state && agedOf(kept) <= agedOf(state)) return;
    state = kept;
    for (const listener of [...listeners]) listener(kept);
    retained.set(ourTopics.control, JSON.stringify(kept), senderProperties(sender));
  };
  const listen = async () => {
    subscription = await bus.subscribe(ourTopics.control, (message) => void hear(message).catch(problem));
  };
  const loaded = load().catch(problem);
  const ready = Promise.all([loaded, listen().catch(problem)]).then(() => undefined);

  return {
    get state() {
      return state;
    },
    get isPaused() {
      return state?.paused === true;
    },
    get isShadow() {
      return state?.shadow === true;
    },
    ready,
    async set(change, by) {
      await ready;
      // Newer than what it takes the place of, also when two are set within one millisecond.
      const since = new Date(Math.max(clock.now(), state ? agedOf(state) + 1 : 0)).toISOString();
      const { paused = false, shadow = false } = { ...state, ...change };
      await adopt({ paused, shadow, by, since }, true);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      closing.abort();
      await ready;
      await subscription?.close();
      await retained.settled();
      retained.close();
    },
  };
}
