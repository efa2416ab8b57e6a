/** How a run ends, from its plan (contracts.md 3, outcomes). */
import type { Outcome, Plan, StepState } from '../moot.ts';

export interface Ending {
  readonly outcome: Outcome;
  readonly reason?: string;
}

/**
 * Something was accepted: `done`, with reason `asked` if a question is open as well. Else a question is `asked`; else an
 * answer in words is `done`; else the steps' common fate. A plan without steps is `done`, or `refused` if declined.
 * @param acted Whether any command was accepted.
 */
export function endingOf(plan: Plan, acted: boolean, declined: boolean): Ending {
  const asked = plan.steps.some((step) => step.asked) || (plan.questions?.length ?? 0) > 0;
  if (acted) return asked ? { outcome: 'done', reason: 'asked' } : { outcome: 'done' };
  if (asked) return { outcome: 'asked' };
  if (plan.steps.length === 0) return { outcome: declined ? 'refused' : 'done' };
  const has = (state: StepState) => plan.steps.some((step) => step.state === state);
  if (has('answered')) return { outcome: 'done' };
  if (has('refused')) return { outcome: 'refused' };
  if (has('timeout')) return { outcome: 'timeout' };
  return { outcome: has('failed') ? 'failed' : 'cancelled' };
}
