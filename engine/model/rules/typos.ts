/** Mends typing errors: an unknown word becomes the one word of the language that is one edit away. */
import type { Lists } from './lists.ts';
import { fold, stemOf } from './tokens.ts';
import type { Token } from './tokens.ts';

export interface TypingTargets {
  /** Words that are right as they stand. */
  readonly known: ReadonlySet<string>;
  /** Words of four letters and more by their first letter. */
  readonly targets: ReadonlyMap<string, readonly string[]>;
  /** Endings that make another form of a word. */
  readonly endings: readonly string[];
  /** Plurals of them, for words that are near to none of those. */
  readonly plurals: ReadonlyMap<string, readonly string[]>;
}

/** @param texts All words of the functions. */
export function typingTargets(texts: readonly string[], lists: Lists): TypingTargets {
  const own = texts.flatMap((text) => fold(text.replaceAll('_', ' ')).match(/\p{L}+/gu) ?? []);
  const units = Object.values(lists.words.units)
    .flat()
    .flatMap((unit) => unit.split(' '));
  const forms = [...new Set([...own, ...units, ...lists.words.lightVerbs])].filter((word) => word.length >= 4);
  const targets = byLetter(forms);
  const plurals = byLetter(forms.filter((word) => !word.endsWith('s')).map((word) => `${word}s`));
  const known = new Set([...own, ...own.map(stemOf), ...lists.known, ...forms, ...[...plurals.values()].flat()]);
  return { known, targets, plurals, endings: lists.words.endings };
}

const byLetter = (words: readonly string[]): ReadonlyMap<string, readonly string[]> =>
  Map.groupBy(words, (word) => word.charAt(0));

/**
 * The word that an unknown one of four letters or more stands for: same first letter, one edit (two letters swapped is
 * one), and no other word as near. Of four letters only such that lack one or are swapped. Undefined: leave it as it is.
 */
export function mended(token: Token, typing: TypingTargets): string | undefined {
  const { text } = token;
  if (token.value !== undefined || text.length < 4 || typing.known.has(text) || typing.known.has(token.stem))
    return undefined;
  if (isFormOfKnown(text, typing.known)) return undefined;
  return nearest(text, typing.targets, typing.endings) ?? nearest(text, typing.plurals, typing.endings);
}

/** "moving" is a form of "move" and no typing error. */
function isFormOfKnown(text: string, known: ReadonlySet<string>): boolean {
  if (!text.endsWith('ing') || text.length < 6) return false;
  const base = text.slice(0, -3);
  return [base, `${base}e`, base.slice(0, -1)].some((word) => known.has(word));
}

function nearest(text: string, words: TypingTargets['targets'], endings: readonly string[]): string | undefined {
  const isLong = (word: string) => word.length > 4 && (text.length > 4 || word.length > text.length);
  const near = (words.get(text.charAt(0)) ?? []).filter(
    (word) => (isLong(word) || isSwap(text, word)) && isOneEdit(text, word) && hasSameForm(text, word, endings),
  );
  return new Set(near.map(stemOf)).size === 1 ? near[0] : undefined;
}

/** "brighter" is no "brighten", and "mowed" no "mower": another form of a word is no typing error. */
const hasSameForm = (a: string, b: string, endings: readonly string[]): boolean =>
  endings.every((ending) => !a.endsWith(ending) || b.endsWith(ending));

const isSwap = (a: string, b: string): boolean =>
  a.length === b.length && [...a].sort().join('') === [...b].sort().join('');

/** Whether one letter is wrong, lacking, too many, or two neighbours are swapped. */
export function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  const restA = a.slice(at);
  const restB = b.slice(at);
  if (a.length === b.length) {
    const swapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
    return restA.slice(1) === restB.slice(1) || (restA.length > 1 && swapped);
  }
  return a.length > b.length ? restA.slice(1) === restB : restA === restB.slice(1);
}
