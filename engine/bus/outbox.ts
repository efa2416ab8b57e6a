/**
 * What must not get lost on its way out: kept, in order, until it came back from the broker over a subscription of our
 * own. A connection that is lost sends all of it again, with the same id (`OUTBOX_ID`), by which receivers know what they
 * have already. What only the broker acknowledged is counted as maybe lost; nothing is given up without being counted.
 */
import type { Clock, Timer } from '../clock.ts';
import { asError, folkmootError, isFolkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import { connectedAnew } from './bus.ts';
import type { Bus, Outgoing } from './bus.ts';
import type { BusMetrics } from './metrics.ts';
import { createEchoes, outboxProperty } from './outbox-echoes.ts';
import { createOutboxList } from './outbox-list.ts';
import type { OutboxEntry, OutboxList } from './outbox-list.ts';
import type { OutboxShelf } from './outbox-shelf.ts';
import { checkSize, checkTopic } from './topics.ts';

/** A connection that stands and refuses is tried again after this time. */
const againMs = 250;

export interface OutboxOptions {
  /** Without an outbox. */
  readonly bus: Pick<Bus, 'publish' | 'subscribe' | 'state' | 'onState'>;
  readonly clock: Clock;
  readonly metrics: BusMetrics;
  /** Without it nothing outlives the process. */
  readonly shelf?: OutboxShelf | undefined;
  /** Most messages that wait. */
  readonly most: number;
  /** Older ones are given up. */
  readonly ageMs: number;
  readonly payloadBytes?: number;
  /** Gets what nobody waits for any more: once for each message that is given up. */
  readonly report: (problem: Error) => void;
}

export interface Outbox {
  /** As the bus's, for messages with `keep`. Throws FOLKMOOT_BUS_FULL, FOLKMOOT_LIMIT and what the broker refuses. */
  readonly publish: Bus['publish'];
  /** What is in the store stays there for the next process. */
  close(reason: Error): void;
}

/** Takes up what an earlier process left by itself. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { bus, clock, metrics, shelf } = options;
  const problem = (error: unknown) => options.report(asError(error));
  const list = createOutboxList({ ...options, problem });
  const echoes = createEchoes(bus, async (id) => list.arrived(id));
  const gate = createGate(options);
  const sender = createSender(options, list, echoes, gate);
  let closed: Error | undefined;

  const check = (topic: string, { payload }: Outgoing) => {
    if (closed) throw closed;
    checkTopic(topic);
    checkSize(topic, payload, options.payloadBytes ?? limits.busPayloadBytes);
    const full = list.full(payload.length);
    if (!full) return;
    metrics.lost(topic, 'full');
    throw folkmootError('FOLKMOOT_BUS_FULL', `${full} Nothing was sent to "${topic}".`);
  };
  const load = async () => {
    const left = (await shelf?.load().catch(problem)) ?? [];
    if (closed) return;
    list.first(left);
    gate.loaded();
    sender.pump();
  };
  void load();
  const stop = gate.watch(sender.pump, () => list.lostConnection());

  return {
    async publish(topic, message, signal) {
      signal?.throwIfAborted();
      check(topic, message);
      if (message.onlyNow) return sender.once(topic, message, signal);
      const entry = list.add({ id: newId(), topic, message, at: clock.now() }, signal);
      sender.pump();
      await entry.settled;
    },
    close(reason) {
      closed = reason;
      stop();
      echoes.close();
      list.close(reason);
    },
  };
}

interface Gate {
  readonly isOpen: boolean;
  loaded(): void;
  /** Gives what ends it. */
  watch(opened: () => void, lost: () => void): () => void;
}

/** When something may be sent: what an earlier process left is read, the connection stands, and others are back too. */
function createGate({ bus, clock }: OutboxOptions): Gate {
  let isLoaded = false;
  let wasUp = false;
  let settling: Timer | undefined;
  return {
    get isOpen() {
      return isLoaded && !settling && bus.state === 'up';
    },
    loaded: () => void (isLoaded = true),
    watch(opened, lost) {
      const settled = () => {
        settling = undefined;
        opened();
      };
      const clear = () => {
        clock.clearTimer(settling);
        settling = undefined;
      };
      const stop = bus.onState((state, reason) => {
        clear();
        if (state !== 'up') return lost();
        if (wasUp && reason === connectedAnew) settling = clock.setTimer(settled, limits.outboxSettleMs);
        wasUp = true;
        if (!settling) opened();
      });
      return () => {
        stop();
        clear();
      };
    },
  };
}

