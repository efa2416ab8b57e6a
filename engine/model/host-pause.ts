/** A pause between two calls of a host, for servers that allow so many a minute (seed-contracts.md B7, row 81). */
import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';

/** When a host was called last; as many as there are hosts with a pause. */
const ends = new Map<string, number>();

/** Waits until the host may be called again. Rejects with the signal's reason. @param ms 0: at once. */
export async function pauseBefore(host: string, ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const left = ms > 0 ? (ends.get(host) ?? -Infinity) + ms - clock.now() : 0;
  if (left > 0) await sleep(clock, Math.min(left, ms), signal);
}

/** A call of the host has ended: from now on the next one waits. */
export function noteEnd(host: string, ms: number, clock: Clock): void {
  if (ms > 0) ends.set(host, clock.now());
}
