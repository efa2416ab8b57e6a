/** What was let through lately: by key for a time, and by message id. Both bounded. */
import type { Clock } from '../clock.ts';
import { hash } from '../ids.ts';
import { limits } from '../limits.ts';

export interface CoolDown {
  /** Whether a key may pass; one that passed may not again for that time. */
  take(key: string): boolean;
  /** Until when a key rests; nothing: it doesn't. */
  until(key: string): number | undefined;
  /** From before a restart. */
  restore(key: string, until: number): void;
}

export function createCoolDown(clock: Clock, forMs: number): CoolDown {
  const ends = new Map<string, number>();
  const rest = (key: string, until: number) => {
    ends.delete(key);
    ends.set(key, until);
    for (const [oldest, end] of ends) {
      if (end > clock.now() && ends.size <= limits.eventSources) break;
      ends.delete(oldest);
    }
  };
  const until = (key: string): number | undefined => {
    const end = ends.get(key);
    return end !== undefined && end > clock.now() ? end : undefined;
  };
  return {
    until,
    take(key) {
      if (forMs <= 0) return true;
      if (until(key) !== undefined) return false;
      rest(key, clock.now() + forMs);
      return true;
    },
    restore(key, end) {
      if (forMs > 0 && end > clock.now()) rest(key, Math.min(end, clock.now() + forMs));
    },
  };
}

/** Gives a function that says whether this id came before with the same content. */
export function createRepeats(): (id: string, content: unknown) => boolean {
  const seen = new Set<string>();
  return (id, content) => {
    const key = hash(id, content);
    if (seen.has(key)) return true;
    seen.add(key);
    const oldest = seen.values().next().value;
    if (seen.size > limits.eventIdMemory && oldest !== undefined) seen.delete(oldest);
    return false;
  };
}
