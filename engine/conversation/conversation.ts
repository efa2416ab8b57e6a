/**
 * Conversations as rows in the store: A.M.I.C.A.'s list `conversation:<id>` and its ConversationMessage form, so that
 * its agents can read them back (seed-contracts.md A7). Fields that are empty are left out.
 */
import type { Clock } from '../clock.ts';
import { writeAmicaDate } from '../bus/amica-date.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Store } from '../store/store.ts';

/** What the keys of all conversations begin with; on a server, agents of others read and write these lists too. */
export const conversationPrefix = 'conversation:';

/** The list's key, A.M.I.C.A.'s own. */
export const conversationKey = (conversation: string): string => `${conversationPrefix}${conversation}`;

export type MessageType = 'USER_MESSAGE' | 'AGENT_MESSAGE' | 'TOOL_EXECUTION';

/** A tool call that an agent made, or the one that a tool's result answers. */
export interface ExecutionRequest {
  readonly id?: string;
  readonly toolName?: string;
  /** JSON text. */
  readonly toolArguments?: string;
}

export interface ConversationMessage {
  /** Name of the user, id of the agent, or name of the tool. */
  readonly source: string;
  readonly text?: string;
  readonly messageType: MessageType;
  /** UTC, ISO 8601 with `Z`: when it was stored. */
  readonly timestamp: string;
  readonly agentThinking?: string;
  readonly executionRequests?: readonly ExecutionRequest[];
}

/** A row to append; the moment is added. */
export type NewMessage =
  | { readonly messageType: 'USER_MESSAGE'; readonly source: string; readonly text: string }
  | {
      readonly messageType: 'AGENT_MESSAGE';
      readonly source: string;
      readonly text?: string;
      readonly agentThinking?: string;
      readonly executionRequests?: readonly ExecutionRequest[];
    }
  | {
      readonly messageType: 'TOOL_EXECUTION';
      readonly source: string;
      readonly text: string;
      readonly executionRequests: readonly ExecutionRequest[];
    };

export interface Conversations {
  /**
   * Appends rows in order, all or none, and renews the conversation's expiry. Texts are cut at `limits.promptChars`.
   * Throws FOLKMOOT_MESSAGE_INVALID for a row that A.M.I.C.A.'s agents could not read: it would spoil the whole list.
   */
  append(conversation: string, rows: readonly NewMessage[]): Promise<void>;
  /** The newest `count` rows, oldest first; rows of others that are not in the form are passed over. */
  readLast(conversation: string, count: number): Promise<readonly ConversationMessage[]>;
  forget(conversation: string): Promise<boolean>;
}

export interface ConversationsOptions {
  /** How long a conversation is kept after its last row. Default: `limits.recordExpiryMs`. */
  readonly expiryMs?: number;
}

/**
 * Conversations over a store. One that an agent of others has given a time of its own keeps it (see `sharedLogs` of the
 * store on Valkey).
 */
export function createConversations(store: Store, clock: Clock, options: ConversationsOptions = {}): Conversations {
  const { expiryMs: expiresInMs = limits.recordExpiryMs } = options;
  return {
    async append(conversation, rows) {
      const timestamp = writeAmicaDate(clock.now());
      const values = rows.map((row) => rowOf(row, timestamp));
      if (!values.length) return;
      await store.append(conversationKey(conversation), values, { expiresInMs });
    },
    async readLast(conversation, count) {
      const entries = await store.readLast(conversationKey(conversation), count);
      return entries.flatMap((entry) => readRow(entry.value) ?? []);
    },
    forget: (conversation) => store.deleteLog(conversationKey(conversation)),
  };
}

/** A.M.I.C.A.'s agents keep the whole prompt; the person's words follow this line. */
const marker = 'Respond to the following user message:';

/** What was said in a row, without what a program put in front of it; empty: nothing. */
export function saidIn({ text = '' }: Pick<ConversationMessage, 'text'>): string {
  const at = text.indexOf(marker);
  return (at < 0 ? text : text.slice(at + marker.length)).trim();
}

const notBlank = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';
const types: readonly unknown[] = ['USER_MESSAGE', 'AGENT_MESSAGE', 'TOOL_EXECUTION'] satisfies MessageType[];

/** A row as others wrote it: Java leaves out what is empty, other programs write null. Undefined: it is none. */
function readRow(value: unknown): ConversationMessage | undefined {
  if (!value || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const withoutNull = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== null));
  const given: Record<string, unknown> = { source: '', ...withoutNull(value) };
  const requests = given['executionRequests'];
  const row = {
    ...given,
    ...(Array.isArray(requests)
      ? { executionRequests: requests.map((one: unknown) => (one && typeof one === 'object' ? withoutNull(one) : one)) }
      : {}),
  };
  return isConversationMessage(row) ? row : undefined;
}

/** Whether a value is a row that can be read back. A missing text counts as empty, as Java writes it. */
export function isConversationMessage(value: unknown): value is ConversationMessage {
  if (!value || typeof value !== 'object' || Array.isArray(value)) return false;
  const row = value as Record<string, unknown>;
  if (typeof row['source'] !== 'string' || !types.includes(row['messageType'])) return false;
  const requests = row['executionRequests'];
  if (requests !== undefined && !(Array.isArray(requests) && requests.every(isExecutionRequest))) return false;
  if (row['messageType'] === 'AGENT_MESSAGE') return row['text'] === undefined || typeof row['text'] === 'string';
  const isTool = row['messageType'] === 'TOOL_EXECUTION';
  return notBlank(row['text']) && (!isTool || (Array.isArray(requests) && requests.length > 0));
}

const isExecutionRequest = (value: unknown): boolean =>
  !!value &&
  typeof value === 'object' &&
  ['id', 'toolName', 'toolArguments'].every((name) => {
    const field = (value as Record<string, unknown>)[name];
    return field === undefined || typeof field === 'string';
  });

function rowOf(message: NewMessage, timestamp: string): ConversationMessage {
  const { source, messageType } = message;
  const requests = 'executionRequests' in message ? message.executionRequests : undefined;
  const row = withoutEmpty({
    source,
    text: message.text?.slice(0, limits.promptChars),
    messageType,
    timestamp,
    agentThinking: 'agentThinking' in message ? message.agentThinking?.slice(0, limits.promptChars) : undefined,
    executionRequests: requests?.map((request) => withoutEmpty({ ...request })),
  });
  const saysNothing = messageType === 'AGENT_MESSAGE' && !notBlank(message.text) && !requests?.length;
  if (notBlank(source) && !saysNothing && isConversationMessage(row)) return row;
  const rule = 'a row needs words, an agent’s at least a call, and a tool’s the call that it answers';
  throw folkmootError('FOLKMOOT_MESSAGE_INVALID', `A row of ${source || 'nobody'} cannot be kept: ${rule}.`);
}

/** As Micronaut Serde writes: null, empty text and empty lists are left out. */
function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}
