/** "all the lights", "both lawns", "every blind", "everywhere": one call for each value of the place that a function needs. */
import { isPlaceholder } from '../../language/values.ts';
import type { PlainParameters } from '../../moot.ts';
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledParameter } from './compile.ts';
import type { Lists } from './lists.ts';
import type { Slots } from './slots.ts';

/** So many calls may come from one word. */
const mostCalls = 12;

/** Where several values can be meant by one word, and the words of the clause that say so. */
export interface Every {
  /** Absent: the place is said, and the word only stands beside it ("every light of the kitchen"). */
  readonly place?: CompiledParameter;
  /** Positions in the clause that it explains. */
  readonly at: readonly number[];
}

export function everyIn(fn: CompiledFunction, clause: Clause, slots: Slots, lists: Lists): Every | undefined {
  if (!clause.stems.some((stem) => lists.every.has(stem) || lists.entire.has(stem))) return undefined;
  if (slots.conflicts.length || !mayRepeat(fn)) return undefined;
  const open = fn.parameters.filter((one) => isPlace(one) && slots.missing.includes(one.spec.name));
  const [place, ...others] = open;
  if (others.length) return undefined;
  const said = saidIn(fn, place, clause, slots, lists);
  if (!said) return undefined;
  if (!place) return { at: said };
  const isEach = clause.stems.some((stem) => lists.apart.has(stem));
  if (!isEach && sharesOut(fn, Object.fromEntries(slots.values))) return undefined;
  return { place, at: [...said, ...homeIn(clause, lists)] };
}

/** With one call for each value of the place. */
export function withEvery(fn: CompiledFunction, slots: Slots, { place }: Every): Slots {
  if (!place || slots.list) return slots;
  const { name } = place.spec;
  const order = fn.parameters.map(({ spec }) => spec.name);
  const missing = slots.missing.filter((one) => one !== name);
  return { ...slots, list: { name, values: valuesOf(place), order }, missing };
}

/** The place that "all" answers for, when it is asked for: undefined if the function can't be called for several at once. */
export function askedPlace(
  fn: CompiledFunction,
  missing: readonly string[],
  call: PlainParameters,
): CompiledParameter | undefined {
  const [place, ...others] = fn.parameters.filter((one) => isPlace(one) && missing.includes(one.spec.name));
  return place && !others.length && mayRepeat(fn) && countOf(place) && !sharesOut(fn, call) ? place : undefined;
}

/** "all", "both", "all of them", "every one", "all the lights", as an answer to which place is meant. */
export function meansEvery(fn: CompiledFunction, place: CompiledParameter, { stems }: Clause, lists: Lists): boolean {
  const begin = stems.findIndex((stem) => !lists.prepositions.has(stem) && !lists.towards.has(stem) && stem !== 'in');
  const [first = '', ...rest] = stems.slice(Math.max(0, begin));
  const isWord = lists.every.has(first) && fitsCount(first, place, lists);
  const isKnown = (stem: string) =>
    lists.it.has(stem) || isLink(stem, lists) || isThing(fn, place, stem) || stem === '1' || stem === countStem(place);
  return isWord && rest.every(isKnown);
}

export const valuesOf = ({ spec }: Pick<CompiledParameter, 'spec'>): readonly string[] =>
  (spec.allowedValues ?? []).filter((value) => !isPlaceholder(value));

export const isPlace = ({ spec, isNumeric, isFreeText }: CompiledParameter): boolean =>
  spec.required && !isNumeric && !isFreeText && (spec.allowedValues?.length ?? 0) > 0;

/** Something in the house that can be undone, and that takes no text. */
const mayRepeat = ({ spec, parameters }: CompiledFunction): boolean =>
  spec.effect && spec.risk === 'reversible' && !parameters.some((one) => one.isFreeText && one.spec.required);

function countOf(place: CompiledParameter): number {
  const count = valuesOf(place).length;
  return count > 1 && count <= mostCalls ? count : 0;
}

const countStem = (place: CompiledParameter): string => String(countOf(place));

/** "both" is said of two. */
const fitsCount = (stem: string, place: CompiledParameter, { pairs }: Lists): boolean =>
  countOf(place) > 0 && (!pairs.has(stem) || countOf(place) === 2);

/** 5 litres for all of them are as well 5 litres in sum. */
const sharesOut = ({ parameters }: CompiledFunction, call: PlainParameters): boolean =>
  parameters.some(({ spec, isAmount }) => isAmount && spec.name in call);

const isLink = (stem: string, lists: Lists): boolean => lists.determiners.has(stem) || stem === 'of' || stem === 'one';

const isThing = ({ things }: CompiledFunction, place: CompiledParameter | undefined, stem: string): boolean =>
  things.has(stem) || Boolean(place?.nouns.has(stem));

/** The word and what stands between it and its thing. */
function saidIn(
  fn: CompiledFunction,
  place: CompiledParameter | undefined,
  clause: Clause,
  slots: Slots,
  lists: Lists,
): readonly number[] | undefined {
  const { stems } = clause;
  for (const [at, stem] of stems.entries()) {
    if (lists.entire.has(stem) && lists.homes.has(stems[at + 1] ?? '') && place && countOf(place)) return [at];
    if (!lists.every.has(stem) || (place && !fitsCount(stem, place, lists))) continue;
    if (lists.everywhere.has(stem)) return place && [at];
    if (lists.everything.has(stem)) return isAboutAll(fn, place, slots) ? [at] : undefined;
    const thing = thingBehind(fn, place, clause, at, lists);
    if (thing !== undefined) return Array.from({ length: thing - at }, (_, index) => at + index);
  }
  return undefined;
}

/** "everything off": of what can be set again and is set to something here. */
const isAboutAll = ({ spec }: CompiledFunction, place: CompiledParameter | undefined, slots: Slots): boolean =>
  spec.repeatable && place !== undefined && slots.used.some(({ isQuantity }) => !isQuantity);

/** "all the grow lights", "both of my lawns", "all 4 lights": several of what the function is for, never "all the waste". */
function thingBehind(
  fn: CompiledFunction,
  place: CompiledParameter | undefined,
  { stems, tokens }: Clause,
  at: number,
  lists: Lists,
): number | undefined {
  const isOther = (stem: string) =>
    fn.parameters.some((one) => isPlace(one) && one !== place && one.nouns.has(stem)) ||
    (fn.parameters.filter(isPlace).length > 1 && !place?.nouns.has(stem));
  const isSingle = lists.apart.has(stems[at] ?? '');
  for (let next = at + 1; next < stems.length && next <= at + 4; next++) {
    const [stem = '', token] = [stems[next], tokens[next]];
    const isSeveral = isSingle || token?.text !== stem;
    if (isSeveral && isThing(fn, place, stem)) return place && isOther(stem) ? undefined : next;
    const isCount = token?.value !== undefined && place !== undefined && stem === countStem(place);
    if (!isCount && !isLink(stem, lists) && !(fn.vocabulary.has(stem) && !fn.values.has(stem))) return undefined;
  }
  return undefined;
}

/** "… in the house", "… at home": where all of them are. */
function homeIn({ stems }: Clause, lists: Lists): readonly number[] {
  const home = stems.findIndex((stem) => lists.homes.has(stem));
  let from = home;
  while (from > 0 && (lists.determiners.has(stems[from - 1] ?? '') || lists.entire.has(stems[from - 1] ?? ''))) from--;
  if (home < 1 || !lists.aroundPersons.has(stems[from - 1] ?? '')) return [];
  return Array.from({ length: home - from + 1 }, (_, index) => from + index);
}
