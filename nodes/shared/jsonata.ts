/** JSONata as Node-RED brings it, with errors that can be read. */
import { asError } from '../../engine/errors.ts';
import type { Red, RedNode } from './red.ts';

/** Throws an Error in words when it is not JSONata. */
export function prepareExpression(RED: Red, node: RedNode, expression: string): unknown {
  try {
    return RED.util.prepareJSONataExpression(expression, node);
  } catch (thrown) {
    throw readable(thrown);
  }
}

/** @param prepared By `prepareExpression`. Rejects with an Error in words. */
export const evaluateExpression = (RED: Red, prepared: unknown, scope: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    RED.util.evaluateJSONataExpression(prepared, scope, (error, value) => {
      if (error) reject(readable(error));
      else resolve(value);
    });
  });

/** JSONata throws plain objects with a message. */
function readable(thrown: unknown): Error {
  const message = (thrown as { message?: unknown } | null)?.message;
  return thrown instanceof Error || typeof message !== 'string' ? asError(thrown) : new Error(message);
}
