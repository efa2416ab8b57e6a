/** What was let through lately: by key for a time, and by message id. Both bounded. */
import type { Clock } from '../clock.ts';
import { hash } from '../ids.ts';
import { limits } from '../limits.ts';

/** Gives a function that says whether a key may pass; one that passed may not again for `forMs`. */
export function createCoolDown(clock: Clock, forMs: number): (key: string) => boolean {
  const until = new Map<string, number>();
  return (key) => {
    if (forMs <= 0) return true;
    if (clock.now() < (until.get(key) ?? 0)) return false;
    until.delete(key);
    until.set(key, clock.now() + forMs);
    for (const [oldest, end] of until) {
      if (end > clock.now() && until.size <= limits.eventSources) break;
      until.delete(oldest);
    }
    return true;
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
