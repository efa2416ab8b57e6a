/**
 * Entries of streams that this process took, wherever in it the work on them goes on: whether they are still ours to do.
 * Who reads streams provides the answers; runs, tools that act and apply ask before they do.
 */
import { asError } from '../../engine/errors.ts';
import { limits } from '../../engine/limits.ts';
import type { RequestInfo } from '../../engine/moot.ts';
import { isOurs, type Claim, type EntryClaims, type TakenEntry } from '../../engine/valkey/entry-claims.ts';
import { processClock } from './process.ts';

export interface SharedEntries extends EntryClaims {
  /** Counts an entry that is left to another, and tells of it. */
  left(entry: TakenEntry, why: string): void;
}

/** By name of the process on its server. */
const provided = new Map<string, SharedEntries>();
const waiting = new Set<() => void>();

/** Gives what takes it back. */
export function provideEntries(process: string, entries: SharedEntries): () => void {
  provided.set(process, entries);
  for (const wake of [...waiting]) wake();
  return () => {
    if (provided.get(process) === entries) provided.delete(process);
  };
}

/** In words, for the end of a run; nothing when it is ours. */
export const leftWords = (claim: Claim): string | undefined => (isOurs(claim) ? undefined : words[claim as Left]);

type Left = Exclude<Claim, 'held' | 'begun'>;

const words: Readonly<Record<Left, string>> = {
  taken: 'Another one of those who share the work has taken it over.',
  'begun elsewhere': 'Another one of those who share the work has begun to do it.',
  over: 'It does not wait in its stream any more.',
};
const nobody = 'The connection over which it came is not there any more.';

/** What was interrupted goes on; what only words come of is told apart from who has the entry. */
export const mayGoOn = (request: RequestInfo | undefined, signal: AbortSignal): Promise<string | undefined> =>
  whyLeft(request, signal, (entries, entry) => entries.look(entry, signal));

/**
 * Something is about to act. Once it may, it is this process's for good. What only words come of is not asked about: who
 * speaks looks itself what was said already.
 */
export const mayAct = (request: RequestInfo | undefined, signal: AbortSignal): Promise<string | undefined> =>
  request?.taken?.form === 'talk'
    ? Promise.resolve(undefined)
    : whyLeft(request, signal, (entries, entry) => entries.act(entry, signal));

/** Of runs that are open here: their asks don't say what began them. */
const runs = new Map<string, RequestInfo>();

/** A run that one of our entries began, until `runEnded`. */
export function runBegan(run: string, request: RequestInfo | undefined): void {
  if (request?.taken) runs.set(run, request);
}
export const runEnded = (run: string): void => void runs.delete(run);

/** As `mayAct`, for what is asked in a run. */
export const mayActIn = (run: string, signal: AbortSignal): Promise<string | undefined> =>
  mayAct(runs.get(run), signal);

/** Counted and told. */
export function tellLeft(request: RequestInfo | undefined, why: string): void {
  if (request?.taken) provided.get(request.taken.process)?.left(request.taken, why);
}

async function whyLeft(
  request: RequestInfo | undefined,
  signal: AbortSignal,
  ask: (entries: SharedEntries, entry: TakenEntry) => Promise<Claim>,
): Promise<string | undefined> {
  const taken = request?.taken;
  if (!taken) return undefined;
  const entries = await found(taken.process, signal);
  if (!entries) return nobody;
  try {
    return leftWords(await ask(entries, taken));
  } catch (error) {
    signal.throwIfAborted();
    return `Nobody could say whose it is. ${asError(error).message}`;
  }
}

/** After a start its reader is there a little later than who goes on with its work. */
async function found(process: string, signal: AbortSignal): Promise<SharedEntries | undefined> {
  signal.throwIfAborted();
  const known = provided.get(process);
  if (known) return known;
  const { promise, resolve, reject } = Promise.withResolvers<SharedEntries | undefined>();
  const wake = () => {
    const entries = provided.get(process);
    if (entries) resolve(entries);
  };
  const onAbort = () => reject(signal.reason as Error);
  const timer = processClock.setTimer(() => resolve(undefined), limits.streamResumeMs);
  waiting.add(wake);
  signal.addEventListener('abort', onAbort, { once: true });
  return promise.finally(() => {
    waiting.delete(wake);
    processClock.clearTimer(timer);
    signal.removeEventListener('abort', onAbort);
  });
}
