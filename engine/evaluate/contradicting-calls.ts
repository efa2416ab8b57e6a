/** What of an agent's checked calls contradicts itself: a finding for its model, and, when it stays so, a question. */
import type { GoodCall } from '../language/check-call.ts';
import type { Language } from '../language/language.ts';
import { contradictionsIn } from './contradictions.ts';

export interface ContradictingCalls {
  /** What contradicts nothing. */
  readonly kept: readonly GoodCall[];
  /** For the model. */
  readonly findings: readonly string[];
  /** For the person: nobody but them can say which of two is meant. */
  readonly questions: readonly string[];
}

export function contradictingCalls(good: readonly GoodCall[], language: Language): ContradictingCalls {
  const calls = good.map((one) => ({ function: one.spec.name, parameters: one.parameters, good: one }));
  const pairs = contradictionsIn(calls, (name) => language.find(name));
  const contradicting = new Set(pairs.flatMap(({ first, second }) => [first.good, second.good]));
  return {
    kept: good.filter((one) => !contradicting.has(one)),
    findings: pairs.map(
      ({ first, second }) =>
        `${first.function} ${JSON.stringify(first.parameters)} and ${second.function} ${JSON.stringify(second.parameters)} contradict each other; only one of them can hold.`,
    ),
    questions: pairs.map(({ words }) => whichIsMeant(words)),
  };
}

export const whichIsMeant = ([one, other]: readonly [string, string]): string =>
  `“${one}” and “${other}” can’t both be. Which is meant?`;
