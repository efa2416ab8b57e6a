/** What waits to leave and what has left without an answer, in order and bounded, whatever carries it. */
import { folkmootError } from '../errors.ts';
import type { Bus, Outgoing } from './bus.ts';
import { checkSize, checkTopic } from './topics.ts';

export interface OutgoingQueueOptions {
  /** Most messages that wait or are not acknowledged yet. */
  readonly most: number;
  /** Largest payload in bytes. */
  readonly payloadBytes: number;
  /** Who takes them, for texts. */
  readonly to: 'broker' | 'server';
  /** Throws for a message that can't be sent at all. */
  readonly check?: ((topic: string, message: Outgoing) => void) | undefined;
  readonly isUp: () => boolean;
  /** Something waits: sends what may leave now. */
  readonly pump: () => void;
}

export interface QueuedMessage {
  readonly order: number;
  readonly topic: string;
  readonly message: Outgoing;
  /** Nobody waits for it any more. */
  readonly isEnded: () => boolean;
  /** Its second call does nothing. */
  readonly end: (error?: Error) => void;
}

export interface OutgoingQueue {
  readonly publish: Bus['publish'];
  /** Sent, and not answered yet. */
  readonly inFlight: ReadonlySet<QueuedMessage>;
  /** The next one that waits; it is in flight from then on. */
  next(): QueuedMessage | undefined;
  /** It was acknowledged, or not taken. */
  settle(entry: QueuedMessage, error?: Error): void;
  /** Back to its place in order, unless nobody waits for it any more. */
  again(entry: QueuedMessage): void;
  /** Ends those that wait and may leave only now. */
  dropOnlyNow(errorOf: (topic: string) => Error): void;
  /** Ends all with this error. */
  close(reason: Error): void;
}

export function createOutgoingQueue({
  most,
  payloadBytes,
  to,
  check,
  isUp,
  pump,
}: OutgoingQueueOptions): OutgoingQueue {
  let waiting: QueuedMessage[] = [];
  const inFlight = new Set<QueuedMessage>();
  let closed: Error | undefined;
  let count = 0;

  const enqueue = (topic: string, message: Outgoing, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        waiting = waiting.filter((other) => other !== entry);
        entry.end(signal?.reason as Error);
      };
      let isEnded = false;
      const entry: QueuedMessage = {
        ...{ order: ++count, topic, message },
        isEnded: () => isEnded,
        end: (error) => {
          isEnded = true;
          signal?.removeEventListener('abort', onAbort);
          if (error) reject(error);
          else resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(entry);
      pump();
    });

  return {
    inFlight,
    async publish(topic, message, signal) {
      signal?.throwIfAborted();
      if (closed) throw closed;
      checkTopic(topic);
      checkSize(topic, message.payload, payloadBytes);
      check?.(topic, message);
      if (message.onlyNow && !isUp()) {
        const what = `There is no connection to the ${to}, so nothing was sent to "${topic}".`;
        throw folkmootError('FOLKMOOT_BUS_LOST', what);
      }
      const pending = waiting.length + inFlight.size;
      if (pending >= most) {
        throw folkmootError('FOLKMOOT_BUS_FULL', `${pending} messages to the ${to} wait; "${topic}" was not sent.`);
      }
      await enqueue(topic, message, signal);
    },
    next() {
      const entry = waiting.shift();
      if (entry) inFlight.add(entry);
      return entry;
    },
    settle(entry, error) {
      inFlight.delete(entry);
      entry.end(error);
    },
    again(entry) {
      inFlight.delete(entry);
      if (!entry.isEnded()) waiting = [...waiting, entry].sort((a, b) => a.order - b.order);
    },
    dropOnlyNow(errorOf) {
      const dropped = waiting.filter(({ message }) => message.onlyNow);
      waiting = waiting.filter(({ message }) => !message.onlyNow);
      for (const { topic, end } of dropped) end(errorOf(topic));
    },
    close(reason) {
      closed = reason;
      for (const { end } of [...waiting.splice(0), ...inFlight]) end(reason);
      inFlight.clear();
    },
  };
}
