/**
 * The one table of errors. Each has a code, and a text that says what happened, where, and what to do.
 * `docs/errors.md` documents every code; a spec holds the two together.
 */

/** Codes with a sentence on what to do. What happened and where is said by whoever throws. */
export const errorTable = {
  FOLKMOOT_BAD_INPUT: 'Send text, or an object in the form that the help of this node shows.',
  FOLKMOOT_BAD_SETTING: 'Open the node, correct the setting and deploy.',
  FOLKMOOT_MISSING_CONFIG: 'Open the node, choose a configuration that exists and is enabled, and deploy.',
  FOLKMOOT_LANGUAGE_INVALID: 'Correct the function in the language node; the text names what is wrong.',
  FOLKMOOT_COMMAND_INVALID: 'The command is left out. Ask again with a value that is allowed.',
  FOLKMOOT_NOT_ALLOWED: 'Add the function to what the agent may generate, or ask another agent.',
  FOLKMOOT_NOT_WIRED: 'Draw a wire from the “may ask” output to the agent that shall be asked.',
  FOLKMOOT_NO_AGENTS: 'Draw wires from the “may ask” output to the agents: a router needs one, a judge two.',
  FOLKMOOT_PLAN_INVALID: 'Ask again in other words, or choose a larger model.',
  FOLKMOOT_RUN_FAILED: 'Look into the log; if it happens again, report it with the lines around it.',
  FOLKMOOT_DEADLINE: 'Try again, or give it more time in the node’s settings.',
  FOLKMOOT_NOT_HERE: 'Start the program that holds it, or check its name and which broker it uses.',
  FOLKMOOT_CANCELLED: 'Nothing needs to be done; it was stopped on purpose.',
  FOLKMOOT_LIMIT: 'Ask for less at once, or raise the limit in the node’s settings.',
  FOLKMOOT_TOO_DEEP: 'A result is wired back to where it came from: take that wire away or put a condition in between.',
  FOLKMOOT_LOOP: 'An answer came back to the router that asked for it: take that wire away.',
  FOLKMOOT_MODEL_FAILED: 'Check the model’s address, name and key; the text says what the model server answered.',
  FOLKMOOT_MODEL_UNREADABLE: 'Ask again, or choose a larger model: its answer was not in the form that was asked for.',
  FOLKMOOT_MODEL_UNKNOWN:
    'Choose one of the providers that the model node lists; install its package if the text says so.',
  FOLKMOOT_STORE_CONFLICT: 'Somebody else changed the same record first: read it again and repeat.',
  FOLKMOOT_STORE_FAILED: 'Check that the store has space, and that whoever runs Node-RED may use its folder or server.',
  FOLKMOOT_STORE_LOST: 'Check that the Valkey server runs and that address, user and password are right.',
  FOLKMOOT_STORE_NEWER: 'Update Folkmoot: the record was written by a newer version.',
  FOLKMOOT_STORE_VALUE: 'Store plain JSON below the size limit.',
  FOLKMOOT_BUS_LOST: 'Check that the broker runs and that address, user and password are right.',
  FOLKMOOT_BUS_NEEDS_BROKER: 'Give the connections node a broker address (mqtt://…): this needs a real broker.',
  FOLKMOOT_BUS_REFUSED: 'The broker refused it: check topic and access rights.',
  FOLKMOOT_BUS_FULL: 'More is waiting than the queue holds: slow down the sender or raise the limit.',
  FOLKMOOT_MESSAGE_INVALID: 'The message was dropped. The sender has to send it in the documented form.',
  FOLKMOOT_REPLY_MISSING: 'Wire the report (or result and fallback) to a bus out node, so that people get an answer.',
  FOLKMOOT_RULE_INVALID: 'Open the node and correct the condition or the sentence of this rule.',
  FOLKMOOT_TOOL_FAILED: 'Look at the nodes between tool and tool result; the text says what went wrong there.',
  FOLKMOOT_TOOL_AWAY:
    'Look whether the server or program of the toolbox runs; it is asked again by itself when it is back.',
  FOLKMOOT_MISSING_PACKAGE: 'Install the package that the text names, in the Node-RED folder, and restart.',
  FOLKMOOT_NO_HANDLER: 'Register a handler for the function, for its category, or a default one.',
  FOLKMOOT_HANDLER_TWICE: 'Register each function, and the handler of each category, once.',
  FOLKMOOT_PORT_TAKEN: 'Choose another port, or stop the program that uses this one.',
  FOLKMOOT_START_REFUSED: 'Correct that and start again.',
} as const;

export type ErrorCode = keyof typeof errorTable;

export class FolkmootError extends Error {
  override readonly name = 'FolkmootError';
  readonly code: ErrorCode;
  constructor(code: ErrorCode, what: string, options?: { cause?: unknown }) {
    super(`${what} ${errorTable[code]}`, options);
    this.code = code;
  }
}

/**
 * Makes an error of the table.
 * @param what One or two full sentences: what happened and where, with a full stop. What to do is added from the table.
 */
export function folkmootError(code: ErrorCode, what: string, cause?: unknown): FolkmootError {
  return new FolkmootError(code, what, cause === undefined ? undefined : { cause });
}

export function isFolkmootError(error: unknown, code?: ErrorCode): error is FolkmootError {
  return error instanceof FolkmootError && (code === undefined || error.code === code);
}

/** Any thrown value as an Error, so that `cause` and Catch always get one. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
