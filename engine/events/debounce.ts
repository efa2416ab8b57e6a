/** Waits until a sensor is quiet and passes its last values on. */
import type { Clock, Timer } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Reading } from './reading.ts';

export interface DebounceOptions<From> {
  readonly clock: Clock;
  readonly quietMs: number;
  /** What stayed of one message, together: a rule never sees half of it. At least one reading. */
  readonly pass: (from: From, readings: readonly Reading[]) => void;
  /** Once for each reading that a later one replaced, or for which there is no room. */
  readonly drop: (from: From, reason: string) => void;
}

export interface Debounce<From> {
  take(from: From, readings: readonly Reading[]): void;
  close(): void;
}

export const keyOf = (source: string, kind: string): string => JSON.stringify([source, kind]);

export function createDebounce<From>({ clock, quietMs, pass, drop }: DebounceOptions<From>): Debounce<From> {
  const waiting = new Map<string, { reading: Reading; from: From; timer: Timer }>();
  const quiet = (from: From) => {
    const ready = [...waiting].filter(([, one]) => one.from === from);
    for (const [key, { timer }] of ready) {
      clock.clearTimer(timer);
      waiting.delete(key);
    }
    if (ready.length > 0)
      pass(
        from,
        ready.map(([, { reading }]) => reading),
      );
  };
  return {
    take(from, readings) {
      for (const reading of readings) {
        const key = keyOf(reading.source, reading.kind);
        const before = waiting.get(key);
        if (before) {
          clock.clearTimer(before.timer);
          waiting.delete(key);
          drop(before.from, 'debounced');
        }
        if (waiting.size >= limits.eventSources) drop(from, 'too many at once');
        else waiting.set(key, { reading, from, timer: clock.setTimer(() => quiet(from), quietMs) });
      }
    },
    close() {
      for (const { timer } of waiting.values()) clock.clearTimer(timer);
      waiting.clear();
    },
  };
}
