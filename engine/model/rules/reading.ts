/** What a clause means by itself. */
import type { PlainParameters } from '../../moot.ts';
import { isAside } from './asides.ts';
import { readClause } from './clause.ts';
import type { Clause } from './clause.ts';
import type { Doubt } from './contradictions.ts';
import { candidatesFor, choose, eitherOf, matchesFor } from './choose.ts';
import type { CompiledFunction, CompiledLanguage } from './compile.ts';
import { laterCall } from './later.ts';
import { callsOf } from './match.ts';
import type { Match } from './match.ts';
import { lookUp } from './look-up.ts';
import { negated } from './negation.ts';
import type { Negated, Withdrawn } from './negation.ts';
import type { Sentence } from './tokens.ts';

/** One call or several of one function; what lacks or is out of range is said and the clause does nothing. */
export interface CallReading {
  readonly kind: 'call';
  readonly clause: Clause;
  readonly fn: CompiledFunction;
  readonly calls: readonly PlainParameters[];
  readonly missing: readonly string[];
  /** PlainParameters outside of their range. */
  readonly outside: readonly string[];
  /** PlainParameters with values that exclude each other. */
  readonly conflicts: readonly string[];
  readonly match?: Match;
  /** Why there are conflicts, where other clauses are the reason. */
  readonly doubt?: Doubt;
  /** Words of earlier clauses were needed, so that the clause alone doesn't say it. */
  readonly isCarried?: boolean;
  /** A question that nothing else answers, looked up as it is. */
  readonly isLookedUp?: boolean;
  /** It is looked up only because nothing else answers: not by words of the function. */
  readonly isFallback?: boolean;
  /** A name that stands where a value of the list should, and is none of it. */
  readonly stranger?: string;
}

export type Reading =
  | CallReading
  | { readonly kind: 'tie'; readonly clause: Clause; readonly matches: readonly Match[] }
  | Negated
  | Withdrawn
  /** Politeness, or a circumstance that asks for nothing. */
  | { readonly kind: 'aside'; readonly clause: Clause }
  | {
      readonly kind: 'unclear';
      readonly clause: Clause;
      readonly words: readonly string[];
      readonly near?: CompiledFunction;
      /** It may be part of a text that is passed on. */
      readonly isPerhapsText?: boolean;
    };

/** Whether it acts as it stands. */
export const isActing = (reading: Reading): reading is CallReading & { readonly missing: readonly never[] } =>
  reading.kind === 'call' && !reading.missing.length && !reading.outside.length && !reading.conflicts.length;

const made = new WeakMap<Sentence, { readonly language: CompiledLanguage; readonly parts: Map<string, Reading> }>();

/** Read once for each part of a sentence. @param to Behind the last token. */
export function readPart(sentence: Sentence, from: number, to: number, language: CompiledLanguage): Reading {
  let known = made.get(sentence);
  if (known?.language !== language) made.set(sentence, (known = { language, parts: new Map() }));
  const key = `${from} ${to}`;
  let reading = known.parts.get(key);
  if (!reading) known.parts.set(key, (reading = makeReading(sentence, from, to, language)));
  return reading;
}

function makeReading(sentence: Sentence, from: number, to: number, language: CompiledLanguage): Reading {
  const clause = readClause(sentence, from, to, language);
  const { lists } = language;
  if (lists.withdrawals.has(clause.said.join(' ')) || lists.withdrawals.has(clause.stems.join(' ')))
    return { kind: 'withdrawn', clause, spreads: false };
  if (isAside(clause, language)) return { kind: 'aside', clause };
  const choice = choose(candidatesFor(clause, language));
  if (choice.kind === 'tie') return { kind: 'tie', clause, matches: choice.matches };
  if (choice.kind === 'one') return callReading(clause, choice.match);
  const either = eitherOf(clause, language);
  if (either.length) return { kind: 'tie', clause, matches: either };
  return (
    laterCall(clause, language, readPart) ??
    negated(clause, language) ??
    lookUp(clause, language) ??
    unclear(clause, language)
  );
}

export function callReading(clause: Clause, match: Match): CallReading {
  const { missing, outside, conflicts } = match.slots;
  return { kind: 'call', clause, fn: match.fn, calls: callsOf(match), missing, outside, conflicts, match };
}

/** The words that the nearest function can't explain. */
function unclear(clause: Clause, language: CompiledLanguage): Reading {
  const [best] = matchesFor(clause, language)
    .filter(({ cues, slots }) => cues.isNamed || cues.isVerbFirst || slots.used.length > 0)
    .sort((a, b) => distanceOf(a) - distanceOf(b) || b.score - a.score);
  if (!best || best.unexplained.length * 2 > clause.tokens.length) return { kind: 'unclear', clause, words: [] };
  const words = best.unexplained.flatMap((at) => {
    const token = clause.tokens[at];
    // What was taken for a typing error is told as it was written.
    return token ? [token.isMended ? clause.sentence.source.slice(token.start, token.end) : token.text] : [];
  });
  return { kind: 'unclear', clause, words, near: best.fn };
}

const distanceOf = ({ unexplained, cues }: Match): number => unexplained.length + (cues.isNamed ? 0 : 0.5);
