/** What a clause takes over from the one before: "there", "it", the same verb with other values. */
import type { PlainParameters, Scalar } from '../../moot.ts';
import { excludedPair } from './contradictions.ts';
import { matchFunction } from './match.ts';
import type { CompiledFunction, CompiledLanguage } from './compile.ts';
import { callReading, isActing } from './reading.ts';
import type { CallReading, Reading } from './reading.ts';
import { placeInFront, withVerb } from './shared-verb.ts';
import { missingOf } from './slots.ts';

export interface Carried {
  readonly reading: Reading;
  /** The clause only adds to the one before, and takes its place. */
  readonly replaces?: boolean;
}

/** @param before The clauses before, oldest first. */
export function carry(reading: Reading, before: readonly Reading[], language: CompiledLanguage): Carried {
  const earlier = before.filter((one): one is CallReading => one.kind === 'call');
  const previous = earlier.at(-1);
  const isAlone = !before.some((one) => one.kind === 'call' || one.kind === 'negated');
  if (isAlone || isActing(reading)) return { reading };
  const { lists } = language;
  const refers = reading.clause.stems.some((stem) => lists.it.has(stem) || lists.there.has(stem));
  const isIt = reading.clause.stems.some((stem) => lists.it.has(stem));
  if (refers) {
    const meant =
      isIt && previous ? (aboutIt(reading, previous, language) ?? preferring(reading, previous.fn)) : reading;
    if (meant.kind === 'call' && isIt && meant.fn === previous?.fn) {
      const merged = merge(previous, meant);
      if (merged) return { reading: merged, replaces: true };
    }
    if (meant.kind === 'call') return { reading: fillPlaces(meant, before) };
  }
  const same = previous && sameFunction(reading, previous, language);
  if (same) return { reading: same };
  const withPlace = filledInFront(reading, before, language);
  const isNext = previous !== undefined && before.at(-1) === previous;
  return { reading: withPlace ?? (isNext ? withVerb(reading, previous, language) : undefined) ?? reading };
}

/** "in the bedroom turn off the light and close the blinds": the place of both. */
function filledInFront(reading: Reading, before: readonly Reading[], language: CompiledLanguage): Reading | undefined {
  if (reading.kind !== 'call' || !reading.missing.length) return undefined;
  const source = placeInFront(reading, before, language);
  const filled = source && fillPlaces(reading, [source]);
  return filled && filled !== reading ? filled : undefined;
}

/** "the hall light, … turn it off": understood only of what was just spoken of. */
function aboutIt({ kind, clause }: Reading, { fn }: CallReading, { lists }: CompiledLanguage): CallReading | undefined {
  if (kind !== 'unclear' || clause.isQuestion || clause.isDoubtful || !lists.lightVerbs.has(clause.stems[0] ?? ''))
    return undefined;
  const match = matchFunction(fn, clause, lists);
  const isSetting = match.slots.used.length > 0 && !match.slots.used.some(({ parameter }) => parameter.isFreeText);
  return isSetting && !match.unexplained.length ? callReading(clause, match) : undefined;
}

/** Of several functions that a clause with "it" may mean, the one that was just used. */
function preferring(reading: Reading, fn: CompiledFunction): Reading {
  if (reading.kind !== 'tie') return reading;
  const match = reading.matches.find((one) => one.fn === fn);
  return match ? callReading(reading.clause, match) : reading;
}

/** "the blinds, open them", "the light on and set it to 70 %": one call. */
function merge(previous: CallReading, next: CallReading): CallReading | undefined {
  const [first] = previous.calls;
  const [second] = next.calls;
  if (!first || !second || previous.calls.length > 1 || next.calls.length > 1 || next.conflicts.length)
    return undefined;
  const names = Object.keys(second);
  if (names.some((name) => name in first && first[name] !== second[name])) return undefined;
  if (names.every((name) => name in first)) return undefined;
  if (excludedPair(next.fn, (name) => second[name] ?? first[name])) return undefined;
  return withCall(next, { ...first, ...second }, [...previous.outside, ...next.outside]);
}

/** Required values out of a list of allowed ones come from the clauses before; numbers and texts never. */
function fillPlaces(reading: CallReading, before: readonly Reading[]): CallReading {
  const [call] = reading.calls;
  if (!call || reading.calls.length > 1) return reading;
  const filled: Record<string, Scalar> = { ...call };
  for (const name of reading.missing) {
    const parameter = reading.fn.parameters.find((one) => one.spec.name === name);
    const source = before.map(saidIn).findLast((calls) => calls.some((each) => name in each));
    const value = source?.length === 1 ? source[0]?.[name] : undefined;
    if (parameter?.spec.required && value !== undefined && parameter.spec.allowedValues?.includes(String(value)))
      filled[name] = value;
  }
  return Object.keys(filled).length > Object.keys(call).length ? withCall(reading, filled, reading.outside) : reading;
}

/** The values of a clause; of one that says what not to do, those that it speaks of. */
function saidIn(reading: Reading): readonly PlainParameters[] {
  if (reading.kind === 'call') return reading.calls;
  return reading.kind === 'negated' ? [reading.mentions] : [];
}

/** As the function lists its parameters. */
function inOrder({ parameters }: CompiledFunction, call: PlainParameters): PlainParameters {
  const order = parameters.map(({ spec }) => spec.name).filter((name) => name in call);
  return Object.fromEntries(order.map((name) => [name, call[name] ?? '']));
}

function withCall(reading: CallReading, call: PlainParameters, outside: readonly string[]): CallReading {
  const parameters = inOrder(reading.fn, call);
  const missing = missingOf(reading.fn, (name) => name in call);
  return { ...reading, calls: [parameters], missing, outside, isCarried: true };
}

/** It has no verb of its own, and nothing but the function before explains it. */
function mayContinue(reading: Reading, previous: CallReading, { lists }: CompiledLanguage): boolean {
  const first = reading.clause.stems[0] ?? '';
  if (lists.lightVerbs.has(first) || reading.clause.isQuestion) return false;
  if (reading.kind === 'call') return reading.fn === previous.fn && !previous.fn.verbs.has(first);
  return reading.kind === 'unclear' || reading.kind === 'tie';
}

/** "… and the hall light", "… and also from the back": the function and the other values of the clause before. */
function sameFunction(reading: Reading, previous: CallReading, language: CompiledLanguage): CallReading | undefined {
  const { clause } = reading;
  const [before] = previous.calls;
  if (!before || previous.calls.length > 1 || !mayContinue(reading, previous, language)) return undefined;
  const match = matchFunction(previous.fn, clause, language.lists);
  const { slots } = match;
  if (match.unexplained.length || slots.conflicts.length || !slots.used.length) return undefined;
  if (slots.used.some((one) => one.parameter.isFreeText)) return undefined;
  const target = previous.fn.parameters.find((one) => !one.isNumeric && !one.isFreeText)?.spec.name ?? '';
  const own = callReading(clause, match);
  if (!own.calls.every((call) => target in call && call[target] !== before[target])) return undefined;
  if (own.calls.every((call) => language.lists.levels.has(String(call[target])))) return undefined;
  const calls = own.calls.map((call) => inOrder(previous.fn, { ...before, ...call }));
  if (calls.some((call) => excludedPair(previous.fn, (name) => call[name]))) return undefined;
  const missing = missingOf(previous.fn, (name) => calls.every((call) => name in call));
  return { ...own, calls, missing, isCarried: true };
}
