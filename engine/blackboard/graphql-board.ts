/** Boards of teams that work with GraphQL, as files of gpt-multi-atomic-agents: mutations and data are texts (row 62). */
import type { ForeignGraphqlBoard } from '../foreign/foreign-board.ts';
import { storedMutations, storedText } from '../graphql/stored-mutations.ts';
import { schemasOf } from '../graphql/schema.ts';
import type { Language } from '../language/language.ts';
import { limits } from '../limits.ts';
import { bad, checkSize, field, foreignMessage, listOf, newTalk, readTalk } from './board-file.ts';
import type { Fields } from './board-file.ts';
import { emptyBoard } from './board.ts';
import type { Board, BoardState } from './board.ts';

/** It holds a text of data, or a mutation with its text. */
export const isGraphqlBoard = (board: Board): boolean =>
  board.data !== undefined || board.view().some(({ graphql }) => graphql !== undefined);

export const exportGraphqlBoard = (board: Board): ForeignGraphqlBoard => ({
  format: 'graphql',
  internal_previously_generated_mutation_calls: board.view().map(storedText),
  internal_previous_messages: board.messages().map(foreignMessage),
  internal_newly_generated_messages: newTalk(board),
  internal_user_data: board.data ?? '',
});

/** What the language's schemas do not know is kept as it is; it is refused when it would act. */
export function importGraphqlBoard(board: Fields, language?: Language): BoardState {
  const texts = listOf(board, 'internal_previously_generated_mutation_calls');
  const isText = (one: unknown): one is string => typeof one === 'string' && one.length <= limits.requestChars;
  if (!texts.every(isText)) throw bad(`one of its mutations is no text of at most ${limits.requestChars} characters`);
  const data = field(board, 'internal_user_data') ?? '';
  if (typeof data !== 'string' || data.length > limits.applicationDataChars)
    throw bad(`its data is no text of at most ${limits.applicationDataChars} characters`);
  const mutations = storedMutations(texts, schemasOf(language?.graphql));
  const talk = readTalk(board);
  checkSize(mutations, talk.messages, 'mutations');
  return { ...emptyBoard, ...talk, mutations, newMutations: mutations.length, data };
}
