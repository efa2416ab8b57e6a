/** One value for each parameter, out of all that was found; a list where several were said. */
import type { Scalar } from '../../moot.ts';
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledParameter } from './compile.ts';
import { doubtAbout, excludedPair, isClock, isLikeClock, misplaced, textIn } from './contradictions.ts';
import type { Doubt } from './contradictions.ts';
import type { Cues } from './cues.ts';
import type { Lists } from './lists.ts';
import { wrongWays } from './ways.ts';

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
  /** Why, where the reason is known: each has its names among the conflicts. */
  readonly doubts: readonly Doubt[];
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
  const said = withoutDoubles(
    all.filter((one) => !isSpokenAgain(one, all, clause, cues)),
    clause,
  );
  const wrong = misplaced(fn, said, clause);
  const astray = wrongWays(fn, said, clause, lists);
  const found = said.filter((one) => one !== wrong?.found && !astray?.found.includes(one));
  const values = new Map<string, Scalar>();
  const [used, conflicts]: [Found[], string[]] = [[], []];
  const doubts: Doubt[] = [wrong, astray].flatMap((one) => one?.doubt ?? []);
  let list: Slots['list'];
  const order = fn.parameters.map((parameter) => parameter.spec.name);
  for (const parameter of fn.parameters) {
    const { name } = parameter.spec;
    const all = found.filter((one) => one.parameter === parameter);
    const own = preferred(all);
    const different = [...new Set(own.map((one) => one.value))];
    used.push(...own);
    if (!own.length) continue;
    const doubt = doubtAbout(parameter, all, clause, lists);
    if (doubt) doubts.push(doubt);
    else if (different.length === 1) values.set(name, different[0] ?? '');
    else if (!list && isList(fn, parameter, own, clause, lists)) list = { name, values: different, order };
    else conflicts.push(name);
  }
  if (used.length > 1) doubts.push(...doubtsBetween(fn, values, { found, used }, clause, lists));
  const doubted = doubts.flatMap(({ names }) => names);
  for (const name of doubted) values.delete(name);
  conflicts.push(...doubted);
  const outside = fn.parameters.filter((one) => isOutside(one, values.get(one.spec.name))).map((one) => one.spec.name);
  const has = (name: string) => values.has(name) || list?.name === name || conflicts.includes(name);
  return { values, used, ...(list ? { list } : {}), conflicts, doubts, outside, missing: missingOf(fn, has) };
}

/** What one value says against another one, or against its own place. */
function doubtsBetween(
  fn: CompiledFunction,
  values: ReadonlyMap<string, Scalar>,
  { found, used }: { readonly found: readonly Found[]; readonly used: readonly Found[] },
  clause: Clause,
  lists: Lists,
): Doubt[] {
  const clock = used.find((one) => isClock(one, found, clause, fn, lists));
  if (clock) return [{ kind: 'time', names: [clock.parameter.spec.name], words: [textIn(clause, clock)] }];
  const like = used.find((one) => isLikeClock(one, used, clause, fn, lists));
  if (like) return [{ kind: 'level', names: [like.parameter.spec.name], words: [textIn(clause, like)] }];
  const pair = excludedPair(fn, (name) => values.get(name));
  if (pair) {
    const said = used.filter((one) => pair.includes(one.parameter.spec.name));
    return [{ kind: 'together', names: pair, words: said.map((one) => textIn(clause, one)) }];
  }
  return [];
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
  if (parameter !== first || own.every(({ value }) => lists.levels.has(String(value)))) return false;
  const last = own.at(-1);
  // "dim the kitchen, the hall and the bedroom"; with neither verb nor number such a list is as well a report.
  const isOrder = lists.lightVerbs.has(clause.stems[0] ?? '') || fn.verbs.has(clause.stems[0] ?? '');
  const isEnumeration = clause.stems.slice(own.at(-2)?.to, last?.from).includes('and');
  const hasAnd = isEnumeration && (isOrder || clause.quantities.length > 0);
  return own.slice(1).every((one, index) => {
    const previous = own[index];
    if (!previous || one.from < previous.to) return one.value === previous?.value;
    const between = clause.stems.slice(previous.to, one.from);
    const isComma = clause.tokens
      .slice(hasAnd ? previous.to : one.from, one.from + 1)
      .some((token) => token.before.includes(','));
    const isJoined = between.includes('and') || isComma;
    return isJoined && between.every((stem) => lists.listWords.has(stem) || fn.nouns.has(stem));
  });
}