interface Sender {
  /** Sends what waits, as far as the connection takes it. */
  readonly pump: () => void;
  once(topic: string, message: Outgoing, signal?: AbortSignal): Promise<void>;
}

function createSender(
  { bus, clock, metrics, ageMs, report }: OutboxOptions,
  list: OutboxList,
  echoes: ReturnType<typeof createEchoes>,
  gate: Gate,
): Sender {
  const pace = createPace(clock);
  const problem = (error: unknown) => report(asError(error));
  let isPumping = false;
  let inFlight = 0;

  const marked = ({ keep, ...message }: Outgoing, id: string): Outgoing => ({
    ...message,
    // The outbox repeats it; the bus must not.
    onlyNow: keep !== undefined,
    properties: { ...message.properties, [outboxProperty]: id },
  });
  const failed = (entry: OutboxEntry, error: unknown) => {
    const mayGoOn = isFolkmootError(error, 'FOLKMOOT_BUS_LOST') || isFolkmootError(error, 'FOLKMOOT_BUS_FULL');
    if (!mayGoOn) return list.giveUp(entry, 'refused', asError(error));
    list.again(entry);
    // The next connection begins by itself; this is for one that stands and can't take it now.
    clock.setTimer(pump, againMs);
  };
  const dispatch = (entry: OutboxEntry, isHeard: boolean) => {
    if (entry.tries >= limits.outboxTries) {
      const what = `The connection to the broker broke ${entry.tries} times over a message to "${entry.topic}".`;
      return list.giveUp(entry, 'too many tries', folkmootError('FOLKMOOT_BUS_REFUSED', what));
    }
    inFlight += 1;
    const attempt = list.sending(entry);
    const ended = (then: () => void) => {
      inFlight -= 1;
      // A loss of the connection may have begun it anew meanwhile.
      if (list.isSending(entry, attempt)) then();
    };
    bus.publish(entry.topic, marked(entry.message, entry.id)).then(
      () => {
        metrics.countOut(entry.topic);
        ended(() => list.acknowledged(entry, isHeard));
        pump();
      },
      (error: unknown) => ended(() => failed(entry, error)),
    );
  };
  const prepared = async (entry: OutboxEntry) => {
    await entry.stored;
    const pauseMs = pace();
    if (pauseMs > 0) await new Promise<void>((resolve) => clock.setTimer(resolve, pauseMs));
    return echoes.listen(entry.topic);
  };
  const pump = () => void send().catch(problem);
  const send = async () => {
    if (isPumping) return;
    isPumping = true;
    for (;;) {
      list.giveUpOlderThan(ageMs);
      const entry = gate.isOpen && inFlight < limits.outboxInFlight ? list.next() : undefined;
      if (!entry) break;
      const isHeard = await prepared(entry);
      if (list.isWaiting(entry) && gate.isOpen) dispatch(entry, isHeard);
    }
    isPumping = false;
  };
  return {
    pump,
    async once(topic, message, signal) {
      const id = newId();
      const isHeard = bus.state === 'up' && (await echoes.listen(topic));
      const hasComeBack = list.expect(id);
      let isBack = false;
      try {
        await bus.publish(topic, marked(message, id), signal);
      } finally {
        isBack = hasComeBack();
      }
      metrics.countOut(topic);
      if (!isBack) list.watch({ id, topic, message, at: clock.now() }, isHeard);
    },
  };
}

/** After an outage, what waited leaves at a rate that others on the broker can bear. Gives how long to pause. */
function createPace(clock: Clock): () => number {
  const burst = limits.outboxPerSecond / 10;
  let left = burst;
  let at = clock.now();
  return () => {
    const now = clock.now();
    // A clock that is set back must not stop everything.
    left = Math.min(burst, left + (Math.max(0, now - at) * limits.outboxPerSecond) / 1000);
    at = now;
    left -= 1;
    return left >= 0 ? 0 : (-left * 1000) / limits.outboxPerSecond;
  };
}
