/**
 * Boards as JSON files of gpt-multi-atomic-agents (seed-contracts.md B1), written as its Python program writes them and read
 * in four forms: snake_case, camelCase, camelCase nested twice, and parameters inside `additionalData`.
 */
import { folkmootError } from '../errors.ts';
import { dataAgent, foreignOfCall } from '../foreign/foreign-call.ts';
import type { ForeignCall } from '../foreign/foreign-call.ts';
import type { Language } from '../language/language.ts';
import { limits } from '../limits.ts';
import { dataOf, emptyBoard } from './board.ts';
import type { Board, BoardMessage, BoardState } from './board.ts';

interface ForeignMessage {
  readonly role: 'user' | 'assistant';
  readonly message: string;
}

/** Every field and no other, or its loader refuses the file. */
export interface ForeignBoard {
  readonly format: 'function_call';
  readonly internal_previously_generated_functions: readonly ForeignCall[];
  readonly internal_previous_messages: readonly ForeignMessage[];
  readonly internal_newly_generated_messages: readonly ForeignMessage[];
  readonly internal_newly_generated_functions: readonly ForeignCall[];
}

export interface BoardFile {
  readonly blackboard: ForeignBoard;
  readonly file_schema_version: '0.2';
}

/** Plain JSON; ids, runs and steps are not part of that format. */
export function exportBoard(board: Board): BoardFile {
  return {
    blackboard: {
      format: 'function_call',
      internal_previously_generated_functions: board.view().map((one) => foreignOfCall(one)),
      internal_previous_messages: board.messages().map(foreignMessage),
      internal_newly_generated_messages: board.newMessages().map(foreignMessage),
      internal_newly_generated_functions: board.newly().map((one) => foreignOfCall(one)),
    },
    file_schema_version: '0.2',
  };
}

const foreignMessage = ({ role, text }: BoardMessage): ForeignMessage => ({ role, message: text });

/**
 * Reads a board file (text or parsed). Values that the language knows get their type; others stay text.
 * Throws FOLKMOOT_BAD_INPUT with what is wrong; nothing is imported then.
 */
export function importBoard(file: unknown, language?: Language): BoardState {
  const board = innerBoard(typeof file === 'string' ? parsed(file) : file);
  const calls = listOf(board, 'internal_previously_generated_functions').map(readCall);
  const newCalls = listOf(board, 'internal_newly_generated_functions').map(readCall);
  const messages = listOf(board, 'internal_previous_messages').map(readMessage);
  const newMessages = listOf(board, 'internal_newly_generated_messages').map(readMessage);
  const all = withTail(calls, newCalls);
  const talk = withTail(messages, newMessages);
  if (all.length > limits.boardMutations || talk.length > limits.boardMessages)
    throw bad(`it holds more than ${limits.boardMutations} functions or ${limits.boardMessages} messages`);
  const data = dataOf(all, language);
  const mutations = data.map((mutation, index) => {
    const agent = all[index]?.agent;
    return agent && agent !== dataAgent ? { ...mutation, agent } : mutation;
  });
  return { ...emptyBoard, mutations, messages: talk, newMutations: newCalls.length, newMessages: newMessages.length };
}

const bad = (what: string) => folkmootError('FOLKMOOT_BAD_INPUT', `The blackboard file can’t be read: ${what}.`);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'The blackboard file is not JSON.', error);
  }
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => !!value && typeof value === 'object' && !Array.isArray(value);

/** The board inside the file, whether it is wrapped once, twice or not at all. */
function innerBoard(file: unknown): Fields {
  let board: unknown = file;
  for (let depth = 0; depth < 3 && isFields(board) && isFields(board['blackboard']); depth += 1)
    board = board['blackboard'];
  if (!isFields(board)) throw bad('there is no object in it');
  const format = board['format'] ?? 'function_call';
  if (format !== 'function_call') throw bad(`its format is "${String(format)}"; only "function_call" can be read`);
  return board;
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A field by its snake_case name, in either spelling. */
const field = (fields: Fields, name: string): unknown => fields[name] ?? fields[camel(name)];

function listOf(board: Fields, name: string): readonly unknown[] {
  const value = field(board, name) ?? [];
  if (!Array.isArray(value)) throw bad(`${name} is not a list`);
  return value as unknown[];
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

function readMessage(value: unknown): BoardMessage {
  const { role, message } = isFields(value) ? value : {};
  if ((role !== 'user' && role !== 'assistant') || typeof message !== 'string')
    throw bad('one of its messages lacks a role or text');
  return { role, text: message.slice(0, limits.requestChars) };
}

/** New entries stand at the end of the whole list too; a file in which they don't gets them there. */
function withTail<T>(all: readonly T[], tail: readonly T[]): readonly T[] {
  const end = all.slice(all.length - tail.length);
  return JSON.stringify(end) === JSON.stringify(tail) ? all : [...all, ...tail];
}
