/** Waiting for what is published, but not longer than a node lives. */
import type { Backbone } from '../backbone/lease.ts';

/** A reply that waits for a broker that is gone is published also when this node was closed meanwhile. */
export async function whileReached(replied: Promise<void>, { bus }: Backbone, signal: AbortSignal): Promise<void> {
  replied.catch(() => undefined);
  await Promise.race([replied, aborted(signal)]).catch((error: unknown) => {
    if (!signal.aborted || bus.state !== 'up') throw error;
    return replied;
  });
}

/** Rejects with the signal's reason. */
export const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
