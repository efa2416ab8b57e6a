/** From where and where to: what the description of a function tells of its places, against what is said of them. */
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledParameter } from './compile.ts';
import { textIn } from './contradictions.ts';
import type { Doubt } from './contradictions.ts';
import type { Lists } from './lists.ts';
import type { Found } from './slots.ts';

export type Way = 'from' | 'to';

/** "… from the lawn to a site": the lawn is where it comes from. @param nouns Of the parameter. */
export function wayIn(description: readonly string[], nouns: ReadonlySet<string>, lists: Lists): Way | undefined {
  const at = description.findIndex((stem) => nouns.has(stem));
  const before = description.slice(0, Math.max(0, at)).findLast((stem) => wayOf(stem, lists) !== undefined);
  return before === undefined ? undefined : wayOf(before, lists);
}

const wayOf = (stem: string, { origins, goals }: Lists): Way | undefined =>
  origins.has(stem) ? 'from' : goals.has(stem) ? 'to' : undefined;

/** "from the north" where things only go to the north: for functions that name both ends of a way. */
export function wrongWays(
  { parameters }: CompiledFunction,
  found: readonly Found[],
  clause: Clause,
  lists: Lists,
): { readonly found: readonly Found[]; readonly doubt: Doubt } | undefined {
  const hasBoth = (['from', 'to'] as const).every((way) => parameters.some((one) => isPlace(one) && one.way === way));
  if (!hasBoth) return undefined;
  const wrong = found.filter((one) => {
    const said = wayOf(clause.stems[placeBefore(one, clause, lists)] ?? '', lists);
    return (
      isPlace(one.parameter) && one.parameter.way !== undefined && said !== undefined && said !== one.parameter.way
    );
  });
  if (!wrong.length) return undefined;
  const words = wrong.map((one) => textIn(clause, { from: placeBefore(one, clause, lists), to: one.to }));
  return { found: wrong, doubt: { kind: 'way', names: wrong.map((one) => one.parameter.spec.name), words } };
}

const isPlace = ({ isNumeric, isFreeText }: CompiledParameter): boolean => !isNumeric && !isFreeText;

/** Of the word before a value, over a "the". */
const placeBefore = ({ from }: Found, { stems }: Clause, { determiners }: Lists): number =>
  determiners.has(stems[from - 1] ?? '') ? from - 2 : from - 1;
