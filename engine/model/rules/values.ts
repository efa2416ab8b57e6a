/** The values and numbers in a clause that belong to parameters of one function. */
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledParameter, ValuePhrase } from './compile.ts';
import { phraseAt } from './lists.ts';
import type { Lists } from './lists.ts';
import type { Quantity } from './quantities.ts';
import type { Found } from './slots.ts';

/** What is found of the function's parameters, and where particles only lead to it. */
export interface ValuesIn {
  readonly found: readonly Found[];
  readonly prepositions: readonly number[];
}

export function valuesIn(fn: CompiledFunction, clause: Clause, lists: Lists): ValuesIn {
  const phrases = phrasesIn(fn, clause, lists);
  const quantities = clause.quantities.filter((one) => !phrases.some(({ from, to }) => from < one.to && one.from < to));
  const isParticle = (at: number) => lists.prepositions.has(clause.stems[at] ?? '');
  const isParticlePhrase = ({ from, to }: Spanned) => to === from + 1 && isParticle(from);
  const starts = new Set([...phrases.filter((one) => !isParticlePhrase(one)), ...quantities].map((one) => one.from));
  const prepositions = [...clause.stems.keys()].filter(
    (at) => isParticle(at) && !isOpposed(at, phrases) && leadsTo(clause, at, starts, lists),
  );
  const found: Found[] = phrases
    .filter((one) => !(isParticlePhrase(one) && prepositions.includes(one.from)))
    .flatMap(({ from, to, phrase }) =>
      phrase.map(({ parameter, value }) => ({ from, to, parameter, value, isQuantity: false })),
    );
  return { found: [...found, ...assigned(fn, quantities, clause, lists)], prepositions };
}

interface Spanned {
  readonly from: number;
  readonly to: number;
  readonly phrase: readonly ValuePhrase[];
}

/** "on off": two values of one thing, not a preposition. */
function isOpposed(at: number, phrases: readonly Spanned[]): boolean {
  const [here, next] = [at, at + 1].map((place) => phrases.find(({ from }) => from === place)?.phrase ?? []);
  return Boolean(here?.some((one) => next?.some((other) => other.parameter === one.parameter)));
}

/** Longest first; one span may fill several parameters. */
function phrasesIn(fn: CompiledFunction, { stems, tokens }: Clause, lists: Lists): Spanned[] {
  const end = stems.length;
  const all: Spanned[] = [];
  for (let from = 0; from < end; from++) {
    const here = (fn.values.get(stems[from] ?? '') ?? []).filter(
      ({ stems: phrase }) =>
        from + phrase.length <= end &&
        phraseAt(stems, from, phrase) &&
        !broken(tokens, from, phrase.length) &&
        !(phrase.length === 1 && (isPart(stems, from, lists) || isWay(stems, from, lists))),
    );
    for (const length of new Set(here.map(({ stems: phrase }) => phrase.length)))
      all.push({ from, to: from + length, phrase: here.filter(({ stems: phrase }) => phrase.length === length) });
  }
  all.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
  const kept: Spanned[] = [];
  for (const one of all) if (!kept.some(({ from, to }) => from < one.to && one.from < to)) kept.push(one);
  return kept.sort((a, b) => a.from - b.from);
}

/** "half the lights", "one of the lights" */
export const isPart = (stems: readonly string[], at: number, lists: Lists): boolean =>
  lists.parts.has(stems[at] ?? '') && ['of', 'the'].includes(stems[at + 1] ?? '');

/** "out of the kitchen", "throw the lamp out": where a thing goes, not how it shall be. */
const isWay = (stems: readonly string[], at: number, lists: Lists): boolean => {
  const stem = stems[at] ?? '';
  if (!lists.directions.has(stem)) return false;
  return stems[at + 1] === 'of' || (lists.nothing.has(stem) && lists.carrying.has(stems[0] ?? ''));
};

/** A phrase doesn't reach over a comma. */
const broken = (tokens: Clause['tokens'], from: number, length: number): boolean =>
  tokens.slice(from + 1, from + length).some(({ before }) => /[^-]/.test(before.trim()));

/** "on the first floor": a particle before a value is a preposition, unless it belongs to a verb ("turn on the …"). */
function leadsTo(clause: Clause, at: number, starts: ReadonlySet<number>, lists: Lists): boolean {
  const { stems, tokens } = clause;
  const previous = stems[at - 1] ?? '';
  // Also in "… and turn on the hall light".
  const isVerb = at === 1 || lists.joining.has(stems[at - 2] ?? '') || /[.,;]/.test(tokens[at - 1]?.before ?? '');
  if (lists.lightVerbs.has(previous) && isVerb) return false;
  for (let next = at + 1; next < stems.length; next++) {
    if (tokens[next]?.before) return false;
    if (starts.has(next)) return true;
    if (!lists.determiners.has(stems[next] ?? '') && stems[next] !== 'a') return false;
  }
  return false;
}

