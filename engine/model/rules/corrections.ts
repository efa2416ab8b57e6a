/** "… to 20 degrees, no, 22": other values for what was just said. */
import { readClause } from './clause.ts';
import type { CompiledLanguage } from './compile.ts';
import { excludedPair } from './contradictions.ts';
import { longestAt } from './lists.ts';
import { callsOf, matchFunction } from './match.ts';
import type { Match } from './match.ts';
import { callReading, isActing, readPart } from './reading.ts';
import type { CallReading, Reading } from './reading.ts';
import { missingOf } from './slots.ts';

export interface Corrected {
  readonly reading: CallReading;
  /** From this one on, the readings before are replaced. */
  readonly from: number;
}

/** Only values that were said before, with another one for at least one of them; nothing else is changed. */
export function corrected(
  alone: Reading,
  before: readonly Reading[],
  language: CompiledLanguage,
): Corrected | undefined {
  const from = before.findLastIndex((one) => one.kind === 'call');
  const previous = before[from];
  const between = before.slice(from + 1);
  if (previous?.kind !== 'call' || !between.every((one) => isCorrection(one, language))) return undefined;
  const { sentence, said, to } = alone.clause;
  const phrase = longestAt(said, 0, language.lists.corrections);
  const isWhole = phrase?.length === said.length;
  if (isWhole || (phrase ? phrase.join(' ') === 'no' : !between.length || isActing(alone))) return undefined;
  const begin = alone.clause.from + (phrase?.length ?? 0);
  const whole = phrase && readPart(sentence, begin, to, language);
  if (whole && isActing(whole)) return { reading: whole, from };
  const clause = phrase ? readClause(sentence, begin, to, language) : alone.clause;
  const match = matchFunction(previous.fn, clause, language.lists);
  const reading = clause.isQuestion ? undefined : otherValues(previous, match, callReading(clause, match));
  return reading && { reading, from };
}

const isCorrection = (reading: Reading, { lists }: CompiledLanguage): boolean => {
  if (reading.kind !== 'withdrawn') return false;
  const { said } = reading.clause;
  return longestAt(said, 0, lists.corrections)?.length === said.length;
};

function otherValues(previous: CallReading, match: Match, own: CallReading): CallReading | undefined {
  const { slots, unexplained } = match;
  const [before, ...more] = previous.calls;
  const [said = {}] = callsOf(match);
  if (!before || more.length || previous.conflicts.length || unexplained.length || own.conflicts.length)
    return undefined;
  if (slots.list || slots.used.some(({ parameter }) => parameter.isFreeText)) return undefined;
  const names = Object.keys(said);
  if (!names.every((name) => name in before) || names.every((name) => said[name] === before[name])) return undefined;
  const call = { ...before, ...said };
  if (excludedPair(previous.fn, (name) => call[name])) return undefined;
  const outside = [...own.outside, ...previous.outside.filter((name) => !names.includes(name))];
  return { ...own, calls: [call], missing: missingOf(previous.fn, (name) => name in call), outside, isCarried: true };
}
