/** Reading what arrives on a wire: forgiving on input, clear when it can't be used. */
import { folkmootError } from '../../engine/errors.ts';
import { applicationText } from '../../engine/graphql/application-data.ts';
import { limits } from '../../engine/limits.ts';
import type { Moot } from '../../engine/moot.ts';
import type { RedMessage } from './red.ts';

/** `msg.moot`, or a fresh one. Throws FOLKMOOT_BAD_INPUT when it is there and isn't ours. */
export function mootOf(message: Partial<RedMessage>): Moot {
  const moot: unknown = message.moot;
  if (moot === undefined || moot === null) return { v: 1 };
  if (typeof moot !== 'object' || Array.isArray(moot)) {
    throw folkmootError('FOLKMOOT_BAD_INPUT', `msg.moot must be an object, not ${typeof moot}.`);
  }
  const version: unknown = (moot as Record<string, unknown>)['v'];
  if (version !== undefined && version !== 1) {
    throw folkmootError('FOLKMOOT_BAD_INPUT', `msg.moot has version ${String(version)}; this version reads 1.`);
  }
  const mutations: unknown = (moot as Record<string, unknown>)['mutations'];
  if (mutations !== undefined && !isMutations(mutations)) {
    throw folkmootError(
      'FOLKMOOT_BAD_INPUT',
      'msg.moot.mutations must be a list of commands, each with id, function and parameters.',
    );
  }
  const { data, ...rest } = moot as Omit<Moot, 'data'> & { readonly data?: unknown };
  return { ...rest, v: 1, ...(data === undefined || data === null ? {} : { data: applicationText(data) }) };
}

function isMutations(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((item: unknown) => {
      const m = item as Record<string, unknown> | null;
      return (
        typeof m === 'object' &&
        m !== null &&
        typeof m['id'] === 'string' &&
        typeof m['function'] === 'string' &&
        typeof m['parameters'] === 'object' &&
        m['parameters'] !== null
      );
    })
  );
}

/** A payload as the words of a request. Throws FOLKMOOT_BAD_INPUT when there are none. */
export function requestText(payload: unknown): string {
  const text = asText(payload)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  if (text === '')
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'msg.payload holds no words, so there is nothing to answer.');
  if (text.length > limits.requestChars) {
    throw folkmootError(
      'FOLKMOOT_BAD_INPUT',
      `The request has ${text.length} characters; ${limits.requestChars} are the most.`,
    );
  }
  return text;
}

function asText(payload: unknown): string {
  if (typeof payload === 'string') return payload;
  if (typeof payload === 'number' || typeof payload === 'boolean' || typeof payload === 'bigint')
    return String(payload);
  if (Buffer.isBuffer(payload)) return payload.toString('utf8');
  if (payload === null || payload === undefined) return '';
  const words = payload as Record<string, unknown>;
  for (const name of ['text', 'message', 'payload']) if (typeof words[name] === 'string') return words[name];
  throw folkmootError('FOLKMOOT_BAD_INPUT', 'msg.payload must be text, or an object with a property text or message.');
}

/** What of a message can be kept in the store: its plain JSON properties; the rest is named. */
export function plainMessage(message: Partial<RedMessage>): { message: Record<string, unknown>; dropped: string[] } {
  const dropped: string[] = [];
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(message)) {
    const json = plainJson(value);
    if (json === undefined) dropped.push(name);
    else kept[name] = json;
  }
  return { message: kept, dropped };
}

function plainJson(value: unknown): unknown {
  try {
    const json = JSON.stringify(value);
    if (json === undefined || json.length > limits.busPayloadBytes) return undefined;
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
