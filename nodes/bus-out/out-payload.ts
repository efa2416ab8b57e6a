/** What of a payload leaves on the bus: words for people, or bytes and JSON on a topic. */
import { folkmootError } from '../../engine/errors.ts';

/** Objects and lists as JSON. Throws FOLKMOOT_BAD_INPUT for what JSON can't hold. */
export function asPublished(payload: unknown): string | Uint8Array {
  if (payload === undefined || payload === null) return '';
  if (typeof payload === 'string' || payload instanceof Uint8Array) return payload;
  const isPlain = typeof payload === 'number' || typeof payload === 'boolean' || typeof payload === 'bigint';
  if (isPlain) return String(payload);
  try {
    const text = JSON.stringify(payload) as string | undefined;
    if (text !== undefined) return text;
  } catch {
    // Said below.
  }
  throw folkmootError('FOLKMOOT_BAD_INPUT', 'msg.payload can not be written as JSON.');
}

/**
 * The words for a person; nothing for events of a run that are no words.
 * Throws FOLKMOOT_BAD_INPUT for an object that holds none.
 */
export function wordsOf(payload: unknown): string | undefined {
  if (payload === undefined || payload === null) return '';
  if (typeof payload === 'string') return payload;
  if (typeof payload === 'number' || typeof payload === 'boolean') return String(payload);
  if (payload instanceof Uint8Array) return Buffer.from(payload).toString('utf8');
  const { kind, run, data, text } = payload as Record<string, unknown>;
  if (typeof text === 'string') return text;
  if (typeof kind === 'string' && typeof run === 'string') return kind === 'text' ? wordsOf(data) : undefined;
  throw folkmootError('FOLKMOOT_BAD_INPUT', 'msg.payload must be the words of the answer.');
}
