/** When things came, each later than the one before: what a person asked last counts, whatever happens on its way. */
import type { Clock } from './clock.ts';

/** Finer than milliseconds, and still exact in a number. */
const step = 0.001;

/** Gives milliseconds since the epoch; also when the clock is set back, later than at the call before. */
export function createArrivals(clock: Pick<Clock, 'now'>): () => number {
  let last = -Infinity;
  return () => (last = Math.max(clock.now(), last + step));
}
