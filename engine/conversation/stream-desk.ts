/**
 * What was taken from a stream and is being worked on in a flow: until it was answered, its run ended, or nothing took it.
 * Nothing is left open for ever.
 */
import type { Clock, Timer } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Outcome } from '../moot.ts';

export interface Said {
  /** The flow's words, if there were any. */
  readonly words?: string;
  /** `failed`: the run did not do what was asked; its words say why. `silent`: nothing was said. */
  readonly how: 'answered' | 'failed' | 'silent';
}

export interface ExpectSaid {
  /** Silence after which it is over. Each run that begins has it anew. */
  readonly deadlineMs: number;
  /** Over already when no run has begun by then; for work that needs no answer. */
  readonly takenWithinMs?: number;
}

export interface StreamDesk {
  /** Resolves when it is over. Asked twice, both get the same. */
  expect(id: string, options: ExpectSaid): Promise<Said>;
  /** False when nothing waits for it. */
  answer(id: string, said: Said): boolean;
  runStarted(id: string): void;
  /** Its words come by a message, at most `limits.replyGraceMs` later; a failure needs none. */
  runEnded(id: string, outcome: Outcome): void;
  isOpen(id: string): boolean;
  close(): void;
}

interface Entry {
  readonly options: ExpectSaid;
  readonly promise: Promise<Said>;
  readonly resolve: (said: Said) => void;
  timer: Timer | undefined;
}

const silent: Said = { how: 'silent' };
const good: ReadonlySet<Outcome> = new Set(['done', 'asked']);

export const isFailure = (outcome: Outcome | undefined): boolean => outcome !== undefined && !good.has(outcome);

export function createStreamDesk({ clock }: { readonly clock: Clock }): StreamDesk {
  const open = new Map<string, Entry>();

  const end = (id: string, said: Said): boolean => {
    const entry = open.get(id);
    if (!entry) return false;
    open.delete(id);
    clock.clearTimer(entry.timer);
    entry.resolve(said);
    return true;
  };
  const wait = (id: string, entry: Entry, ms: number) => {
    clock.clearTimer(entry.timer);
    entry.timer = clock.setTimer(() => end(id, silent), ms);
  };

  return {
    expect(id, options) {
      const known = open.get(id);
      if (known) return known.promise;
      const { promise, resolve } = Promise.withResolvers<Said>();
      const entry: Entry = { options, promise, resolve, timer: undefined };
      open.set(id, entry);
      wait(id, entry, options.takenWithinMs ?? options.deadlineMs);
      return promise;
    },
    answer: (id, said) => end(id, said),
    runStarted(id) {
      const entry = open.get(id);
      if (entry) wait(id, entry, entry.options.deadlineMs);
    },
    runEnded(id, outcome) {
      const entry = open.get(id);
      if (!entry) return;
      // Work that needs no answer is over with its run.
      if (entry.options.takenWithinMs !== undefined) end(id, silent);
      else wait(id, entry, isFailure(outcome) ? limits.gatherGraceMs : limits.replyGraceMs);
    },
    isOpen: (id) => open.has(id),
    close() {
      for (const id of [...open.keys()]) end(id, silent);
    },
  };
}
