/** What a clause means by itself. */
import type { Parameters } from '../../moot.ts';
import { readClause } from './clause.ts';
import type { Clause } from './clause.ts';
import { candidatesFor, choose, matchesFor } from './choose.ts';
import type { CompiledFunction, CompiledLanguage } from './compile.ts';
import { longestAt } from './lists.ts';
import type { Lists } from './lists.ts';
import { laterCall } from './later.ts';
import { callsOf } from './match.ts';
import type { Match } from './match.ts';
import { quantitiesOf } from './quantities.ts';
import { valuesIn } from './values.ts';
import type { Sentence } from './tokens.ts';

/** One call or several of one function; what lacks or is out of range is said and the clause does nothing. */
export interface CallReading {
  readonly kind: 'call';
  readonly clause: Clause;
  readonly fn: CompiledFunction;
  readonly calls: readonly Parameters[];
  readonly missing: readonly string[];
  /** Parameters outside of their range. */
  readonly outside: readonly string[];
  /** Parameters with values that exclude each other. */
  readonly conflicts: readonly string[];
  readonly match?: Match;
  /** Words of earlier clauses were needed, so that the clause alone doesn't say it. */
  readonly isCarried?: boolean;
}

export type Reading =
  | CallReading
  | { readonly kind: 'tie'; readonly clause: Clause; readonly matches: readonly Match[] }
  /** Something that shall not be done. */
  | { readonly kind: 'negated'; readonly clause: Clause; readonly spreads: boolean; readonly mentions: Parameters }
  /** Everything is taken back. */
  | { readonly kind: 'withdrawn'; readonly clause: Clause }
  /** Politeness, or a circumstance that asks for nothing. */
  | { readonly kind: 'aside'; readonly clause: Clause }
  | {
      readonly kind: 'unclear';
      readonly clause: Clause;
      readonly words: readonly string[];
      readonly near?: CompiledFunction;
    };

/** Whether it acts as it stands. */
export const isActing = (reading: Reading): reading is CallReading & { readonly missing: readonly never[] } =>
  reading.kind === 'call' && !reading.missing.length && !reading.outside.length && !reading.conflicts.length;

/** @param to Behind the last token. */
export function readPart(sentence: Sentence, from: number, to: number, language: CompiledLanguage): Reading {
  const clause = readClause(sentence, from, to, language);
  const { lists } = language;
  if (lists.withdrawals.has(clause.said.join(' ')) || lists.withdrawals.has(clause.stems.join(' ')))
    return { kind: 'withdrawn', clause };
  if (
    !clause.tokens.length ||
    isReason(clause, lists) ||
    lists.circumstances.has(clause.said.join(' ')) ||
    lists.circumstances.has(clause.stems.join(' '))
  )
    return { kind: 'aside', clause };
  const choice = choose(candidatesFor(clause, language));
  if (choice.kind === 'tie') return { kind: 'tie', clause, matches: choice.matches };
  if (choice.kind === 'one') return callReading(clause, choice.match);
  return laterCall(clause, language, readPart) ?? negated(clause, language) ?? unclear(clause, language);
}

/** "because …", "so that I can …": why something is asked for. */
const isReason = ({ said, from }: Clause, { reasons, retractors }: Lists): boolean =>
  from > 0 && longestAt(said, 0, reasons) !== undefined && !said.some((stem) => retractors.has(stem));

export function callReading(clause: Clause, match: Match): CallReading {
  const { missing, outside, conflicts } = match.slots;
  return { kind: 'call', clause, fn: match.fn, calls: callsOf(match), missing, outside, conflicts, match };
}

/** A negator, and otherwise only words that the language knows: then the clause is understood as nothing to do. */
function negated(clause: Clause, language: CompiledLanguage): Reading | undefined {
  const { lists, functions } = language;
  const said = clause.sentence.tokens.slice(clause.from, clause.to);
  const negator = said.find(({ stem }) => lists.negators.has(stem));
  if (!negator || isCorrection(said.map(({ stem }) => stem))) return undefined;
  const numbers = new Set(
    quantitiesOf(said, lists).flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)),
  );
  const isKnown = (stem: string, at: number) =>
    numbers.has(at) ||
    lists.small.has(stem) ||
    lists.aroundNegation.has(stem) ||
    lists.negators.has(stem) ||
    lists.lightVerbs.has(stem) ||
    lists.directions.has(stem) ||
    functions.some((fn) => says(fn, stem));
  const mended = clause.tokens.filter((token) => token.isMended).map((token) => token.start);
  if (!said.every((token, at) => mended.includes(token.start) || isKnown(token.stem, at))) return undefined;
  const hasContent = said.some(({ stem }) => functions.some((fn) => says(fn, stem)) && !lists.small.has(stem));
  if (!hasContent) return { kind: 'withdrawn', clause };
  const spreads = said.some(({ stem }) => lists.spreading.has(stem));
  return { kind: 'negated', clause, spreads, mentions: mentionsIn(clause, language) };
}

/** "no, off" corrects what was said before; it doesn't say what not to do. */
function isCorrection(stems: readonly string[]): boolean {
  const [first, second = '', third] = stems;
  return first === 'no' && third !== undefined
    ? !['need', 'longer', 'more'].includes(second)
    : first === 'no' && second !== '';
}

/** Values out of lists that are spoken of, by parameter. */
function mentionsIn(clause: Clause, { functions, lists }: CompiledLanguage): Parameters {
  const found = functions.flatMap((fn) => valuesIn(fn, clause, lists).found).filter((one) => !one.parameter.isNumeric);
  return Object.fromEntries(found.map((one) => [one.parameter.spec.name, one.value]));
}

const says = (fn: CompiledFunction, stem: string): boolean =>
  fn.vocabulary.has(stem) ||
  fn.nouns.has(stem) ||
  fn.cues.some((cue) => cue.includes(stem)) ||
  [...fn.values.values()].some((phrases) => phrases.some((phrase) => phrase.stems.includes(stem)));

/** The words that the nearest function can't explain. */
function unclear(clause: Clause, language: CompiledLanguage): Reading {
  const [best] = matchesFor(clause, language)
    .filter(({ cues, slots }) => cues.isNamed || cues.isVerbFirst || slots.used.length > 0)
    .sort((a, b) => distanceOf(a) - distanceOf(b) || b.score - a.score);
  if (!best || best.unexplained.length * 2 > clause.tokens.length) return { kind: 'unclear', clause, words: [] };
  const words = best.unexplained.map((at) => clause.tokens[at]?.text ?? '');
  return { kind: 'unclear', clause, words, near: best.fn };
}

const distanceOf = ({ unexplained, cues }: Match): number => unexplained.length + (cues.isNamed ? 0 : 0.5);
