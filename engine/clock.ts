/** Time as a port: everything that waits takes a clock, so that specs run without waiting. */

/** What `setTimer` gives back; only good for `clearTimer`. */
export type Timer = { readonly timer: unique symbol } | object;

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once after `ms`. System timers never hold the process open. */
  setTimer(run: () => void, ms: number): Timer;
  clearTimer(timer: Timer | undefined): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer: (run, ms) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return timer;
  },
  clearTimer: (timer) => {
    if (timer) clearTimeout(timer as NodeJS.Timeout);
  },
};

/** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const onAbort = () => {
      clock.clearTimer(timer);
      reject(signal?.reason as Error);
    };
    const timer = clock.setTimer(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** A clock that stands still until a spec moves it. */
export interface FakeClock extends Clock {
  /** Moves time and runs what is due, in order, letting promises settle in between. */
  advance(ms: number): Promise<void>;
  /** How many timers wait: zero at the end of a clean spec. */
  readonly waiting: number;
  /** How many milliseconds each of them has left. */
  readonly left: readonly number[];
}

export function fakeClock(startMs = Date.UTC(2026, 0, 1)): FakeClock {
  let now = startMs;
  let count = 0;
  const timers = new Map<object, { at: number; order: number; run: () => void }>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    setTimer: (run, ms) => {
      const timer = {};
      timers.set(timer, { at: now + Math.max(0, ms), order: count++, run });
      return timer;
    },
    clearTimer: (timer) => {
      if (timer) timers.delete(timer);
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const due = [...timers]
          .filter(([, t]) => t.at <= end)
          .sort((a, b) => a[1].at - b[1].at || a[1].order - b[1].order);
        const next = due[0];
        if (!next) break;
        timers.delete(next[0]);
        now = Math.max(now, next[1].at);
        next[1].run();
        await settle();
      }
      now = end;
      await settle();
    },
    get waiting() {
      return timers.size;
    },
    get left() {
      return [...timers.values()].map(({ at }) => at - now);
    },
  };
}
