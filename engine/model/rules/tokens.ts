/** Text into words: folded, contractions written out, numbers apart from units, each with its place in the original. */
import type { Words } from './words.ts';

export interface Token {
  /** Lower case, without accents. */
  readonly text: string;
  /** Without the ending of a plural or a third person. */
  readonly stem: string;
  readonly value?: number;
  /** Place in the original text. */
  readonly start: number;
  readonly end: number;
  /** Punctuation between the word before and this one, such as "," or ". ". */
  readonly before: string;
  readonly quoted: boolean;
}

export interface Sentence {
  readonly source: string;
  readonly tokens: readonly Token[];
  /** Punctuation behind the last word. */
  readonly end: string;
}

const pattern = /-?\d+(?:[.,]\d+)?|°[cf]?(?![a-z])|%|\p{L}+(?:['’]\p{L}+)*['’]?|[^\s\p{L}\p{N}]/gu;
const punctuation = /^[.,;:!?…()"'“”„‘’`´_\-–—/]$/u;
const quotes = /["“”„«»`]/u;

/** Never longer than a few characters apart from what is written: folding keeps the length of what people type. */
export const fold = (text: string): string =>
  [...text.toLowerCase()]
    .map((letter) => {
      const plain = letter.normalize('NFD').replace(/\p{M}/gu, '');
      return plain.length === letter.length ? plain : letter;
    })
    .join('')
    .replace(/[’‘´`]/g, "'");

/** "lights" and "switches" give "light" and "switch"; endings of verbs stay, so that a report is no order. */
export function stemOf(word: string): string {
  if (word === 'leaves') return 'leaf';
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (/(?:ch|sh|ss|x|zz|o)es$/.test(word)) return word.slice(0, -2);
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return word.slice(0, -1);
}

/** Splits a text. Two numerals in words become one number ("twenty two"). */
export function readSentence(source: string, words: Words): Sentence {
  const folded = fold(source);
  const tokens: Token[] = [];
  let before = '';
  let isQuoted = false;
  for (const match of folded.matchAll(pattern)) {
    const raw = match[0];
    if (punctuation.test(raw)) {
      if (quotes.test(raw)) isQuoted = !isQuoted;
      before += raw;
      continue;
    }
    const place = { start: match.index, end: match.index + raw.length, quoted: isQuoted };
    for (const text of expanded(raw, folded.slice(place.end), words)) {
      tokens.push({ text, ...meaningOf(text, words), ...place, before });
      before = '';
    }
  }
  return { source, tokens, end: before };
}

function expanded(raw: string, rest: string, words: Words): readonly string[] {
  const plain = raw.replace(/'$/, '');
  if (Object.hasOwn(words.contractions, plain)) return (words.contractions[plain] ?? '').split(' ');
  if (!plain.endsWith("'s")) return [plain.replaceAll("'", '')];
  const noun = plain.slice(0, -2);
  const next = /^\s*([\p{L}]+|-?\d)/u.exec(rest)?.[1];
  const isShort = next === undefined || /\d/.test(next) || words.afterShortIs.includes(next);
  return isShort ? [noun, 'is'] : [noun];
}

/** Numerals get digits as their stem, so that "bed two" meets "bed 2". */
function meaningOf(text: string, words: Words): Pick<Token, 'stem' | 'value'> {
  if (Object.hasOwn(words.numerals, text)) {
    const value = words.numerals[text] ?? 0;
    return { stem: String(value), value };
  }
  if (!/^-?\d/.test(text)) return { stem: stemOf(text) };
  const value = Number(/^-?\d{1,3}(?:,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text.replace(',', '.'));
  return { stem: String(value), value };
}

/** The stems of a phrase as it stands in a language or a word list. */
export const phraseOf = (text: string, words: Words): string[] =>
  readSentence(text.replaceAll('_', ' '), words).tokens.map((token) => token.stem);

/** The part of the original text from one token to another, without punctuation around. */
export const textOf = (sentence: Sentence, from: number, to: number): string => {
  const first = sentence.tokens[from];
  const last = sentence.tokens[to - 1];
  return first && last ? sentence.source.slice(first.start, last.end) : '';
};
