/** Who listens to which pattern in this process: shared by the adapters of the bus port. */
import { asError, folkmootError } from '../errors.ts';
import type { BusMessage, BusState } from './bus.ts';
import { topicMatches } from './topics.ts';

export type Handler = (message: BusMessage) => void | Promise<void>;

/** One pattern with all its handlers in this process. */
export interface Pattern {
  readonly pattern: string;
  readonly handlers: Set<{ readonly handle: Handler }>;
}

export interface Problems {
  readonly add: (listener: (problem: Error) => void) => () => void;
  readonly report: (problem: unknown) => void;
  readonly clear: () => void;
}

/** Listeners of what goes wrong outside of a call. A listener that throws itself is passed over. */
export function createProblems(): Problems {
  const listeners = new Set<(problem: Error) => void>();
  return {
    add(listener) {
      const own = (problem: Error) => listener(problem);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    report(problem) {
      for (const listener of [...listeners]) {
        try {
          listener(asError(problem));
        } catch {
          // Nobody is left to tell.
        }
      }
    },
    clear: () => listeners.clear(),
  };
}

export interface StateOfBus {
  readonly now: BusState;
  readonly set: (state: BusState, reason?: string) => void;
  readonly on: (listener: (state: BusState, reason?: string) => void) => () => void;
}

/** The bus's state and who wants to know. `closed` is for ever. */
export function createState(first: BusState, problems: Problems): StateOfBus {
  let now = first;
  let why: string | undefined;
  const listeners = new Set<(state: BusState, reason?: string) => void>();
  const tell = (listener: (state: BusState, reason?: string) => void) => {
    try {
      listener(now, why);
    } catch (error) {
      problems.report(error);
    }
  };
  return {
    get now() {
      return now;
    },
    set(state, reason) {
      if (state === now || now === 'closed') return;
      now = state;
      why = reason;
      for (const listener of [...listeners]) tell(listener);
      if (state === 'closed') listeners.clear();
    },
    on(listener) {
      const own = (state: BusState, reason?: string) => listener(state, reason);
      if (now !== 'closed') listeners.add(own);
      tell(own);
      return () => void listeners.delete(own);
    },
  };
}

/** Resolves when the first try to connect has ended, either way. */
export function settledState(state: StateOfBus): Promise<void> {
  if (state.now !== 'connecting') return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stop = state.on((now) => {
    if (now !== 'connecting') resolve(undefined);
  });
  return promise.then(stop);
}

/** Throws FOLKMOOT_BAD_SETTING for a name under which nobody can share work. */
export function checkShare(share: string): void {
  if (share !== '' && !/[/+#\u0000]/.test(share)) return;
  throw folkmootError('FOLKMOOT_BAD_SETTING', `"${share}" can not be the name of those who share work: no /, + or #.`);
}

/**
 * Calls one handler; what it throws or rejects with is a problem and nothing else.
 * @returns what resolves when it is through; nothing when it is already.
 */
export function callHandler(handle: Handler, message: BusMessage, problems: Problems): Promise<void> | undefined {
  try {
    const result = handle(message);
    if (result instanceof Promise) return result.catch((error: unknown) => problems.report(error));
  } catch (error) {
    problems.report(error);
  }
  return undefined;
}

/** The patterns that match a topic. */
export const matching = <P extends Pattern>(patterns: Iterable<P>, topic: string): P[] =>
  [...patterns].filter((entry) => topicMatches(entry.pattern, topic));
