/**
 * Talk on a stream, in the form of the townhall (seed-contracts.md C): entries of `role` and `text`, a window of the last
 * ones, each speaker's own lines as "You".
 */
import { limits } from '../limits.ts';

export interface TalkEntry {
  readonly id: string;
  readonly role: string;
  readonly text: string;
}

/** What streams give: values as bytes. */
export interface RawTalk {
  readonly id: string;
  readonly fields: Readonly<Record<string, Uint8Array>>;
}

/** Nothing when role or text is missing or blank. Longer texts than `limits.talkChars` are cut. */
export function readTalk({ id, fields }: RawTalk): TalkEntry | undefined {
  const [role = '', text = ''] = ['role', 'text'].map((name) => {
    const bytes = fields[name];
    return bytes ? Buffer.from(bytes).toString('utf8').trim() : '';
  });
  return role === '' || text === '' ? undefined : { id, role, text: text.slice(0, limits.talkChars) };
}

export const readAllTalk = (entries: readonly RawTalk[]): TalkEntry[] => entries.flatMap((raw) => readTalk(raw) ?? []);

/** `Role: text`, a blank line between two; the oldest are left out when it gets too long to be asked. */
export function talkText(entries: readonly TalkEntry[], own: string): string {
  const lines = entries.map(({ role, text }) => `${role === own ? 'You' : role}: ${text}`);
  while (lines.length > 1 && lines.join('\n\n').length > limits.requestChars) lines.shift();
  return lines.join('\n\n').slice(-limits.requestChars);
}

/**
 * The last entries up to the unread ones, at most `size`, none twice, in order.
 * @param older Those before the first unread one, oldest first.
 */
export function talkWindow(
  older: readonly TalkEntry[],
  unread: readonly TalkEntry[],
  size: number = limits.talkWindow,
): TalkEntry[] {
  const seen = new Set<string>();
  return [...older, ...unread].filter(({ id }) => !seen.has(id) && seen.add(id)).slice(-size);
}

/** Names an entry for the reader of one node: the same after a restart. */
export const streamRequestId = (entryId: string, nodeId: string): string => `${entryId}-${nodeId}`;

/** The conversation of a stream; its name becomes part of keys. */
export const streamConversation = (key: string): string => `stream-${key.replace(/[^\p{L}\p{N}_-]+/gu, '-')}`;
