/**
 * A fresh start: what was done before is done again on purpose, for a device or program that begins from nothing
 * (seed-contracts.md B9, row 78).
 */
import { hash, uuidOf } from '../ids.ts';
import type { Language } from '../language/language.ts';
import { limits } from '../limits.ts';
import type { Moot, Mutation } from '../moot.ts';
import { rowFor, type Row } from './rows.ts';

export interface FreshStart {
  /** Id of the message that asks for it. */
  readonly message: string;
  /** All that the conversation's board holds, oldest first. */
  readonly board: readonly Mutation[];
  /** Of that message: it may bring commands of its own. */
  readonly moot: Pick<Moot, 'run' | 'mutations'>;
  readonly language: Language;
  readonly rows: readonly Row[];
}

/**
 * The board's commands and those of the message, at most `limits.boardMutations`, the newest. Earlier ones get ids of this
 * message, so that the ledger lets them act once more, and only once for the message, however often it comes. New ones of
 * the message's own run keep theirs. Earlier ones that have no row here are another one's to do.
 */
export function freshStart({ message, board, moot, language, rows }: FreshStart): readonly Mutation[] {
  const brought = moot.mutations ?? [];
  const ids = new Set(brought.map(({ id }) => id));
  const run = uuidOf('fresh start', message);
  const isNew = (one: Mutation): boolean => moot.run !== undefined && one.run === moot.run;
  const isOurs = ({ function: name }: Mutation): boolean => {
    const spec = language.find(name);
    return !spec?.effect || rowFor(rows, spec) !== undefined;
  };
  return [...board.filter(({ id }) => !ids.has(id)), ...brought]
    .filter((one) => one.again === undefined && (isNew(one) || isOurs(one)))
    .slice(-limits.boardMutations)
    .map((one) => (isNew(one) ? one : repeated(one, message, run)));
}

function repeated({ step: _step, ...one }: Mutation, message: string, run: string): Mutation {
  return { ...one, id: hash('fresh start', message, one.id), run, again: one.id };
}
