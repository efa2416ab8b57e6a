/** How long to wait before the next try to connect: never two tries within `minMs`, never more than `maxMs` apart. */
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
