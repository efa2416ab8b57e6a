/**
 * Tries a call again after what may pass: an error once, a busy server as often and as late as it says itself, else with
 * growing pauses. A pause is no silence of the model: it is ours.
 */
import { sleep, type Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import { isBusy, isPassing, retryAfterMs } from './call-errors.ts';
import type { SilenceWatch } from './silence.ts';

export interface RetryOptions {
  readonly clock: Clock;
  readonly watch: SilenceWatch;
  /** What was said can't be taken back: nothing is tried after it. */
  readonly hasSpoken: () => boolean;
  /** A sign of life, before each further try. */
  readonly onAgain?: (() => void) | undefined;
  /** 0 to 1: so that many who wait do not come at the same moment. */
  readonly random?: () => number;
}

/** Throws what the last try threw, or the signal's reason. */
export async function withRetries<T>(options: RetryOptions, work: () => Promise<T>): Promise<T> {
  const { clock, watch } = options;
  for (let tries = 0; ; tries += 1) {
    let pauseMs: number;
    try {
      return await work();
    } catch (error) {
      const most = isBusy(error) ? modelBusy.retries : limits.modelRetries;
      if (tries >= most || watch.signal.aborted || options.hasSpoken() || !isPassing(error)) throw error;
      const wanted = retryAfterMs(error, clock.now());
      // Longer than that nobody waits: whoever can takes over.
      if (wanted !== undefined && wanted > modelBusy.longestMs) throw error;
      pauseMs = wanted ?? growing(tries, options.random ?? Math.random);
    }
    watch.pause();
    await sleep(clock, pauseMs, watch.signal);
    watch.heard();
    options.onAgain?.();
  }
}

/** How often a busy server is asked again, and the longest pause that it may want; milliseconds. */
export const modelBusy = { retries: 4, longestMs: 60_000 } as const;

/** 1, 2, 4, 8 seconds, from the second on up to a quarter more. */
const growing = (tries: number, random: () => number): number =>
  Math.round(limits.modelRetryMs * 2 ** tries * (tries === 0 ? 1 : 1 + random() / 4));