/** Numbers go to the parameter of their unit; without one to the one that is named, else to the only one whose range fits. */
function assigned(fn: CompiledFunction, quantities: readonly Quantity[], clause: Clause, lists: Lists): Found[] {
  const numeric = fn.parameters.filter((parameter) => parameter.isNumeric);
  const taken = new Set<CompiledParameter>();
  return quantities.flatMap((quantity) => {
    if (quantity.isVague || isRelative(quantity, clause, lists)) return [];
    const shared = durations(quantity, numeric, lists);
    if (shared) return shared;
    const parameter =
      homeOf(
        quantity,
        numeric.filter((one) => !taken.has(one)),
        clause,
      ) ?? homeOf(quantity, numeric, clause);
    if (!parameter) return [];
    if (parameter.unit !== undefined && isCount(quantity, fn, clause, lists)) return [];
    taken.add(parameter);
    const hasUnit = quantity.unit !== undefined;
    return [{ from: quantity.from, to: quantity.to, parameter, value: quantity.value, isQuantity: true, hasUnit }];
  });
}

function homeOf(
  quantity: Quantity,
  numeric: readonly CompiledParameter[],
  clause: Clause,
): CompiledParameter | undefined {
  const { unit, value } = quantity;
  if (unit !== undefined) {
    const exact = numeric.filter((parameter) => parameter.unit === unit);
    if (exact.length) return exact.length === 1 ? exact[0] : namedIn(exact, clause);
    if (unit !== 'percent') return undefined;
    const shares = numeric.filter((parameter) => parameter.unit === undefined && parameter.spec.maximum === 100);
    return shares.length === 1 ? shares[0] : undefined;
  }
  const named = namedIn(numeric, clause);
  if (named) return named;
  const fitting = numeric.filter(
    ({ spec }) => value >= (spec.minimum ?? -Infinity) && value <= (spec.maximum ?? Infinity),
  );
  if (fitting.length) return fitting.length === 1 ? fitting[0] : undefined;
  return numeric.length === 1 ? numeric[0] : undefined;
}

/** The only parameter of which a word is said that no other of them has. */
function namedIn(parameters: readonly CompiledParameter[], { stems }: Clause): CompiledParameter | undefined {
  const said = parameters.filter((parameter) =>
    [...parameter.names].some(
      (name) => stems.includes(name) && parameters.every((other) => other === parameter || !other.names.has(name)),
    ),
  );
  return said.length === 1 ? said[0] : undefined;
}

/** "up 2 degrees" and "2 more" are differences; "up to 20" is a value. */
function isRelative({ from, to }: Quantity, { stems }: Clause, lists: Lists): boolean {
  return lists.relative.has(stems[from - 1] ?? '') || lists.relative.has(stems[to] ?? '');
}

/** "2 kitchen lights": so many things, not a value in a unit. */
function isCount({ from, to, unit }: Quantity, fn: CompiledFunction, { stems }: Clause, lists: Lists): boolean {
  const next = stems[to] ?? '';
  if (unit !== undefined || lists.towards.has(stems[from - 1] ?? '') || fn.measures.has(next)) return false;
  return fn.stems.has(next) && !lists.small.has(next) && !lists.prepositions.has(next) && !lists.directions.has(next);
}

/** 1.5 hours are 1 hour and 30 minutes where the function has whole hours and minutes. */
function durations(quantity: Quantity, numeric: readonly CompiledParameter[], lists: Lists): Found[] | undefined {
  const { seconds } = lists.words;
  const unit = quantity.unit;
  const length = unit === undefined ? undefined : seconds[unit];
  const main = numeric.find((parameter) => parameter.unit === unit);
  if (length === undefined || !main || main.spec.type !== 'integer' || Number.isInteger(quantity.value))
    return undefined;
  const whole = Math.trunc(quantity.value);
  const rest = Math.round((quantity.value - whole) * length);
  const next = numeric
    .filter((parameter) => parameter.unit !== undefined && rest % (seconds[parameter.unit] ?? Infinity) === 0)
    .sort((a, b) => (seconds[b.unit ?? ''] ?? 0) - (seconds[a.unit ?? ''] ?? 0))[0];
  if (!next) return undefined;
  const { from, to } = quantity;
  const share = rest / (seconds[next.unit ?? ''] ?? 1);
  const parts = [{ from, to, parameter: next, value: share, isQuantity: true }];
  return whole ? [{ from, to, parameter: main, value: whole, isQuantity: true }, ...parts] : parts;
}
