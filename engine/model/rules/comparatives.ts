/** "make the kitchen brighter, 80 percent": a word for more or less beside the value that it shall come to. */
import type { Clause } from './clause.ts';
import type { CompiledFunction } from './compile.ts';
import type { Lists } from './lists.ts';
import type { Found } from './slots.ts';

/** A form of one of the function's words that says more of it: "brighter" of "brighten". */
export const isComparative = (stem: string, fn: CompiledFunction, lists: Lists): boolean =>
  basesOf(stem, lists).some((base) => fn.stems.has(base) || fn.stems.has(`${base}en`));

/** Their positions, where a value with its unit stands apart from them: "20 % brighter" is a difference. */
export function comparativesIn(
  fn: CompiledFunction,
  { stems, tokens }: Clause,
  found: readonly Found[],
  lists: Lists,
): readonly number[] {
  const value = found.find((one) => one.isQuantity && one.hasUnit);
  if (!value) return [];
  const before = tokens[value.from]?.before ?? '';
  if (!/[:,]/.test(before) && !lists.towards.has(stems[value.from - 1] ?? '')) return [];
  return [...stems.keys()].filter(
    (at) => at < value.from && isComparative(stems[at] ?? '', fn, lists) && !leadsAway(stems[at] ?? '', value, lists),
  );
}

/** "brighter, 0 %" */
function leadsAway(stem: string, { value, parameter }: Found, lists: Lists): boolean {
  if (typeof value !== 'number') return false;
  const against = value <= parameter.low ? lists.rising : value >= parameter.high ? lists.falling : undefined;
  return basesOf(stem, lists).some((base) => against?.has(base) || against?.has(`${base}en`));
}

/** "brighter" of "bright", "dimmer" of "dim", "wider" of "wide". */
function basesOf(stem: string, { words }: Lists): readonly string[] {
  const ending = words.comparing.find((one) => stem.endsWith(one) && stem.length > one.length + 2);
  if (ending === undefined) return [];
  const base = stem.slice(0, -ending.length);
  return [base, `${base}e`, ...(base.at(-1) === base.at(-2) ? [base.slice(0, -1)] : [])];
}
