/** "… in the hall and the bathroom": one name that a command doesn't know, beside others that it knows. */
import type { PlainParameters } from '../../moot.ts';
import type { CompiledFunction, CompiledLanguage } from './compile.ts';
import { excludedPair } from './contradictions.ts';
import { matchFunction } from './match.ts';
import { callReading } from './reading.ts';
import type { CallReading, Reading } from './reading.ts';
import { missingOf } from './slots.ts';

/** The clause as a call that lacks the place; the others of the list may act, and the person is told. */
export function withStranger(
  reading: Reading,
  previous: CallReading | undefined,
  language: CompiledLanguage,
): CallReading | undefined {
  if (reading.kind !== 'unclear' || reading.clause.isQuestion || reading.clause.isDoubtful) return undefined;
  const begins = startsWithVerb(reading, reading.near, language);
  const isNext =
    /^(?:and|,)$/.test(reading.clause.said[0] ?? '') ||
    reading.clause.sentence.tokens[reading.clause.from]?.before.includes(',');
  const fn = begins ? reading.near : isNext ? previous?.fn : undefined;
  const stranger = fn && strangerOf(reading, fn, language);
  const [before] = previous && !begins && previous.calls.length === 1 ? previous.calls : [];
  return stranger && before ? withSettings(stranger, before) : stranger;
}

const startsWithVerb = (
  { clause }: Reading,
  fn: CompiledFunction | undefined,
  { lists }: CompiledLanguage,
): boolean => {
  const first = clause.stems[0] ?? '';
  return Boolean(fn && (lists.lightVerbs.has(first) || fn.verbs.has(first) || fn.values.has(first)));
};

function strangerOf({ clause }: Reading, fn: CompiledFunction, { lists }: CompiledLanguage): CallReading | undefined {
  const mayBe = (word: string, at: number) => lists.determiners.has(clause.stems[at - 1] ?? '') && !fn.stems.has(word);
  if (!clause.stems.some(mayBe)) return undefined;
  const match = matchFunction(fn, clause, lists);
  const [at, ...others] = match.unexplained;
  const place = fn.parameters.find(({ spec, isNumeric, isFreeText }) => spec.required && !isNumeric && !isFreeText);
  const stem = clause.stems[at ?? -1] ?? '';
  if (at === undefined || others.length || !place || !isName(stem)) return undefined;
  if (!lists.determiners.has(clause.stems[at - 1] ?? '') || match.slots.conflicts.length) return undefined;
  const reading = callReading(clause, match);
  const isKnown =
    reading.calls.some((call) => place.spec.name in call) ||
    match.slots.used.some(({ parameter }) => parameter.isFreeText);
  return isKnown ? undefined : { ...reading, stranger: clause.tokens[at]?.text ?? '' };

  function isName(word: string): boolean {
    return !lists.neverExplained.has(word) && !lists.negators.has(word) && !lists.lightVerbs.has(word);
  }
}

/** What the list is set to is asked for once only. */
function withSettings(stranger: CallReading, before: PlainParameters): CallReading {
  const { fn, calls } = stranger;
  const isPlace = (name: string) =>
    fn.parameters.some(({ spec, isNumeric }) => spec.name === name && spec.required && !isNumeric);
  const settings = Object.entries(before).filter(([name]) => !isPlace(name));
  const call = { ...Object.fromEntries(settings), ...calls[0] };
  if (excludedPair(fn, (name) => call[name])) return stranger;
  return { ...stranger, calls: [call], missing: missingOf(fn, (name) => name in call) };
}

/** Those that stand beside no call of the same function that names what it knows. */
export const lonely = (readings: readonly Reading[]): CallReading | undefined =>
  readings.find((reading, at): reading is CallReading => {
    if (reading.kind !== 'call' || reading.stranger === undefined) return false;
    return ![readings[at - 1], readings[at + 1]].some(
      (other) => other?.kind === 'call' && other.fn === reading.fn && other.stranger === undefined,
    );
  });
