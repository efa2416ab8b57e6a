/** What can't be meant together in one call, told by the list of functions and general words: nothing is chosen then. */
import type { Scalar } from '../../moot.ts';
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledParameter } from './compile.ts';
import type { Lists } from './lists.ts';
import type { Found } from './slots.ts';

/** Why the values of some parameters are open although something was said of them. */
export interface Doubt {
  /** Two things exclude each other; a number may be a difference, a time, or a level that is said like a time; a person can't be addressed; a value is another's, or at the wrong end of a way. */
  readonly kind: 'together' | 'difference' | 'time' | 'level' | 'person' | 'place' | 'way';
  /** Names of parameters. */
  readonly names: readonly string[];
  /** As the person said them. */
  readonly words: readonly string[];
}

/** A number beside a word that it can't be ("close … to 30 %"), or a verb that leads elsewhere ("dim … to full"). */
export function doubtAbout(
  parameter: CompiledParameter,
  own: readonly Found[],
  clause: Clause,
  lists: Lists,
): Doubt | undefined {
  if (!parameter.isNumeric) return undefined;
  const names = [parameter.spec.name];
  const wordsOf = (...places: Pick<Found, 'from' | 'to'>[]) =>
    places.sort((a, b) => a.from - b.from).map((one) => textIn(clause, one));
  const numbers = own.filter((one) => one.isQuantity);
  for (const number of numbers) {
    const word = own.find((one) => !one.isQuantity && excludes(one, number, clause, lists));
    if (word) return { kind: 'together', names, words: wordsOf(word, number) };
    const pair = oppositesIn(own, clause);
    if (pair) return { kind: 'together', names, words: wordsOf(...pair) };
    if (isDifference(number, clause, lists)) return { kind: 'difference', names, words: wordsOf(number) };
  }
  for (const value of numbers.length ? numbers : own) {
    const verb = verbAgainst(parameter, value, own, clause, lists);
    if (verb !== undefined) return { kind: 'together', names, words: wordsOf({ from: verb, to: verb + 1 }, value) };
  }
  return undefined;
}

/** "open" leaves room for any number but the other end; "closed", "full" and "half" are one value. */
function excludes(word: Found, number: Found, { stems }: Clause, lists: Lists): boolean {
  if (word.value === number.value) return false;
  const { minimum, maximum } = word.parameter.spec;
  if (!stems.slice(word.from, word.to).every((stem) => lists.gradual.has(stem))) return true;
  return (word.value === maximum && number.value === minimum) || (word.value === minimum && number.value === maximum);
}

/** "raise and lower … to 40 %" */
function oppositesIn(own: readonly Found[], { stems }: Clause): [Found, Found] | undefined {
  const words = own.filter((one) => !one.isQuantity);
  for (const [at, one] of words.entries()) {
    const next = words[at + 1];
    if (next && next.value !== one.value && stems.slice(one.to, next.from).join() === 'and') return [one, next];
  }
  return undefined;
}

/** "lower the blinds 20 %": to or by? */
function isDifference({ from, parameter }: Found, { stems, tokens }: Clause, lists: Lists): boolean {
  const before = stems[from - 1] ?? '';
  if (!lists.shifting.has(stems[0] ?? '') || lists.beforeValues.has(before) || parameter.names.has(before))
    return false;
  return !/[:=,]/.test(tokens[from]?.before ?? '');
}

/** Place of a verb or particle that leads away from the end at which the value is. */
function verbAgainst(
  { low, high }: CompiledParameter,
  { value, from }: Found,
  own: readonly Found[],
  { stems }: Clause,
  lists: Lists,
): number | undefined {
  if (typeof value !== 'number') return undefined;
  const against = value <= low ? lists.rising : value >= high ? lists.falling : undefined;
  if (!against) return undefined;
  const isOwn = (at: number) => own.some((one) => one.from <= at && at < one.to);
  const isVerb = (at: number) => at === 0 || (lists.directions.has(stems[at] ?? '') && at < from);
  const at = stems.findIndex((stem, place) => against.has(stem) && isVerb(place) && !isOwn(place));
  return at < 0 ? undefined : at;
}

