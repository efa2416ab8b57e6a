/**
 * Conversations as rows in the store: A.M.I.C.A.'s list `conversation:<id>` and its ConversationMessage form, so that
 * its agents can read them back (seed-contracts.md A7). Fields that are empty are left out.
 */
import type { Clock } from '../clock.ts';
import { writeAmicaDate } from '../bus/amica-date.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Store } from '../store/store.ts';

/** The list's key, A.M.I.C.A.'s own. */
export const conversationKey = (conversation: string): string => `conversation:${conversation}`;

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

/** Conversations over a store; each expires `limits.recordExpiryMs` after its last row. */
export function createConversations(store: Store, clock: Clock): Conversations {
  return {
    async append(conversation, rows) {
      const timestamp = writeAmicaDate(clock.now());
      const values = rows.map((row) => rowOf(row, timestamp));
      if (!values.length) return;
      await store.append(conversationKey(conversation), values, { expiresInMs: limits.recordExpiryMs });
    },
    async readLast(conversation, count) {
      const entries = await store.readLast(conversationKey(conversation), count);
      return entries.map((entry) => entry.value).filter(isConversationMessage);
    },
    forget: (conversation) => store.deleteLog(conversationKey(conversation)),
  };
}

const notBlank = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';
const types: readonly unknown[] = ['USER_MESSAGE', 'AGENT_MESSAGE', 'TOOL_EXECUTION'] satisfies MessageType[];

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
  if (notBlank(source) && isConversationMessage(row)) return row;
  const rule = 'a user’s and a tool’s row need words, a tool’s row also the call that it answers';
  throw folkmootError('FOLKMOOT_MESSAGE_INVALID', `A row of ${source || 'nobody'} cannot be kept: ${rule}.`);
}

/** As Micronaut Serde writes: null, empty text and empty lists are left out. */
function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}
