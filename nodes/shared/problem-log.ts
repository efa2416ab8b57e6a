/** What goes wrong in runs, in the log once for each change, not for each run: a model that is down fails them all. */
import type { AnyResult } from './run-message.ts';

export interface ProblemLog {
  /** A run ended, with an error or without. @param isLogged Whoever gets its ending logs the error. */
  ended(error: AnyResult['error'], isLogged: boolean): void;
  /** Something failed beside a run, often for the same reason: what could not be read can't be written either. */
  beside(problem: Error): void;
}

export function createProblemLog(log: { warn(text: string): void; error(problem: Error): void }): ProblemLog {
  let last: string | undefined;
  return {
    ended(error, isLogged) {
      if (error && !isLogged && error.message !== last) log.warn(`${error.code}: ${error.message}`);
      last = error?.message;
    },
    beside(problem) {
      if (problem.message !== last) log.error(problem);
      last = problem.message;
    },
  };
}
