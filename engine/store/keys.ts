/** Keys of the store (contracts.md 7): written and checked in one place, for all adapters. */
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { StoreChange } from './store.ts';

/** Longest key, in UTF-16 code units. */
export const keyLength = 512;
/** Most records in one answer of a scan, and most changes in one transaction. */
export const batchSize = 1_000;

/** Last part of a key: a store that is too full drops such records before their time, soonest to expire first. */
export const spareEnd = 'spare';

const unfit = /[\p{Cc}\p{Cs}]/u;

/** Text for one part of a key: `%`, `:`, braces and control characters are written as `%XX`, the rest stays readable. */
export const keyPart = (text: string): string =>
  text.replace(
    /[%:{}\p{Cc}\p{Cs}]/gu,
    (c) => `%${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

/** The owner's id inside braces: as `keyPart`, but a colon is no trouble there. */
const tagPart = (text: string): string => keyPart(text).replaceAll('%3A', ':');

/**
 * `folkmoot:{<tag>}:<part>:<part>…`; all keys with the same tag may stand in one transaction. The parts are taken as
 * they are: wrap what comes from outside in `keyPart`.
 */
export const tagged = (tag: string, ...parts: readonly string[]): string =>
  ['folkmoot', `{${tagPart(tag)}}`, ...parts].join(':');

/** The id that decides where a key lives: what stands in its first braces, else the whole key. */
export const hashTag = (key: string): string => /\{([^}]+)\}/.exec(key)?.[1] ?? key;

/** Throws FOLKMOOT_STORE_VALUE unless the text can be a key or the name of a log. */
export function checkKey(key: string): void {
  const fits = typeof key === 'string' && key.length > 0 && key.length <= keyLength && !unfit.test(key);
  if (fits) return;
  const shown = JSON.stringify(String(key).slice(0, 80));
  throw folkmootError(
    'FOLKMOOT_STORE_VALUE',
    `The key ${shown} has to be 1 to ${keyLength} characters without control characters.`,
  );
}

/** A value as JSON text. Throws FOLKMOOT_STORE_VALUE when JSON cannot hold it or it is too large. */
export function checkValue(key: string, value: unknown): string {
  let text: unknown;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw folkmootError('FOLKMOOT_STORE_VALUE', `The value for ${key} cannot be written as JSON.`, cause);
  }
  if (typeof text !== 'string')
    throw folkmootError('FOLKMOOT_STORE_VALUE', `The value for ${key} cannot be written as JSON.`);
  if (text.length > limits.storeValueBytes || Buffer.byteLength(text) > limits.storeValueBytes) {
    const sizes = `${Buffer.byteLength(text)} of ${limits.storeValueBytes} bytes`;
    throw folkmootError('FOLKMOOT_STORE_VALUE', `The value for ${key} is too large: ${sizes}.`);
  }
  return text;
}

/** Throws FOLKMOOT_STORE_VALUE unless the changes may stand in one transaction. */
export function checkChanges(changes: readonly StoreChange[]): void {
  if (changes.length > batchSize) {
    const count = `${changes.length} of ${batchSize}`;
    throw folkmootError('FOLKMOOT_STORE_VALUE', `A transaction holds too many changes: ${count}.`);
  }
  const keys = changes.map((change) => (change.kind === 'append' ? change.log : change.key));
  keys.forEach(checkKey);
  const other = keys.find((key) => hashTag(key) !== hashTag(keys[0] ?? key));
  if (other === undefined) return;
  throw folkmootError(
    'FOLKMOOT_STORE_VALUE',
    `A transaction mixes keys of two owners, ${keys[0] ?? ''} and ${other}: they may live on two servers.`,
  );
}

/**
 * The smallest text greater than all texts with this prefix, in order of code points; undefined: there is none.
 * With it a scan is a range of keys.
 */
export function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (c) => c.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, next);
}
