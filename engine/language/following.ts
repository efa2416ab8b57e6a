/** What belongs to functions: all that follows from them, and from that. */
import type { FunctionSpec } from './function-spec.ts';
import type { Language } from './language.ts';

/** The names, and those of their consequences at every depth, each once. @param specOf Of a name; undefined: unknown. */
export function namesWithFollowing(
  names: Iterable<string>,
  specOf: (name: string) => FunctionSpec | undefined,
): ReadonlySet<string> {
  const known = new Set(names);
  // A set grows while it is walked.
  for (const name of known) for (const next of specOf(name)?.consequences ?? []) known.add(next.function);
  return known;
}

/** The same as functions, in the language's order. */
export function functionsWithFollowing(names: Iterable<string>, language: Language): FunctionSpec[] {
  const known = namesWithFollowing(names, (name) => language.find(name));
  return language.functions.filter(({ name }) => known.has(name));
}
