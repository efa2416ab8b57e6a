/** A tool's values in the words that the house has for them already: "lounge", where a function takes it for living room. */
import type { FunctionSpec, ParameterSpec } from '../language/function-spec.ts';
import { folded } from '../language/values.ts';
import { limits } from '../limits.ts';

/** The spec with the synonyms of the functions for values of the same name; its own go first. */
export function withBorrowedWords(spec: FunctionSpec, functions: readonly FunctionSpec[]): FunctionSpec {
  const known = wordsByValue(functions);
  if (known.size === 0) return spec;
  return { ...spec, parameters: spec.parameters.map((parameter) => borrowing(parameter, known)) };
}

function wordsByValue(functions: readonly FunctionSpec[]): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, readonly string[]>();
  for (const { parameters } of functions)
    for (const { synonyms = {} } of parameters)
      for (const [value, words] of Object.entries(synonyms))
        known.set(folded(value), [...(known.get(folded(value)) ?? []), ...words]);
  return known;
}

function borrowing(parameter: ParameterSpec, known: ReadonlyMap<string, readonly string[]>): ParameterSpec {
  const { allowedValues = [], synonyms = {} } = parameter;
  const borrowed = allowedValues.flatMap((value) => {
    const words = known.get(folded(value));
    const own = synonyms[value] ?? [];
    return words ? [[value, [...new Set([...own, ...words])].slice(0, limits.synonyms)] as const] : [];
  });
  return borrowed.length ? { ...parameter, synonyms: { ...synonyms, ...Object.fromEntries(borrowed) } } : parameter;
}