/** "turn the light on at 8", "open the vent at 7": without its unit and name, and with the rest said, it may be the time. */
export function isClock(
  number: Found,
  found: readonly Found[],
  { stems }: Clause,
  { spec, verbs }: CompiledFunction,
  lists: Lists,
): boolean {
  const { parameter, value, from } = number;
  if (!number.isQuantity || number.hasUnit || !parameter.unit || !lists.beforeTimes.has(stems[from - 1] ?? ''))
    return false;
  if (typeof value !== 'number' || value < 1 || value > 24 || stems.some((stem) => parameter.names.has(stem)))
    return false;
  const others = found.filter((one) => !one.isQuantity);
  // "heat it at 7"; with "set it at 7" the number is what it is set to.
  const isOrder = isAt(stems[from - 1], lists) && verbs.has(stems[0] ?? '') && !lists.lightVerbs.has(stems[0] ?? '');
  if (isOrder && value <= 12) return true;
  if (parameter.spec.required)
    return others.some((one) => one.parameter === parameter) || isAmountAt(parameter.unit, stems, from, lists);
  const groups = spec.requireOneOf ?? [];
  return groups.every((group) => others.some((one) => group.includes(one.parameter.spec.name)));
}

/** "kitchen light at 7": with no verb it is a time of day as well as a level. */
export function isLikeClock(
  number: Found,
  used: readonly Found[],
  { stems }: Clause,
  { verbs, nouns }: CompiledFunction,
  lists: Lists,
): boolean {
  const { parameter, value, from } = number;
  const [first = ''] = stems;
  if (!number.isQuantity || number.hasUnit || !parameter.unit || !isAt(stems[from - 1], lists)) return false;
  if (typeof value !== 'number' || value < 1 || value > 12 || stems.some((stem) => parameter.names.has(stem)))
    return false;
  const hasVerb = lists.lightVerbs.has(first) || (verbs.has(first) && !nouns.has(first));
  return !hasVerb && !used.some((one) => one.from === 0 && !one.parameter.spec.required);
}

/** "water them at 5": an amount is given with "with" or nothing; only what has a level is set at a number. */
const isAmountAt = (unit: string, stems: readonly string[], from: number, lists: Lists): boolean => {
  const place = lists.small.has(stems[from - 1] ?? '') && !isAt(stems[from - 1], lists) ? from - 2 : from - 1;
  return isAt(stems[place], lists) && !lists.levelUnits.has(unit);
};

const isAt = (stem = '', lists: Lists): boolean => lists.towards.has(stem) && lists.beforeTimes.has(stem);

/**
 * Two parameters of which one says that there is nothing ("off") and the other how much, or one that there is something
 * ("on") and the other none. They belong together when one of both is needed, or the number is a share of 100 %.
 */
export function excludedPair(
  fn: CompiledFunction,
  valueOf: (name: string) => Scalar | undefined,
): readonly [string, string] | undefined {
  for (const state of fn.parameters) {
    const said = valueOf(state.spec.name);
    if (said === undefined || state.isNumeric) continue;
    const [isNothing, isSomething] = [state.nothing.has(said), state.something.has(said)];
    if (isNothing === isSomething) continue;
    for (const level of fn.parameters) {
      const value = valueOf(level.spec.name);
      if (typeof value !== 'number' || !belongTogether(fn, state, level)) continue;
      const isNone = value === 0 && level.spec.minimum === 0;
      if (isNothing ? !isNone : isNone) return [state.spec.name, level.spec.name];
    }
  }
  return undefined;
}

const belongTogether = ({ spec }: CompiledFunction, state: CompiledParameter, level: CompiledParameter): boolean =>
  (level.unit === 'percent' && level.spec.minimum === 0) ||
  (spec.requireOneOf ?? []).some((group) => group.includes(state.spec.name) && group.includes(level.spec.name));

/** "to the front site": a value stands before the noun of another parameter, whose value is open then. */
export function misplaced(
  fn: CompiledFunction,
  found: readonly Found[],
  clause: Clause,
): { readonly found: Found; readonly doubt: Doubt } | undefined {
  for (const one of found) {
    const noun = clause.stems[one.to] ?? '';
    if (one.isQuantity || one.parameter.isFreeText || one.parameter.nouns.has(noun)) continue;
    const owner = fn.parameters.find(
      (other) => other !== one.parameter && other.spec.required && !other.isNumeric && other.nouns.has(noun),
    );
    const words = [textIn(clause, { from: one.from, to: one.to + 1 })];
    if (owner) return { found: one, doubt: { kind: 'place', names: [owner.spec.name], words } };
  }
  return undefined;
}

/** From the original text. */
export function textIn({ sentence, tokens }: Clause, { from, to }: Pick<Found, 'from' | 'to'>): string {
  const [first, last] = [tokens[from], tokens[to - 1]];
  return first && last ? sentence.source.slice(first.start, last.end) : '';
}
