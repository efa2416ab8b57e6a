/** Functions of several sources as those of one language. */
import type { FunctionSpec } from './function-spec.ts';

/** Of two whose names differ in case only, or not at all, the first: a language may have one of them. */
export function uniqueFunctions(specs: readonly FunctionSpec[]): FunctionSpec[] {
  const byName = new Map<string, FunctionSpec>();
  for (const spec of specs) if (!byName.has(spec.name.toLowerCase())) byName.set(spec.name.toLowerCase(), spec);
  return [...byName.values()];
}
