/** What is to be sent to Valkey: all that waits leaves at once; what a lost connection left unanswered leaves again. */
import { asError, folkmootError, isFolkmootError } from '../errors.ts';
import type { Bus, Outgoing } from './bus.ts';
import { createOutgoingQueue, type OutgoingQueueOptions, type QueuedMessage } from './outgoing-queue.ts';

export interface ValkeyOutboxOptions extends Pick<OutgoingQueueOptions, 'most' | 'payloadBytes' | 'check'> {
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

/** An answer of the server, not a loss of the connection. */
export const isReply = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';

export function createValkeyOutbox({ send, ...options }: ValkeyOutboxOptions): ValkeyOutbox {
  let isUp = false;

  const failed = (entry: QueuedMessage, error: unknown) => {
    const { topic, message } = entry;
    if (isFolkmootError(error)) return queue.settle(entry, error);
    if (isReply(error)) {
      const what = `The server refused a message to "${topic}": ${asError(error).message}.`;
      return queue.settle(entry, folkmootError('FOLKMOOT_BUS_REFUSED', what, error));
    }
    if (message.onlyNow) return queue.settle(entry, lostError(topic, error));
    // It may have arrived: at least once.
    queue.again(entry);
  };
  const pump = () => {
    while (isUp) {
      const entry = queue.next();
      if (!entry) return;
      send(entry.topic, entry.message).then(
        () => queue.settle(entry),
        (error: unknown) => failed(entry, error),
      );
    }
  };
  const queue = createOutgoingQueue({ ...options, to: 'server', isUp: () => isUp, pump });

  return {
    publish: queue.publish,
    connected() {
      isUp = true;
      pump();
    },
    disconnected() {
      isUp = false;
      queue.dropOnlyNow((topic) => lostError(topic));
    },
    close(reason) {
      isUp = false;
      queue.close(reason);
    },
  };
}

const lostError = (topic: string, cause?: unknown): Error =>
  folkmootError('FOLKMOOT_BUS_LOST', `The connection was lost before a message to "${topic}" was acknowledged.`, cause);
