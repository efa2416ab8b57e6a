/** Why a run ends before its plan does: what it may cost is spent, or an agent reached its own limit. */
import { overLimit } from '../model/usage-limits.ts';
import type { PlanState } from './plan-state.ts';
import type { RunPorts } from './run-ports.ts';

/** In words for people. What is over already was not stopped by it. */
export function limitReached(
  { plan: { steps }, answers, usage }: Pick<PlanState, 'plan' | 'answers' | 'usage'>,
  { limits }: Pick<RunPorts, 'limits'>,
): string | undefined {
  const own = Object.values(answers).find(({ error }) => error?.code === 'FOLKMOOT_LIMIT');
  if (own) return own.text;
  const isLeft = steps.some(({ id, state }) => !(id in answers) && state === 'waiting');
  return isLeft ? overLimit(limits, usage) : undefined;
}
