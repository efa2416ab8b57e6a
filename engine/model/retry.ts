/** Tries a call again after what may pass. The pause in between is no silence of the model: it is ours. */
import { sleep, type Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import { isPassing } from './call-errors.ts';
import type { SilenceWatch } from './silence.ts';

export interface RetryOptions {
  readonly clock: Clock;
  readonly watch: SilenceWatch;
  /** What was said can't be taken back: nothing is tried after it. */
  readonly hasSpoken: () => boolean;
  /** A sign of life, before each further try. */
  readonly onAgain?: (() => void) | undefined;
}

/** At most `limits.modelRetries` further tries. Throws what the last one threw, or the signal's reason. */
export async function withRetries<T>(options: RetryOptions, work: () => Promise<T>): Promise<T> {
  const { clock, watch } = options;
  for (let left = limits.modelRetries; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left <= 0 || watch.signal.aborted || options.hasSpoken() || !isPassing(error)) throw error;
    }
    watch.pause();
    await sleep(clock, limits.modelRetryMs, watch.signal);
    watch.heard();
    options.onAgain?.();
  }
}
