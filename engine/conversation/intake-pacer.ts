/** Sends a few a second and no more; what waits too long in a row is dropped. */
import type { Clock, Timer } from '../clock.ts';

export interface Pacer {
  /** False when too many wait already: it is not sent at all. */
  add(send: () => void): boolean;
  close(): void;
}

/** One every `1000 / perSecond` ms, the first after that time too. */
export function createPacer(options: {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly waiting: number;
}): Pacer {
  const { clock, perSecond, waiting } = options;
  const queue: (() => void)[] = [];
  let timer: Timer | undefined;
  const next = () => {
    timer = clock.setTimer(() => {
      timer = undefined;
      const send = queue.shift();
      if (!send) return;
      next();
      send();
    }, 1000 / perSecond);
  };
  return {
    add(send) {
      if (queue.length >= waiting) return false;
      queue.push(send);
      if (!timer) next();
      return true;
    },
    close() {
      clock.clearTimer(timer);
      timer = undefined;
      queue.length = 0;
    },
  };
}
