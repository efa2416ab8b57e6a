/** Data of other programs that breaks our rules: it is kept as it is, told, and refused only if it were to be done. */
import { checkCall } from '../language/check-call.ts';
import type { Language } from '../language/language.ts';
import type { Mutation } from '../moot.ts';

/** For whoever wires the flow. Nothing: all fits, or there is no language that could tell. */
export function unfitWords(mutations: readonly Mutation[], language: Language): string | undefined {
  if (language.functions.length === 0) return undefined;
  const findings = mutations.flatMap((mutation) => {
    const checked = checkCall(language, mutation);
    return checked.ok ? [] : [checked.finding];
  });
  const [first] = findings;
  if (first === undefined) return undefined;
  return `${findings.length} of ${mutations.length} commands on the board do not fit the language. They are kept as they are, and refused where they would be done. The first: ${first}`;
}
