/** How long to wait before the next try to connect: never two tries within `minMs`, never more than `maxMs` apart. */
import { systemClock, type Clock } from '../clock.ts';
import { limits } from '../limits.ts';

export interface ReconnectOptions {
  readonly minMs: number;
  readonly maxMs: number;
  /** How long one try may take before it counts as failed. */
  readonly connectTimeoutMs: number;
  /** 0 to 1; `Math.random` by default. */
  readonly random?: () => number;
}

/**
 * The pause after the n-th failed try in a row (0 for the first): doubling, with up to half of it added by chance, so
 * that a house full of programs does not return at the same moment. A try that hangs is part of the distance to the next.
 */
export function reconnectPauseMs(failures: number, options: ReconnectOptions): number {
  const { minMs, maxMs, connectTimeoutMs, random = Math.random } = options;
  const longest = Math.max(minMs, maxMs - connectTimeoutMs);
  const doubled = minMs * 2 ** Math.min(failures, 30);
  return Math.round(Math.min(longest, doubled * (1 + random() / 2)));
}

export interface ReconnectPauses {
  /** What to wait if the connection were lost, or the try had failed, at this moment. The same until something happens. */
  readonly ms: number;
  connected(): void;
  lost(): void;
  /** The wait is over: another try begins. */
  again(): void;
}

/** The pauses of one connection: they grow, and begin anew after one that stood for `limits.busSteadyMs`. */
export function createReconnectPauses(
  options: ReconnectOptions,
  clock: Pick<Clock, 'now'> = systemClock,
): ReconnectPauses {
  let failures = 0;
  let upSince: number | undefined;
  let drawn: { readonly failures: number; readonly ms: number } | undefined;
  const counted = () => (upSince !== undefined && clock.now() - upSince >= limits.busSteadyMs ? 0 : failures);
  return {
    get ms() {
      const now = counted();
      if (drawn?.failures !== now) drawn = { failures: now, ms: reconnectPauseMs(now, options) };
      return drawn.ms;
    },
    connected: () => void (upSince = clock.now()),
    lost() {
      failures = counted();
      upSince = undefined;
    },
    again() {
      failures += 1;
      drawn = undefined;
    },
  };
}
