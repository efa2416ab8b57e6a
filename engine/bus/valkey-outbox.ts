/** What is to be sent to Valkey: a bounded queue, in order, kept while the connection is down. */
import { asError, folkmootError, isFolkmootError } from '../errors.ts';
import type { Bus, Outgoing } from './bus.ts';
import { checkSize, checkTopic } from './topics.ts';

export interface ValkeyOutboxOptions {
  /** Most messages that wait or are not acknowledged yet. */
  readonly most: number;
  /** Largest payload in bytes. */
  readonly payloadBytes: number;
  /** Throws for a message that can't be sent at all. */
  readonly check?: (topic: string, message: Outgoing) => void;
  /** Rejects when the server refused it, or the connection was lost before it answered. */
  readonly send: (topic: string, message: Outgoing) => Promise<unknown>;
}

export interface ValkeyOutbox {
  readonly publish: Bus['publish'];
  connected(): void;
  disconnected(): void;
  /** Ends all that wait with this error. */
  close(reason: Error): void;
}

interface Entry {
  readonly order: number;
  readonly topic: string;
  readonly message: Outgoing;
  readonly settle: (error?: Error) => void;
  isSettled: boolean;
}

/** An answer of the server, not a loss of the connection. */
export const isReply = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';

export function createValkeyOutbox(options: ValkeyOutboxOptions): ValkeyOutbox {
  let waiting: Entry[] = [];
  const inFlight = new Set<Entry>();
  let isUp = false;
  let closed: Error | undefined;
  let count = 0;

  const failed = (entry: Entry, error: unknown) => {
    if (entry.isSettled) return;
    if (isFolkmootError(error)) return entry.settle(error);
    if (isReply(error)) {
      const what = `The server refused a message to "${entry.topic}": ${asError(error).message}.`;
      return entry.settle(folkmootError('FOLKMOOT_BUS_REFUSED', what, error));
    }
    if (entry.message.onlyNow) {
      const what = `The connection was lost before a message to "${entry.topic}" was acknowledged.`;
      return entry.settle(folkmootError('FOLKMOOT_BUS_LOST', what, error));
    }
    // It may have arrived: at least once.
    waiting = [...waiting, entry].sort((a, b) => a.order - b.order);
  };

  const pump = () => {
    while (isUp) {
      const entry = waiting.shift();
      if (!entry) return;
      inFlight.add(entry);
      options.send(entry.topic, entry.message).then(
        () => {
          inFlight.delete(entry);
          entry.settle();
        },
        (error: unknown) => {
          inFlight.delete(entry);
          failed(entry, error);
        },
      );
    }
  };

  const enqueue = (topic: string, message: Outgoing, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        waiting = waiting.filter((other) => other !== entry);
        entry.settle(signal?.reason as Error);
      };
      const entry: Entry = {
        order: ++count,
        topic,
        message,
        isSettled: false,
        settle: (error) => {
          entry.isSettled = true;
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
    async publish(topic, message, signal) {
      signal?.throwIfAborted();
      if (closed) throw closed;
      checkTopic(topic);
      checkSize(topic, message.payload, options.payloadBytes);
      options.check?.(topic, message);
      if (message.onlyNow && !isUp) {
        throw folkmootError('FOLKMOOT_BUS_LOST', `There is no connection, so nothing was sent to "${topic}".`);
      }
      const pending = waiting.length + inFlight.size;
      if (pending >= options.most) {
        throw folkmootError('FOLKMOOT_BUS_FULL', `${pending} messages to the server wait; "${topic}" was not sent.`);
      }
      await enqueue(topic, message, signal);
    },
    connected() {
      isUp = true;
      pump();
    },
    disconnected() {
      isUp = false;
      for (const entry of waiting.filter(({ message }) => message.onlyNow)) {
        waiting.splice(waiting.indexOf(entry), 1);
        failed(entry, new Error('lost'));
      }
    },
    close(reason) {
      closed = reason;
      isUp = false;
      for (const entry of [...waiting.splice(0), ...inFlight]) entry.settle(reason);
      inFlight.clear();
    },
  };
}
