import { folkmootError } from '../errors.ts';

/** The one error of a document that can't be read. */
export const bad = (what: string) => folkmootError('FOLKMOOT_BAD_INPUT', `The agent can’t be read: ${what}.`);
