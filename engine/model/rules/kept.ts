/** What is said beside a command of the same thing: not to do it, or how it shall stay. */
import type { CompiledLanguage } from './compile.ts';
import { excludedPair } from './contradictions.ts';
import type { Negated } from './negation.ts';
import type { CallReading, Reading } from './reading.ts';
import { plainWordsOf } from './said.ts';
import { valuesIn } from './values.ts';

/** It says how a thing shall be, instead of what not to do. */
export function isKept({ clause, spreads }: Negated, { lists }: CompiledLanguage): boolean {
  return !spreads && clause.stems.some((stem) => lists.keeping.has(stem));
}

/** "… off, and leave it on": neither. */
export function withKept<Request extends Reading>(
  request: Request,
  kept: readonly Negated[],
  language: CompiledLanguage,
): Request | CallReading {
  if (request.kind !== 'call') return request;
  const against = kept.find((one) => againstKept(one, request, language).length > 0);
  if (!against) return request;
  const names = againstKept(against, request, language);
  const words = [plainWordsOf(request), plainWordsOf(against)];
  return { ...request, conflicts: [...request.conflicts, ...names], doubt: { kind: 'together', names, words } };
}

/** Names of what the call sets to something else. */
function againstKept(kept: Negated, { fn, calls }: CallReading, { lists }: CompiledLanguage): readonly string[] {
  const { found } = valuesIn(fn, kept.clause, lists);
  const places = fn.parameters
    .filter(({ spec, isNumeric }) => spec.required && !isNumeric)
    .map(({ spec }) => spec.name);
  const values = found.map((one) => [one.parameter.spec.name, one.value] as const);
  const isSameThing = (call: CallReading['calls'][number]) =>
    values.every(([name, value]) => !places.includes(name) || call[name] === value);
  const settings = values.filter(([name]) => !places.includes(name));
  return calls.filter(isSameThing).flatMap((call) => {
    const said = { ...Object.fromEntries(settings) };
    const pair = excludedPair(fn, (name) => said[name] ?? call[name]) ?? [];
    const other = settings.filter(([name, value]) => name in call && call[name] !== value).map(([name]) => name);
    return [...new Set([...other, ...pair])];
  });
}

/** The same thing is asked for and forbidden. */
export function denies(negated: Negated, { fn, calls }: CallReading, language: CompiledLanguage): boolean {
  const { lists } = language;
  const { found } = valuesIn(fn, negated.clause, lists);
  if (isKept(negated, language) && found.some(({ parameter }) => parameter !== fn.parameters[0])) return false;
  const isItsOwn = (stem: string) =>
    fn.stems.has(stem) ||
    lists.small.has(stem) ||
    lists.aroundNegation.has(stem) ||
    lists.negators.has(stem) ||
    lists.lightVerbs.has(stem);
  const isIt =
    negated.clause.stems.some((stem) => lists.it.has(stem)) && negated.clause.stems.some((stem) => fn.verbs.has(stem));
  if (!(found.length || isIt) || !negated.clause.stems.every(isItsOwn)) return false;
  return calls.some((call) => found.every((one) => call[one.parameter.spec.name] === one.value));
}
