/**
 * Boards as JSON files of gpt-multi-atomic-agents (seed-contracts.md B1), written as its Python program writes them and read
 * in four forms: snake_case, camelCase, camelCase nested twice, and parameters inside `additionalData`.
 */
import { dataAgent, foreignOfCall } from '../foreign/foreign-call.ts';
import type { ForeignBoard, ForeignGraphqlBoard } from '../foreign/foreign-board.ts';
import type { Language } from '../language/language.ts';
import { bad, boardInFile, checkSize, field, foreignMessage, isFields, listOf } from './board-file.ts';
import { newTalk, readTalk, withTail } from './board-file.ts';
import type { Fields } from './board-file.ts';
import { dataOf, emptyBoard } from './board.ts';
import type { Board, BoardState } from './board.ts';
import { exportGraphqlBoard, importGraphqlBoard, isGraphqlBoard } from './graphql-board.ts';

export type { ForeignBoard };

export interface BoardFile<B = ForeignBoard | ForeignGraphqlBoard> {
  readonly blackboard: B;
  readonly file_schema_version: '0.2';
}

/** Plain JSON in the format of what is on the board; ids, runs and steps are not part of it. */
export const exportBoard = (board: Board): BoardFile => ({
  blackboard: isGraphqlBoard(board) ? exportGraphqlBoard(board) : exportFunctionBoard(board),
  file_schema_version: '0.2',
});

const exportFunctionBoard = (board: Board): ForeignBoard => ({
  format: 'function_call',
  internal_previously_generated_functions: board.view().map((one) => foreignOfCall(one)),
  internal_previous_messages: board.messages().map(foreignMessage),
  internal_newly_generated_messages: newTalk(board),
  internal_newly_generated_functions: board.newly().map((one) => foreignOfCall(one)),
});

/**
 * Reads a board file (text or parsed) of either format. Values that the language knows get their type; others stay text.
 * Throws FOLKMOOT_BAD_INPUT with what is wrong; nothing is imported then.
 */
export function importBoard(file: unknown, language?: Language): BoardState {
  const board = boardInFile(file);
  const format = board['format'] ?? 'function_call';
  if (format === 'graphql') return importGraphqlBoard(board, language);
  if (format === 'function_call') return importFunctionBoard(board, language);
  throw bad(`its format is "${String(format)}"; "function_call" and "graphql" can be read`);
}

function importFunctionBoard(board: Fields, language?: Language): BoardState {
  const calls = listOf(board, 'internal_previously_generated_functions').map(readCall);
  const newCalls = listOf(board, 'internal_newly_generated_functions').map(readCall);
  const all = withTail(calls, newCalls);
  const talk = readTalk(board);
  checkSize(all, talk.messages, 'functions');
  const data = dataOf(all, language);
  const mutations = data.map((mutation, index) => {
    const agent = all[index]?.agent;
    return agent && agent !== dataAgent ? { ...mutation, agent } : mutation;
  });
  return { ...emptyBoard, ...talk, mutations, newMutations: newCalls.length };
}

interface ReadCall {
  readonly agent: string;
  readonly function: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

function readCall(value: unknown): ReadCall {
  const name = isFields(value) ? field(value, 'function_name') : undefined;
  const agent = isFields(value) ? (field(value, 'agent_name') ?? '') : '';
  const given = isFields(value) ? (value['parameters'] ?? {}) : undefined;
  const parameters = isFields(given) && isFields(given['additionalData']) ? given['additionalData'] : given;
  if (typeof name !== 'string' || typeof agent !== 'string' || !isFields(parameters))
    throw bad('one of its functions lacks a name or parameters');
  return { agent, function: name, parameters };
}
