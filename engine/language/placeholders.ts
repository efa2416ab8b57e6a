/** `{areas}`, `{floors}`, `{entities}` and `{entities:light}` in allowed values, filled from what is known of a home. */
import type { FunctionSpec, ParameterSpec } from './function-spec.ts';
import { parametersNamedIn } from './language.ts';
import { fillOptional, fillSlots, parameterAt } from './sentence-template.ts';
import { folded, isPlaceholder } from './values.ts';

export interface KnownThings {
  readonly areas?: readonly string[];
  readonly floors?: readonly string[];
  readonly entities?: readonly { readonly name: string; readonly domain: string }[];
}

/**
 * Specs with placeholders replaced. A parameter of which nothing is known can't be given: an optional one is taken out;
 * where it is required, the function is taken out, and with it what other functions say of it.
 */
export function fillPlaceholders(specs: readonly FunctionSpec[], known: KnownThings): FunctionSpec[] {
  const kept = specs.map((spec) => fillSpec(spec, known)).filter((spec) => spec !== undefined);
  const byName = new Map(kept.map((spec) => [spec.name, spec]));
  return kept.map((spec) => (spec.consequences ? { ...spec, consequences: keptConsequences(spec, byName) } : spec));
}

function fillSpec(spec: FunctionSpec, known: KnownThings): FunctionSpec | undefined {
  const all = spec.parameters.map((parameter) => ({ parameter, filled: fillParameter(parameter, known) }));
  if (all.some(({ parameter, filled }) => parameter.required && !filled)) return undefined;
  const parameters = all.flatMap(({ filled }) => filled ?? []);
  const there = (name: string) => parameterAt(parameters, name) !== undefined;
  const groups = spec.requireOneOf?.map((group) => group.filter(there));
  if (groups?.some((group) => group.length === 0)) return undefined;
  const { sentence, requireOneOf: _, ...rest } = spec;
  const told = sentence === undefined ? undefined : withoutParts(sentence, there);
  return { ...rest, parameters, ...(groups ? { requireOneOf: groups } : {}), ...(told ? { sentence: told } : {}) };
}

/** The sentence without what can't be said any more. */
const withoutParts = (sentence: string, there: (name: string) => boolean): string =>
  fillSlots(
    fillOptional(sentence, there, (_inner, part) => part),
    ({ name }, text) => (there(name) ? text : ''),
  );

function fillParameter(parameter: ParameterSpec, known: KnownThings): ParameterSpec | undefined {
  if (!parameter.allowedValues?.some(isPlaceholder)) return parameter;
  const seen = new Set<string>();
  const allowedValues = parameter.allowedValues
    .flatMap((value) => (isPlaceholder(value) ? valuesFor(value, known) : [value]))
    .filter((value) => value.trim() !== '' && !seen.has(folded(value)) && seen.add(folded(value)));
  if (!allowedValues.length) return undefined;
  if (!parameter.synonyms) return { ...parameter, allowedValues };
  const synonyms = Object.fromEntries(
    Object.entries(parameter.synonyms).filter(([value]) => allowedValues.includes(value)),
  );
  return { ...parameter, allowedValues, synonyms };
}

function valuesFor(placeholder: string, known: KnownThings): readonly string[] {
  const [kind, domain] = placeholder.slice(1, -1).split(':');
  if (kind === 'areas') return known.areas ?? [];
  if (kind === 'floors') return known.floors ?? [];
  return (known.entities ?? []).filter((one) => !domain || one.domain === domain).map((one) => one.name);
}

function keptConsequences(spec: FunctionSpec, byName: ReadonlyMap<string, FunctionSpec>) {
  const own = (name: string) => spec.parameters.some((parameter) => parameter.name === name);
  return (spec.consequences ?? []).flatMap((consequence) => {
    const target = byName.get(consequence.function);
    if (!target) return [];
    const parameters = Object.entries(consequence.parameters).filter(
      ([name, template]) =>
        target.parameters.some((parameter) => parameter.name === name) && parametersNamedIn(template).every(own),
    );
    return [{ ...consequence, parameters: Object.fromEntries(parameters) }];
  });
}
