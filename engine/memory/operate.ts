/** One operation on a memory, asked by a flow or by an agent: what came of it, as data and in words. */
import { folkmootError, isFolkmootError } from '../errors.ts';
import { yesOrNo } from '../language/yes-no.ts';
import { limits } from '../limits.ts';
import type { MemoryOperation } from './memory-functions.ts';
import type { Memory, MemoryRecord } from './memory.ts';
import { forgottenWords, recalledWords, rememberedWords } from './memory-words.ts';

/** What a flow sees of a memory. */
export interface ToldMemory {
  readonly text: string;
  readonly kind: string;
  readonly source?: string;
  /** ISO 8601: when it was said first. */
  readonly time: string;
  /** How like it is to what was asked for, 0 to 1; only in what was recalled. */
  readonly score?: number;
}

export interface MemoryRequest {
  readonly operation: MemoryOperation;
  readonly subject: string;
  /** What to keep, or what it is about. */
  readonly text: string;
  readonly kind?: string;
  readonly source?: string;
  readonly tainted?: boolean;
  readonly k?: number;
  readonly threshold?: number;
  /** Where a yes to what was asked back counts. */
  readonly conversation?: string;
  /** `forget`: the person said yes. */
  readonly confirmed?: boolean;
}

export interface MemoryResult {
  /** What was kept, recalled or forgotten. */
  readonly memories: readonly ToldMemory[];
  /** For people. */
  readonly words: string;
  /** Some of it was written by strangers. */
  readonly tainted: boolean;
  /** The words are a question, and nothing was done. */
  readonly asksBack?: true;
}

export const memoryOperations: readonly MemoryOperation[] = ['remember', 'recall', 'forget'];

/** Nobody in particular: what is remembered without a user. No user's key begins like it. */
const anybody = 'anybody';

/** Whose memories a message is about. */
export const subjectOf = (user: string | undefined): string => (user ? `user:${user}` : anybody);

export const isOperation = (value: unknown): value is MemoryOperation =>
  (memoryOperations as readonly unknown[]).includes(value);

/** What an ask wants done, and whether a person said yes to it. Throws FOLKMOOT_BAD_INPUT. */
export function askedIn(payload: unknown): Pick<MemoryRequest, 'operation' | 'confirmed'> {
  const { operation, confirmed } = (payload ?? {}) as { operation?: unknown; confirmed?: unknown };
  if (isOperation(operation)) return { operation, confirmed: confirmed === true };
  throw folkmootError(
    'FOLKMOOT_BAD_INPUT',
    `A memory is asked to ${memoryOperations.join(', ')}, not ${String(operation)}.`,
  );
}

/** A plain "yes" of a flow's message is the person's own; what an agent asks in words may be a model's. */
export const personsRequest = (request: MemoryRequest): MemoryRequest =>
  request.operation === 'forget' && yesOrNo(request.text) === 'yes' ? { ...request, confirmed: true } : request;

/** Rejects like the memory does. */
export async function operateMemory(memory: Memory, request: MemoryRequest): Promise<MemoryResult> {
  const { operation, subject, text, kind, source, tainted, k, threshold } = request;
  if (operation === 'remember') {
    const more = { ...(kind ? { kind } : {}), ...(source ? { source } : {}), ...(tainted ? { tainted } : {}) };
    const kept = await memory.remember({ subject, text, ...more });
    return resultOf([kept.record], rememberedWords(kept));
  }
  if (operation === 'forget') {
    const { conversation, confirmed } = request;
    const forgotten = await memory.forget({ subject, query: text, conversation, confirmed });
    const result = resultOf(forgotten.forgotten, forgottenWords(forgotten));
    return forgotten.asksBack ? { ...result, asksBack: true } : result;
  }
  const more = { ...(k === undefined ? {} : { k }), ...(threshold === undefined ? {} : { threshold }) };
  const found = await memory.recall({ subject, query: text, ...more });
  const scores = new Map(found.map(({ record, score }) => [record.id, Math.round(score * 100) / 100]));
  return resultOf(
    found.map(({ record }) => record),
    recalledWords(found),
    scores,
  );
}

function resultOf(
  records: readonly MemoryRecord[],
  words: string,
  scores: ReadonlyMap<string, number> = new Map(),
): MemoryResult {
  const memories = records.map(({ id, text, kind, source, time }): ToldMemory => {
    const score = scores.get(id);
    return { text, kind, ...(source ? { source } : {}), time, ...(score === undefined ? {} : { score }) };
  });
  return { memories, words, tainted: records.some(({ tainted }) => tainted === true) };
}

/** What a person is told when it did not work; the error itself is for whoever wires the flow. */
export function memoryTrouble(error: unknown): string {
  if (isFolkmootError(error, 'FOLKMOOT_LIMIT'))
    return 'I can’t remember more for you: ask me to forget something first.';
  if (isFolkmootError(error, 'FOLKMOOT_BAD_INPUT'))
    return 'I can’t remember that: it holds no words, or too many of them.';
  return 'I can’t reach my memory at the moment.';
}

/**
 * What a payload says beside the words: of an ask all of it, of a flow's message what it likes.
 * Throws FOLKMOOT_BAD_INPUT for what is none.
 */
export function requestIn(payload: unknown): Pick<MemoryRequest, 'kind' | 'k'> & { readonly text?: string } {
  if (typeof payload !== 'object' || payload === null || Buffer.isBuffer(payload)) return {};
  const { text, query, kind, k } = payload as Readonly<Record<string, unknown>>;
  // Asked for nothing in particular: everything, the newest first.
  const words = text ?? (query === '' ? 'everything' : query);
  if (k !== undefined && !(typeof k === 'number' && Number.isInteger(k) && k >= 1))
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'The number k of memories to recall must be a whole number from 1.');
  return {
    ...(typeof words === 'string' ? { text: words } : {}),
    ...(typeof kind === 'string' && kind ? { kind: kind.slice(0, 100) } : {}),
    ...(typeof k === 'number' ? { k: Math.min(k, limits.memoryResults) } : {}),
  };
}
