/** Knowing that what a broker has retained has come: MQTT has no message for that. */
import type { Bus } from '../bus/bus.ts';
import { sleep, type Clock } from '../clock.ts';
import { limits } from '../limits.ts';

/**
 * Resolves when what the broker has retained for subscriptions that stand has come, or after `limits.registryReadyMs`: it
 * keeps the order of what it sends, so what is published after them arrives after what it had. At once while it is down.
 * @param topic Of this process alone.
 */
export async function retainedCame(bus: Bus, topic: string, clock: Clock): Promise<void> {
  if (bus.state !== 'up') return;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const waited = new AbortController();
  const subscription = await bus.subscribe(topic, () => resolve(undefined));
  try {
    await bus.publish(topic, { payload: '{}', onlyNow: true });
    await Promise.race([promise, sleep(clock, limits.registryReadyMs, waited.signal)]);
  } finally {
    waited.abort();
    await subscription.close();
  }
}
