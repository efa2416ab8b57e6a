/** The messages that apply sends, and those that come back to it. */
import type { Report } from '../../engine/apply/report.ts';
import { folkmootError } from '../../engine/errors.ts';
import type { Moot, Mutation } from '../../engine/moot.ts';
import type { Red, RedMessage } from '../shared/red.ts';

/** `msg.operation`: what was done before is done again. Other words there are for other nodes. */
export const freshOperation = 'fresh start';

/**
 * One command for its row: a copy of the message that brought it, with the typed values as payload, and in `msg.graphql` the
 * text of a GraphQL mutation.
 */
export function rowMessage(
  RED: Red,
  origin: Partial<RedMessage>,
  mutation: Mutation,
  row: number,
): Partial<RedMessage> {
  const { moot: brought, error: _error, ...rest } = withoutOperation(origin);
  const moot: Moot = {
    v: 1,
    ...(brought?.run ? { run: brought.run } : {}),
    ...(brought?.conversation ? { conversation: brought.conversation } : {}),
    ...(brought?.request ? { request: brought.request } : {}),
    ...(brought?.user ? { user: brought.user } : {}),
    mutations: [mutation],
    row: row + 1,
  };
  const text = mutation.graphql === undefined ? {} : { graphql: mutation.graphql };
  return RED.util.cloneMessage({ ...rest, payload: { ...mutation.parameters }, ...text, moot });
}

export function reportMessage(message: Partial<RedMessage>, moot: Moot, report: Report): Partial<RedMessage> {
  const rest = withoutOperation(message);
  return { ...rest, payload: report.payload, moot: { ...withoutAgain(moot), report: report.lines } };
}

/** Whoever gets what leaves here is not asked for a fresh start. */
function withoutOperation({ operation, ...message }: Partial<RedMessage>): Partial<RedMessage> {
  return operation === undefined || operation === freshOperation ? message : { ...message, operation };
}

/** A board behind would take what is done again for new. */
const withoutAgain = (moot: Moot): Moot =>
  moot.mutations ? { ...moot, mutations: moot.mutations.filter(({ again }) => again === undefined) } : moot;

/** No reply: people were answered already, and are only told. */
export function lateMessage(message: RedMessage, moot: Moot, report: Report): Partial<RedMessage> {
  const { row: _row, ...rest } = moot;
  const { error: _error, ...kept } = message;
  return { ...kept, payload: report.payload, moot: { ...withoutAgain(rest), report: report.lines, late: true } };
}

/**
 * The command of a row's message that came back: with an error from a Catch node, else from a Complete node. Without an
 * error only a message with `moot.row` is one: another with a single command is new.
 */
export function isBack(message: RedMessage, moot: Moot): Mutation | undefined {
  const [mutation, ...others] = moot.mutations ?? [];
  if (!mutation || others.length > 0 || moot.outcome !== undefined) return undefined;
  return message.error !== undefined || moot.row !== undefined ? mutation : undefined;
}

/** Whether `msg.cancel` says that nothing shall be done. Throws FOLKMOOT_BAD_INPUT where that is neither true nor false. */
export function isCancelled({ cancel }: Partial<RedMessage>): boolean {
  if (cancel === undefined || cancel === null || typeof cancel === 'boolean') return cancel === true;
  throw folkmootError('FOLKMOOT_BAD_INPUT', 'msg.cancel must be true or false, so nothing was done.');
}

/** Throws FOLKMOOT_BAD_INPUT for a message with neither commands nor words. */
export function checkContent(message: RedMessage, moot: Moot): void {
  const isBlank = message.payload === undefined || message.payload === null || message.payload === '';
  if (isBlank && moot.mutations === undefined)
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'The message holds neither commands (msg.moot.mutations) nor words.');
}
