/**
 * Losses of the connection, for what is known of others: they come back a moment later than this process, and a broker that
 * was killed tells nobody who did not.
 */
import { connectedAnew, type Bus } from '../bus/bus.ts';
import type { Clock, Timer } from '../clock.ts';

/** Others come back from a loss of the broker within this time after us, or count as gone. */
export const returnMs = 15_000;

export interface Outage {
  /**
   * Milliseconds until what is known of others can be relied on: 0 usually, `Infinity` while the connection is lost, and
   * up to `returnMs` once it is back.
   */
  readonly unsureMs: number;
  close(): void;
}

/**
 * @param over Called when others had their time to come back. With milliseconds since the epoch when the server may have
 * forgotten them: who was not heard since then is gone.
 */
export function watchOutages(bus: Bus, clock: Clock, over: (forgotAt?: number) => void): Outage {
  let lostAt: number | undefined;
  let forgotAt: number | undefined;
  let backAt: number | undefined;
  let timer: Timer | undefined;
  const end = () => {
    const since = forgotAt;
    lostAt = forgotAt = backAt = undefined;
    over(since);
  };
  const stop = bus.onState((state, reason) => {
    clock.clearTimer(timer);
    if (state === 'down') {
      lostAt = clock.now();
      backAt = undefined;
    }
    if (state !== 'up' || lostAt === undefined) return;
    if (reason === connectedAnew) forgotAt = lostAt;
    backAt = clock.now();
    timer = clock.setTimer(end, returnMs);
  });
  return {
    get unsureMs() {
      if (lostAt === undefined) return 0;
      return backAt === undefined ? Infinity : Math.max(0, backAt + returnMs - clock.now());
    },
    close() {
      stop();
      clock.clearTimer(timer);
    },
  };
}
