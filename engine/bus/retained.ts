/**
 * Retained messages of ours: published now and again after each connect, because a killed broker forgets them. The last
 * value of each topic counts.
 */
import type { Bus } from './bus.ts';

export interface Retained {
  /** The same value again is not published again. */
  set(topic: string, payload: string, properties?: Readonly<Record<string, string>>, expirySeconds?: number): void;
  /** Publishes the topic's value once more: somebody else has overwritten it. */
  again(topic: string): void;
  /** Publishes an empty message, which takes it away at the broker; while the connection is down, when it is back. */
  remove(topic: string): void;
  /** Published no more; what the broker has stays. */
  forget(topic: string): void;
  /** Resolves when everything so far has been taken by the broker, or was refused. */
  settled(): Promise<void>;
  close(): void;
}

interface Entry {
  readonly payload: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly expirySeconds?: number | undefined;
}

/** @param report What a broker refused; once for each value and connection. */
export function createRetained(bus: Bus, report: (problem: unknown) => void): Retained {
  const entries = new Map<string, Entry>();
  const underWay = new Set<Promise<void>>();

  const publish = (topic: string, entry: Entry) => {
    // What waits in the queue would arrive twice: the next connect publishes everything.
    if (bus.state !== 'up') return;
    const { payload, properties, expirySeconds } = entry;
    const expiry = expirySeconds === undefined ? {} : { expirySeconds };
    const sent = bus
      .publish(topic, { payload, properties, retain: true, ...expiry })
      .then(() => {
        if (payload === '' && entries.get(topic) === entry) entries.delete(topic);
      })
      .catch(report)
      .finally(() => underWay.delete(sent));
    underWay.add(sent);
  };

  const put = (topic: string, entry: Entry) => {
    entries.set(topic, entry);
    publish(topic, entry);
  };

  const stop = bus.onState((state) => {
    if (state === 'up') for (const [topic, entry] of [...entries]) publish(topic, entry);
  });

  return {
    set(topic, payload, properties = {}, expirySeconds = undefined) {
      if (entries.get(topic)?.payload !== payload) put(topic, { payload, properties, expirySeconds });
    },
    again(topic) {
      const entry = entries.get(topic);
      if (entry) publish(topic, entry);
    },
    remove(topic) {
      if (entries.get(topic)?.payload !== '') put(topic, { payload: '', properties: {} });
    },
    forget: (topic) => void entries.delete(topic),
    settled: async () => void (await Promise.allSettled([...underWay])),
    close() {
      stop();
      entries.clear();
    },
  };
}
