/** How often each client may ask: a full bucket for a burst, refilled over a minute. */
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';

export interface RequestRate {
  /** Takes one request of this client; gives the seconds to wait when there was none left. */
  take(client: string): number | undefined;
}

export function createRequestRate({
  perMinute,
  clock,
}: {
  readonly perMinute: number;
  readonly clock: Clock;
}): RequestRate {
  /** Oldest use first. */
  const buckets = new Map<string, { left: number; at: number }>();
  const perMs = perMinute / 60_000;
  return {
    take(client) {
      const now = clock.now();
      const known = buckets.get(client) ?? { left: perMinute, at: now };
      const left = Math.min(perMinute, known.left + Math.max(0, now - known.at) * perMs);
      buckets.delete(client);
      buckets.set(client, { left: left < 1 ? left : left - 1, at: now });
      const [oldest] = buckets.keys();
      if (buckets.size > limits.httpClients && oldest !== undefined) buckets.delete(oldest);
      return left < 1 ? Math.max(1, Math.ceil((1 - left) / perMs / 1000)) : undefined;
    },
  };
}
