/** Waiting for a connection, but not for ever. */
import type { Clock } from '../clock.ts';
import type { Bus } from './bus.ts';

/** True as soon as the bus is up; false after `timeoutMs`, when the bus is closed or the signal aborts. */
export function whenUp(
  bus: Pick<Bus, 'onState'>,
  { clock, timeoutMs, signal }: { readonly clock: Clock; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const giveUp = () => resolve(false);
  const timer = clock.setTimer(giveUp, timeoutMs);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  const stop = bus.onState((state) => {
    if (state === 'up') resolve(true);
    if (state === 'closed') resolve(false);
  });
  return promise.finally(() => {
    stop();
    clock.clearTimer(timer);
    signal.removeEventListener('abort', giveUp);
  });
}
