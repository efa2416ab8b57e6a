/** A part of a sentence made ready to be matched: politeness taken off, typing errors mended, its mood known. */
import type { CompiledLanguage } from './compile.ts';
import { longestAt, longestEnd } from './lists.ts';
import type { Lists } from './lists.ts';
import { quantitiesOf } from './quantities.ts';
import type { Quantity } from './quantities.ts';
import { stemOf } from './tokens.ts';
import type { Sentence, Token } from './tokens.ts';
import { mended } from './typos.ts';

export interface ClauseToken extends Token {
  /** The word was mended. */
  readonly isMended?: boolean;
}

export interface Clause {
  readonly sentence: Sentence;
  /** Without politeness and fillers. */
  readonly tokens: readonly ClauseToken[];
  readonly stems: readonly string[];
  /** All stems as said, before anything was taken off. */
  readonly said: readonly string[];
  readonly quantities: readonly Quantity[];
  /** First and behind last token in the sentence. */
  readonly from: number;
  readonly to: number;
  /** It asks for information instead of ordering. */
  readonly isQuestion: boolean;
  /** Its verb says that something shall be more or less: "dim …". */
  readonly isShift: boolean;
  /** An order with a question mark, without any politeness that explains it. */
  readonly isDoubtful: boolean;
}

/** @param to Behind the last token. */
export function readClause(sentence: Sentence, from: number, to: number, language: CompiledLanguage): Clause {
  const { lists } = language;
  const whole = sentence.tokens.slice(from, to);
  const said = whole.map((token) => token.stem);
  const mendedTokens = whole.map((token) => mendToken(token, language));
  const { tokens, isPolite } = strip(withoutFillers(joinWords(mendedTokens, language), lists), language);
  const stems = tokens.map((token) => token.stem);
  const isQuestion = asks(stems, lists);
  const endsWith = to < sentence.tokens.length ? (sentence.tokens[to]?.before ?? '') : sentence.end;
  return {
    sentence,
    tokens,
    stems,
    said,
    quantities: quantitiesOf(tokens, lists),
    from,
    to,
    isQuestion,
    isShift: lists.shifting.has(stems[0] ?? ''),
    isDoubtful: endsWith.includes('?') && !isQuestion && !isPolite,
  };
}

/** "is …", "how warm …", "for how many days …". */
function asks([first = '', second = '']: readonly string[], lists: Lists): boolean {
  // "when the door is open, …" is a condition.
  if (lists.conditional.has(first) && !lists.questionStarts.has(second)) return false;
  return lists.questionStarts.has(first) || (lists.small.has(first) && lists.questionWords.has(second));
}

function mendToken(token: Token, language: CompiledLanguage): ClauseToken {
  const word = mended(token, language.typing);
  return word === undefined ? token : { ...token, text: word, stem: stemOf(word), isMended: true };
}

/** "day light" becomes "daylight" when the language knows that word and not the two. */
function joinWords(tokens: readonly ClauseToken[], { joined }: CompiledLanguage): readonly ClauseToken[] {
  if (!joined.size) return tokens;
  const result: ClauseToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const [one, two] = [tokens[at], tokens[at + 1]];
    if (!one) continue;
    const stem = two && two.before === '' ? one.text + two.stem : '';
    if (two && joined.has(stem)) {
      result.push({ ...one, text: stem, stem, end: two.end });
      at++;
    } else result.push(one);
  }
  return result;
}

function withoutFillers(tokens: readonly ClauseToken[], { fillers }: Lists): readonly ClauseToken[] {
  const stems = tokens.map((token) => token.stem);
  const result: ClauseToken[] = [];
  let punctuation = '';
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const filler = longestAt(stems, at, fillers);
    if (!token) continue;
    if (filler) {
      punctuation += token.before;
      at += filler.length - 1;
      continue;
    }
    result.push(punctuation ? { ...token, before: punctuation + token.before } : token);
    punctuation = '';
  }
  return result;
}

/** Takes politeness off both ends until nothing changes; the last word that is left stays. */
function strip(
  all: readonly ClauseToken[],
  { lists, typing, functions }: CompiledLanguage,
): { tokens: readonly ClauseToken[]; isPolite: boolean } {
  let tokens = all;
  let isPolite = false;
  for (let more = true; more && tokens.length > 0;) {
    const stems = tokens.map((token) => token.stem);
    const polite = longestAt(stems, 0, lists.before);
    // "right, …" is polite, "right blind …" and "the right" are not, where there is a right one.
    const isValue = ({ length }: readonly string[] = [], at: number, next: number) =>
      length === 1 && !tokens.at(next)?.before && functions.some((fn) => fn.values.has(stems.at(at) ?? ''));
    const front = isValue(polite, 0, 1) ? undefined : polite;
    const thanks = front ? undefined : longestEnd(stems, lists.after);
    const back = isValue(thanks, -1, -1) ? undefined : thanks;
    more = Boolean(front ?? back);
    isPolite ||= more && isRequestForm(front ?? back ?? []);
    if (front) tokens = unfold(tokens.slice(front.length), front, typing.known);
    else if (back) tokens = tokens.slice(0, stems.length - back.length);
  }
  return { tokens, isPolite };
}

const isRequestForm = (phrase: readonly string[]): boolean =>
  phrase.includes('you') || phrase.includes('please') || phrase.includes('i');

/** "would you mind closing" asks for "close". */
function unfold(tokens: readonly ClauseToken[], phrase: readonly string[], known: ReadonlySet<string>) {
  const [first, ...rest] = tokens;
  if (phrase.at(-1) !== 'mind' || !first?.text.endsWith('ing') || first.text.length < 6) return tokens;
  const base = first.text.slice(0, -3);
  const verb = [`${base}e`, base, base.slice(0, -1)].find((word) => known.has(word));
  return verb === undefined ? tokens : [{ ...first, text: verb, stem: stemOf(verb) }, ...rest];
}
