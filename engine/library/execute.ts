/** Carries out the calls of a board by the handlers of a registry (seed-contracts.md B9, rows 76 to 78). */
import type { Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import type { Mutation } from '../moot.ts';
import type { Handler, Registry } from './registry.ts';
import { runHandler } from './run-handler.ts';

/** What could not be carried out. */
export interface ExecutionError {
  /** The function, or `<unknown>`. */
  readonly function: string;
  readonly call: Mutation;
  readonly error: Error;
}

export interface Execution {
  /** False: it was cancelled at its start, and nothing ran. */
  readonly ran: boolean;
  /** Carried out without an error, in order. */
  readonly done: readonly Mutation[];
  readonly errors: readonly ExecutionError[];
}

export interface StartAnswer {
  /** False: nothing is carried out. */
  readonly ok: boolean;
  /** Also what earlier requests led to, in order: for a program that begins from nothing. Default false. */
  readonly alsoPrevious?: boolean;
}

export interface ExecuteOptions {
  /** Default: go on, with the new calls only. */
  readonly onStart?: (calls: readonly Mutation[]) => StartAnswer | Promise<StartAnswer>;
  /** After the last call; not called when it was cancelled. */
  readonly onEnd?: (execution: Execution) => unknown;
  readonly signal?: AbortSignal;
  /** The longest time of one handler, in milliseconds. Default `limits.handlerMs`. */
  readonly handlerMs?: number;
  readonly clock?: Clock;
}

export interface Executable {
  readonly registry: Registry;
  /** Of the request that was worked on last. */
  readonly newly: readonly Mutation[];
  readonly previously: readonly Mutation[];
}

/**
 * One call after the other. A handler that throws or takes too long is an entry among the errors, and the next one runs.
 * Calls of functions that are for the board only run when they have a handler of their own, and are no error otherwise.
 * Functions that only read were answered while the agents worked, and are left out.
 * Throws what `onStart` or `onEnd` throws, and the signal's reason when it aborts.
 */
export async function execute({ registry, newly, previously }: Executable, options: ExecuteOptions = {}) {
  const { ok, alsoPrevious = false } = (await options.onStart?.(newly)) ?? { ok: true };
  if (!ok) return { ran: false, done: [], errors: [] } satisfies Execution;
  const done: Mutation[] = [];
  const errors: ExecutionError[] = [];
  for (const call of alsoPrevious ? [...previously, ...newly] : newly) {
    options.signal?.throwIfAborted();
    try {
      const handler = handlerFor(registry, call);
      if (!handler) continue;
      await runHandler(handler, call, options);
      done.push(call);
    } catch (thrown) {
      options.signal?.throwIfAborted();
      errors.push({ function: call.function || '<unknown>', call, error: asError(thrown) });
    }
  }
  const execution: Execution = { ran: true, done, errors };
  await options.onEnd?.(execution);
  return execution;
}

/** Nothing for what only reads, and for a note on the board that nobody wants. */
function handlerFor(registry: Registry, { function: name }: Mutation): Handler | undefined {
  const spec = registry.language().find(name);
  if (spec?.risk === 'read') return undefined;
  return spec?.effect === false ? registry.handlerIfAny(name) : registry.handlerOf(name);
}
