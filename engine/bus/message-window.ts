/** Each message of an outbox once: a sender repeats what it isn't sure of, with the same id. */
import { limits } from '../limits.ts';
import { outboxProperty } from './outbox-echoes.ts';
import type { Handler } from './subscribers.ts';

/**
 * The handler, without repetitions: one that comes while the first is still worked on waits for it, so that the broker
 * isn't told too early. The newest `limits.outboxWindow` ids are known.
 */
export function withWindow(handle: Handler, repeated: (topic: string) => void = () => undefined): Handler {
  const seen = new Map<string, Promise<void>>();
  return (message) => {
    const { [outboxProperty]: id, ...properties } = message.properties;
    if (!id) return handle(message);
    const known = seen.get(id);
    if (known) {
      repeated(message.topic);
      return known;
    }
    const work = (async () => handle({ ...message, properties }))();
    seen.set(
      id,
      work.catch(() => undefined),
    );
    const oldest = seen.keys().next().value;
    if (seen.size > limits.outboxWindow && oldest !== undefined) seen.delete(oldest);
    return work;
  };
}
