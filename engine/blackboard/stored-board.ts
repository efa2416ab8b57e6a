/** A conversation's board in the store: `folkmoot:{<conversation>}:board` (contracts.md 7). */
import { folkmootError, isFolkmootError } from '../errors.ts';
import { hash } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Store } from '../store/store.ts';
import { createBoard } from './board.ts';
import type { Board, BoardState } from './board.ts';

/** Long or odd conversation ids (they come from outside) are hashed, so that the key is always allowed. */
export const boardKey = (conversation: string): string =>
  `folkmoot:{${/^[\w.:@/+-]{1,200}$/.test(conversation) ? conversation : hash('conversation', conversation)}}:board`;

export interface StoredBoard {
  readonly board: Board;
  /** For `saveBoard`: the record that the board was read from. */
  readonly expected: number | 'absent';
}

/** A conversation without a board gets an empty one. Throws FOLKMOOT_STORE_NEWER for a later version's record. */
export async function loadBoard(store: Store, conversation: string): Promise<StoredBoard> {
  const record = await store.get<BoardState>(boardKey(conversation));
  if (!record) return { board: createBoard(), expected: 'absent' };
  const version: number = record.value.v;
  if (version > 1)
    throw folkmootError('FOLKMOOT_STORE_NEWER', `The blackboard of a conversation was written in form ${version}.`);
  return { board: createBoard(record.value), expected: record.revision };
}

/** Gives the new revision of the record. Throws FOLKMOOT_STORE_CONFLICT when somebody else saved meanwhile. */
export const saveBoard = (
  store: Store,
  conversation: string,
  board: Board,
  expected?: StoredBoard['expected'],
): Promise<number> =>
  store.put(boardKey(conversation), board.state(), {
    expiresInMs: limits.recordExpiryMs,
    ...(expected === undefined ? {} : { expected }),
  });

/** Loads, changes and saves; when somebody else was faster it is done again on what they saved, so `change` may run twice. */
export async function updateBoard<T>(store: Store, conversation: string, change: (board: Board) => T): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const { board, expected } = await loadBoard(store, conversation);
    const result = change(board);
    try {
      await saveBoard(store, conversation, board, expected);
      return result;
    } catch (error) {
      if (!isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT') || attempt >= limits.boardSaves) throw error;
    }
  }
}
