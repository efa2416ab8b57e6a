/** One value for each parameter, out of all that was found; a list where several were said. */
import type { Scalar } from '../../moot.ts';
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledParameter } from './compile.ts';
import type { Cues } from './cues.ts';
import type { Lists } from './lists.ts';

export interface Found {
  readonly from: number;
  readonly to: number;
  readonly parameter: CompiledParameter;
  readonly value: Scalar;
  readonly isQuantity: boolean;
  /** It was said with its unit. */
  readonly hasUnit?: boolean;
}

export interface Slots {
  readonly values: ReadonlyMap<string, Scalar>;
  /** Which found spans gave the values. */
  readonly used: readonly Found[];
  readonly list?: { readonly name: string; readonly values: readonly Scalar[]; readonly order: readonly string[] };
  /** Names of parameters with values that exclude each other. */
  readonly conflicts: readonly string[];
  /** Names of parameters whose value is outside of its range. */
  readonly outside: readonly string[];
  /** Required parameters, or the first group of which one is required, that lack. */
  readonly missing: readonly string[];
}

export function resolveSlots(
  fn: CompiledFunction,
  all: readonly Found[],
  clause: Clause,
  cues: Cues,
  lists: Lists,
): Slots {
  const found = withoutDoubles(
    all.filter((one) => !isSpokenAgain(one, all, clause, cues)),
    clause,
  );
  const values = new Map<string, Scalar>();
  const used: Found[] = [];
  const conflicts: string[] = [];
  let list: Slots['list'];
  const order = fn.parameters.map((parameter) => parameter.spec.name);
  for (const parameter of fn.parameters) {
    const { name } = parameter.spec;
    const own = preferred(found.filter((one) => one.parameter === parameter));
    const different = [...new Set(own.map((one) => one.value))];
    if (!own.length) continue;
    used.push(...own);
    if (different.length === 1) values.set(name, different[0] ?? '');
    else if (!list && isList(fn, parameter, own, clause, lists)) list = { name, values: different, order };
    else conflicts.push(name);
  }
  const outside = fn.parameters.filter((one) => isOutside(one, values.get(one.spec.name))).map((one) => one.spec.name);
  const has = (name: string) => values.has(name) || list?.name === name || conflicts.includes(name);
  return { values, used, ...(list ? { list } : {}), conflicts, outside, missing: missingOf(fn, has) };
}

export function missingOf(fn: CompiledFunction, has: (name: string) => boolean): string[] {
  const required = fn.parameters.filter(({ spec }) => spec.required && !has(spec.name)).map(({ spec }) => spec.name);
  const group = (fn.spec.requireOneOf ?? []).find((names) => !names.some(has));
  return [...required, ...(group ?? [])];
}

const isOutside = ({ spec }: CompiledParameter, value: Scalar | undefined): boolean =>
  typeof value === 'number' &&
  (value < (spec.minimum ?? -Infinity) ||
    value > (spec.maximum ?? Infinity) ||
    (spec.type === 'integer' && !Number.isInteger(value)));

/** The same word can't fill two parameters with the same value; the one whose name stands before it gets it. */
function withoutDoubles(found: readonly Found[], { stems }: Clause): readonly Found[] {
  return found.filter((one) => {
    const twins = found.filter((other) => other.from === one.from && other.value === one.value && other !== one);
    if (!twins.length) return true;
    const isNamed = (each: Found) => each.parameter.names.has(stems[each.from - 1] ?? '');
    return isNamed(one) || !twins.some(isNamed);
  });
}

/** A value inside a cue ("light up") counts only if its word isn't said again inside another value. */
function isSpokenAgain(one: Found, all: readonly Found[], { stems }: Clause, cues: Cues): boolean {
  if (one.isQuantity || one.to > one.from + 1 || !cues.inside.has(one.from)) return false;
  const others = all.filter((other) => other.from > one.from || other.to <= one.from);
  return others.some((other) => stems.slice(other.from, other.to).includes(stems[one.from] ?? ''));
}

/** A number beats words; of two words for a number, the verb in front gives way ("open … half way"). */
function preferred(own: readonly Found[]): readonly Found[] {
  if (!own.some((one) => one.parameter.isNumeric)) return own;
  const numbers = own.filter((one) => one.isQuantity);
  if (numbers.length) return numbers;
  const behind = own.filter((one) => one.from > 0);
  const { minimum, maximum } = own[0]?.parameter.spec ?? {};
  const isEnd = (one: Found) => one.value === minimum || one.value === maximum;
  return behind.length && behind.length < own.length && !behind.some(isEnd) ? behind : own;
}

/** Several values of the first text parameter, joined by "and" or commas. */
function isList(
  fn: CompiledFunction,
  parameter: CompiledParameter,
  own: readonly Found[],
  clause: Clause,
  lists: Lists,
): boolean {
  const first = fn.parameters.find((one) => !one.isNumeric && !one.isFreeText);
  if (parameter !== first) return false;
  return own.slice(1).every((one, index) => {
    const previous = own[index];
    if (!previous || one.from < previous.to) return one.value === previous?.value;
    const between = clause.stems.slice(previous.to, one.from);
    const isJoined = between.includes('and') || (clause.tokens[one.from]?.before ?? '').includes(',');
    return isJoined && between.every((stem) => lists.listWords.has(stem) || fn.nouns.has(stem));
  });
}
