/** What all board files of gpt-multi-atomic-agents have in common, however they spell it (seed-contracts.md B1). */
import { folkmootError } from '../errors.ts';
import type { ForeignMessage } from '../foreign/foreign-board.ts';
import { limits } from '../limits.ts';
import type { Board, BoardMessage, BoardState } from './board.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  !!value && typeof value === 'object' && !Array.isArray(value);

export const bad = (what: string) => folkmootError('FOLKMOOT_BAD_INPUT', `The blackboard file can’t be read: ${what}.`);

/** The board in a file (text or parsed), whether it is wrapped once, twice or not at all. Throws FOLKMOOT_BAD_INPUT. */
export function boardInFile(file: unknown): Fields {
  let board = typeof file === 'string' ? parsed(file) : file;
  for (let depth = 0; depth < 3 && isFields(board) && isFields(board['blackboard']); depth += 1)
    board = board['blackboard'];
  if (!isFields(board)) throw bad('there is no object in it');
  return board;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'The blackboard file is not JSON.', error);
  }
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A field by its snake_case name, in either spelling. */
export const field = (fields: Fields, name: string): unknown => fields[name] ?? fields[camel(name)];

export function listOf(board: Fields, name: string): readonly unknown[] {
  const value = field(board, name) ?? [];
  if (!Array.isArray(value)) throw bad(`${name} is not a list`);
  return value as unknown[];
}

export const foreignMessage = ({ role, text }: BoardMessage): ForeignMessage => ({ role, message: text });

/** What was generated for the request: there, the person's own words are not among the new messages. */
export const newTalk = (board: Board): ForeignMessage[] =>
  board
    .newMessages()
    .filter(({ role }) => role === 'assistant')
    .map(foreignMessage);

/** All messages, and how many at their end are of the request that was worked on. */
export function readTalk(board: Fields): Pick<BoardState, 'messages' | 'newMessages'> {
  const all = listOf(board, 'internal_previous_messages').map(readMessage);
  const fresh = listOf(board, 'internal_newly_generated_messages').map(readMessage);
  const reach = reachOf(all, fresh);
  return reach === undefined
    ? { messages: [...all, ...fresh], newMessages: fresh.length }
    : { messages: all, newMessages: reach };
}

/** How far back from the end the new ones reach: as they stand, or without the person's words between them. */
function reachOf(all: readonly BoardMessage[], fresh: readonly BoardMessage[]): number | undefined {
  const isSame = (messages: readonly BoardMessage[]) => JSON.stringify(messages) === JSON.stringify(fresh);
  if (isSame(all.slice(all.length - fresh.length))) return fresh.length;
  const spoken = all.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
  const first = spoken.at(-fresh.length);
  const ofAgents = all.slice(first).filter(({ role }) => role === 'assistant');
  return first !== undefined && isSame(ofAgents) ? all.length - first : undefined;
}

function readMessage(value: unknown): BoardMessage {
  const { role, message } = isFields(value) ? value : {};
  if ((role !== 'user' && role !== 'assistant') || typeof message !== 'string')
    throw bad('one of its messages lacks a role or text');
  return { role, text: message.slice(0, limits.requestChars) };
}

/** New entries stand at the end of the whole list too; a file in which they don't gets them there. */
export function withTail<T>(all: readonly T[], tail: readonly T[]): readonly T[] {
  const end = all.slice(all.length - tail.length);
  return JSON.stringify(end) === JSON.stringify(tail) ? all : [...all, ...tail];
}

/** More than a board holds is refused, rather than cut. */
export function checkSize(calls: readonly unknown[], messages: readonly unknown[], what: string): void {
  if (calls.length > limits.boardMutations || messages.length > limits.boardMessages)
    throw bad(`it holds more than ${limits.boardMutations} ${what} or ${limits.boardMessages} messages`);
}
