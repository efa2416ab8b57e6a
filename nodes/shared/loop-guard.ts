/** Keeps a node from being asked by its own answers: an answer wired back would begin runs without end (asks.md 3). */
import type { Clock } from '../../engine/clock.ts';
import { folkmootError } from '../../engine/errors.ts';
import { limits } from '../../engine/limits.ts';
import type { Moot } from '../../engine/moot.ts';

export interface LoopGuard {
  opened(run: string): void;
  ended(run: string): void;
  /** Throws FOLKMOOT_LOOP for a message of an own run that is open or ended less than a minute ago, FOLKMOOT_TOO_DEEP. */
  check(moot: Moot): void;
}

export function createLoopGuard(clock: Clock): LoopGuard {
  /** When each own run ended; open ones have no end yet. Oldest first. */
  const runs = new Map<string, number | undefined>();
  const isOwn = (run: string | undefined): boolean => {
    if (run === undefined || !runs.has(run)) return false;
    const endedAt = runs.get(run);
    return endedAt === undefined || clock.now() - endedAt < limits.loopGuardMs;
  };
  function forget(): void {
    for (const [run, endedAt] of runs) {
      if (endedAt !== undefined && clock.now() - endedAt >= limits.loopGuardMs) runs.delete(run);
      else if (endedAt !== undefined && runs.size > limits.guardedRuns) runs.delete(run);
    }
  }
  return {
    opened: (run) => void runs.set(run, undefined),
    ended(run) {
      runs.delete(run);
      runs.set(run, clock.now());
      forget();
    },
    check(moot) {
      if (isOwn(moot.run) || isOwn(moot.parent)) {
        throw folkmootError('FOLKMOOT_LOOP', 'A message of a run that this node itself began came back to its input.');
      }
      if (moot.run !== undefined && (moot.depth ?? 0) + 1 > limits.runDepth) {
        throw folkmootError('FOLKMOOT_TOO_DEEP', `More than ${limits.runDepth} runs led to one another.`);
      }
    },
  };
}
