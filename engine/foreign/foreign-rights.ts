/** What a foreign agent may see and generate, as far as it can be used here. */
import type { FunctionSpec } from '../language/function-spec.ts';
import { uniqueFunctions } from '../language/unique-functions.ts';
import { faultOfForeign, specOfForeign } from './foreign-function.ts';
import type { ForeignFunction } from './foreign-function.ts';

export interface ForeignRights {
  /** Names, each once. */
  readonly accepts: readonly string[];
  readonly generates: readonly string[];
  readonly functions: readonly FunctionSpec[];
  /** Functions that break our rules are left out: nothing could act by them. Why, in words, each once. */
  readonly notes: readonly string[];
}

export function rightsOfForeign(
  accepted: readonly ForeignFunction[],
  allowed: readonly ForeignFunction[],
): ForeignRights {
  const notes = new Set<string>();
  const usable = (list: readonly ForeignFunction[]) =>
    list.filter((one) => {
      const fault = faultOfForeign(one);
      if (fault) notes.add(fault);
      return !fault;
    });
  const namesOf = (list: readonly ForeignFunction[]) => [...new Set(list.map((one) => one.function_name))];
  const [sees, may] = [usable(accepted), usable(allowed)];
  return {
    accepts: namesOf(sees),
    generates: namesOf(may),
    // Where one function is described twice, what the agent may generate is what it was meant to know.
    functions: uniqueFunctions([...may, ...sees].map((one) => specOfForeign(one))),
    notes: [...notes],
  };
}
