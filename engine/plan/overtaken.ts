/**
 * Of requests side by side: what a later one had done before an earlier one was through. It ends as if they had come one
 * after the other: what the later one set stands, and the earlier one says so.
 */
import { contradictionsIn } from '../evaluate/contradictions.ts';
import type { Called } from '../evaluate/contradictions.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import type { PlanStep } from '../moot.ts';
import { withWhatFollows } from './evaluate.ts';
import { sentences } from './rest.ts';
import type { RunResult } from './run-request.ts';
import { runText, texts } from './text.ts';

/** The result without what contradicts what was done meanwhile (oldest first), and with words about that. */
export function withoutOvertaken(
  result: RunResult,
  meanwhile: readonly Called[],
  specs: ReadonlyMap<string, FunctionSpec>,
): RunResult {
  const { mutations, plan, waits } = result;
  const standing = standingOf(meanwhile, specs);
  const pairs = contradictionsIn<Called>([...standing, ...mutations], (name) => specs.get(name)).filter(({ first }) =>
    standing.includes(first),
  );
  const overtaken = new Set(pairs.map(({ second }) => second));
  const without = withWhatFollows(mutations, overtaken, specs);
  if (without.length === 0) return result;
  const kept = mutations.filter(({ id }) => !without.includes(id));
  const wordsOf = (id?: string) =>
    pairs.flatMap(({ second, words: [theirs, own] }) =>
      mutations.some((one) => one === second && one.step === id) ? [texts.overtaken(own, theirs)] : [],
    );
  const steps = plan.steps.map((step): PlanStep => {
    const words = wordsOf(step.id);
    if (words.length === 0) return step;
    const rest = sentences([step.rest, ...words]);
    return kept.some((one) => one.step === step.id) ? { ...step, rest } : { ...step, text: rest };
  });
  const told = { ...plan, steps };
  const payload = waits ? sentences([...steps.flatMap(({ id }) => wordsOf(id)), result.payload]) : runText(told);
  return { ...result, mutations: kept, plan: told, payload };
}

/** Without what a later one of them took back. */
const standingOf = (calls: readonly Called[], specs: ReadonlyMap<string, FunctionSpec>): readonly Called[] =>
  calls.reduceRight<readonly Called[]>(
    (later, one) => (contradictionsIn([one, ...later], (name) => specs.get(name)).length > 0 ? later : [one, ...later]),
    [],
  );
