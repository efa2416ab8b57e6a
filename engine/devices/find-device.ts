/**
 * Which device is meant by a name that a person or a model wrote: by name or alias, whatever the case, the accents and
 * the Unicode form. Never guesses: two that fit are a tie, and a miss names the nearest.
 */
import type { Device } from './device.ts';
import { plain } from './plain.ts';

export type FoundDevice<D> =
  | { readonly kind: 'found'; readonly device: D }
  | { readonly kind: 'tie'; readonly devices: readonly D[] }
  /** `nearest`: at most three, best first; none when nothing is near. */
  | { readonly kind: 'miss'; readonly nearest: readonly D[] };

type Named = Pick<Device, 'name' | 'aliases' | 'room'>;

const small = new Set([
  'the',
  'a',
  'an',
  'my',
  'our',
  'in',
  'of',
  'on',
  'at',
  'to',
  'please',
  'der',
  'die',
  'das',
  'im',
]);

/** The words that count, in their order. */
const wordsIn = (text: string): string[] => {
  const words = plain(text).split(' ');
  const heavy = words.filter((word) => !small.has(word));
  return heavy.length ? heavy : words;
};
const joined = (text: string): string => wordsIn(text).join('');
const sorted = (text: string): string => wordsIn(text).sort().join(' ');

/** "kuechenlicht" for Küchenlicht. */
const withoutUmlauts = (text: string): string => joined(text).replace(/([aou])e/g, '$1');

/** From the strictest to the widest; the first that fits any device decides. */
const ways: readonly ((said: string, name: string) => boolean)[] = [
  (said, name) => said.normalize('NFC').trim() === name.normalize('NFC').trim(),
  (said, name) => said.normalize('NFC').trim().toLowerCase() === name.normalize('NFC').trim().toLowerCase(),
  (said, name) => plain(said) === plain(name),
  (said, name) => joined(said) === joined(name),
  (said, name) => sorted(said) === sorted(name),
  (said, name) => withoutUmlauts(said) === withoutUmlauts(name),
];

export function findDevice<D extends Named>(said: string, devices: readonly D[]): FoundDevice<D> {
  if (wordsIn(said).join('') === '') return { kind: 'miss', nearest: [] };
  for (const fits of ways) {
    const found = devices.filter((device) => namesOf(device).some((name) => fits(said, name)));
    if (found.length === 1) return { kind: 'found', device: found[0] as D };
    if (found.length > 1) return { kind: 'tie', devices: found };
  }
  return partly(said, devices) ?? { kind: 'miss', nearest: nearest(said, devices) };
}

const namesOf = ({ name, aliases, room }: Named): readonly string[] => [
  ...[name, ...aliases],
  ...(room ? [`${room} ${name}`] : []),
];

/** All words that were said belong to the names of one device only; of several, to one in a row only. */
function partly<D extends Named>(said: string, devices: readonly D[]): FoundDevice<D> | undefined {
  const words = wordsIn(said);
  const found = devices.filter((device) => {
    const own = new Set(namesOf(device).map(wordsIn).flatMap(withPairs));
    return words.every((word) => own.has(word));
  });
  if (found.length === 0) return undefined;
  if (found.length === 1) return { kind: 'found', device: found[0] as D };
  // "floor lamp" is no lamp whose long name has a floor elsewhere.
  const inRow = found.filter((device) => namesOf(device).some((name) => isInRow(words, wordsIn(name))));
  return inRow.length === 1 ? { kind: 'found', device: inRow[0] as D } : { kind: 'tie', devices: found };
}

const isInRow = (words: readonly string[], name: readonly string[]): boolean =>
  words.length > 1 && ` ${name.join(' ')} `.includes(` ${words.join(' ')} `);

/** Also two words in a row written as one: "frontdoor". */
const withPairs = (words: readonly string[]): string[] => [
  ...words,
  ...words.slice(1).map((word, index) => `${words[index] ?? ''}${word}`),
];

const mostNear = 3;

function nearest<D extends Named>(said: string, devices: readonly D[]): readonly D[] {
  const scored = devices.map((device) => ({
    device,
    score: Math.max(...namesOf(device).map((name) => likeness(said, name))),
  }));
  return scored
    .filter(({ score }) => score >= 0.3)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostNear)
    .map(({ device }) => device);
}

/** 0 to 1: pairs of letters in common (Dice), of the words put together; the better of all words and the best two. */
function likeness(said: string, name: string): number {
  const whole = dice(joined(said), joined(name));
  const byWord = wordsIn(said).map((word) => Math.max(...wordsIn(name).map((other) => dice(word, other))));
  return Math.max(whole, byWord.reduce((sum, one) => sum + one, 0) / byWord.length);
}

function dice(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  const left = [...b];
  const common = a.filter((pair) => {
    const at = left.indexOf(pair);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return (2 * common.length) / Math.max(1, a.length + b.length);
}

const pairsOf = (word: string): string[] => {
  const framed = ` ${word} `;
  return [...framed].slice(1).map((letter, index) => `${framed[index] ?? ''}${letter}`);
};
