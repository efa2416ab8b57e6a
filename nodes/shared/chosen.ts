/** Config nodes that a setting names. */
import { folkmootError } from '../../engine/errors.ts';
import type { Red } from './red.ts';

/** Blank is always right. Throws FOLKMOOT_MISSING_CONFIG. @param what In words: "policy". */
export function requireChosen(RED: Red, id: string, what: string): void {
  if (id && !RED.nodes.getNode(id))
    throw folkmootError('FOLKMOOT_MISSING_CONFIG', `The chosen ${what} node is missing or disabled.`);
}
