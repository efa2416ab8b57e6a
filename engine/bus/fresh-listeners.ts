/**
 * What is retained, on one MQTT connection: a broker gives it again to a pattern whenever somebody joins it, but only who
 * joined wants it.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { BusMessage } from './bus.ts';

/** What one listener has seen. */
export interface Freshness {
  /** It joined, or the connection is another: it gets what is retained. */
  renew(): void;
  /** Another one joins the same pattern. */
  joined(): void;
  /** Whether it gets this message; each retained one once. */
  wants(message: BusMessage): boolean;
}

export function createFreshness(clock: Clock): Freshness {
  let since = clock.now();
  let isFresh = true;
  const seen = new Set<string>();
  return {
    renew() {
      since = clock.now();
      isFresh = true;
      seen.clear();
    },
    joined() {
      // No broker tells when it has given all; what one has not had after so long comes to it as news, if at all.
      if (clock.now() - since < limits.busRetainedMs) return;
      isFresh = false;
      seen.clear();
    },
    wants(message) {
      if (!message.retained) return true;
      if (!isFresh) return false;
      const key = createHash('sha256').update(`${message.topic}\0`).update(message.payload).digest('base64');
      if (seen.has(key)) return false;
      seen.add(key);
      const oldest = seen.values().next().value;
      if (seen.size > limits.busRetained && oldest !== undefined) seen.delete(oldest);
      return true;
    },
  };
}
