import { asError, errorTable, folkmootError } from '../errors.ts';

/** The one error of a document that can't be read. */
export const bad = (what: string) => folkmootError('FOLKMOOT_BAD_INPUT', `The agent can’t be read: ${what}.`);

/** What is wrong, without the advice for those who send messages: a file is mended, not sent. */
export const reasonOf = (thrown: unknown): string =>
  asError(thrown).message.replace(errorTable.FOLKMOOT_BAD_INPUT, '').trim();
