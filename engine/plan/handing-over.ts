/**
 * How results of runs side by side leave: those that act one after the other, each without what later requests took back
 * before it, and each told to the earlier ones that are still worked on.
 */
import type { Called } from '../evaluate/contradictions.ts';
import { createInTurn } from '../in-turn.ts';
import { limits } from '../limits.ts';
import type { KeptRuns } from './run-ports.ts';
import type { RunEnd } from './run-request.ts';

/** A run until its result has left. */
export interface Leaving {
  readonly request: { readonly run: string };
  /** `askedAt`: whose request is the later one. */
  readonly askedAt: number;
  /** What later requests had done, oldest first, the newest `limits.askMutations`. */
  meanwhile: readonly Called[];
  hasLeft?: boolean;
}

export interface HandingOverOptions<R extends RunEnd> {
  /** All that are open, in the order in which they began. */
  readonly runs: ReadonlyMap<string, Leaving>;
  readonly records?: Pick<KeptRuns, 'overtake'> | undefined;
  /** The result without what was taken back. Absent: nothing ever is. */
  readonly without?: ((result: R, meanwhile: readonly Called[]) => Promise<R>) | undefined;
  readonly problem: (thrown: unknown) => void;
}

export interface HandingOver<R extends RunEnd> {
  /** What requests that were asked after this moment did already, oldest first: one may be asked before another and begin after it. */
  doneAfter(askedAt: number): readonly Called[];
  /** Calls `leave` with what is left of the result, at once or when those before it have left. */
  take<T>(run: Leaving, result: R, leave: (result: R) => Promise<T>): Promise<T>;
}

export function createHandingOver<R extends RunEnd>(options: HandingOverOptions<R>): HandingOver<R> {
  const { runs, records, without, problem } = options;
  const inTurn = createInTurn();
  let done: readonly { readonly askedAt: number; readonly calls: readonly Called[] }[] = [];

  /** Runs that were asked earlier learn of its commands, also after a crash. */
  async function tell(run: Leaving, { mutations, outcome }: R): Promise<void> {
    if (mutations.length === 0 || !['done', 'asked'].includes(outcome)) return;
    const calls = mutations.map(({ function: name, parameters }) => ({ function: name, parameters }));
    done = [...done, { askedAt: run.askedAt, calls }].slice(-mostDone);
    const earlier = askedBefore(run, [...runs.values()]);
    for (const one of earlier) one.meanwhile = [...one.meanwhile, ...calls].slice(-limits.askMutations);
    await Promise.all(earlier.map(async (one) => records?.overtake?.(one.request.run, one.meanwhile)));
  }

  async function lastLook(run: Leaving, result: R): Promise<R> {
    let left = result;
    try {
      if (without && run.meanwhile.length > 0) left = await without(result, run.meanwhile);
      await tell(run, left);
    } catch (thrown) {
      problem(thrown);
    }
    return left;
  }

  return {
    doneAfter: (askedAt) => done.filter((one) => one.askedAt > askedAt).flatMap(({ calls }) => calls),
    take(run, result, leave) {
      if (result.mutations.length === 0) return leave(result);
      return inTurn(async () => {
        const left = await lastLook(run, result);
        run.hasLeft = true;
        return leave(left);
      });
    },
  };
}

/** Whatever came before these has begun long ago. */
const mostDone = 50;

const askedBefore = (run: Leaving, all: readonly Leaving[]): readonly Leaving[] =>
  all.filter(
    (one, index) =>
      !one.hasLeft && (one.askedAt < run.askedAt || (one.askedAt === run.askedAt && index < all.indexOf(run))),
  );
