/** A conversation's rows as A.M.I.C.A. keeps them (seed-contracts.md A7): a list under `conversation:<id>`. */
import { writeAmicaDate } from '../bus/amica-date.ts';
import { limits } from '../limits.ts';
import type { Store } from '../store/store.ts';

export interface ConversationRow {
  /** Who said it: the user's name or an agent's id. */
  readonly source: string;
  readonly text: string;
  readonly messageType: 'USER_MESSAGE' | 'AGENT_MESSAGE';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
}

export const conversationKey = (conversationId: string): string => `conversation:${conversationId}`;

export const conversationRow = (
  messageType: ConversationRow['messageType'],
  source: string,
  text: string,
  atMs: number,
): ConversationRow => ({ source, text, messageType, timestamp: writeAmicaDate(atMs) });

/** Appends in order. The list expires 30 days after its last row. Throws FOLKMOOT_STORE_FAILED. */
export async function appendRows(
  store: Store,
  conversationId: string,
  rows: readonly ConversationRow[],
): Promise<void> {
  const options = { cap: limits.logEntries, expiresInMs: limits.recordExpiryMs };
  await store.append(conversationKey(conversationId), rows, options);
}
