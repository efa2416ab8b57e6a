/** The one result of a run: of its saved state, of what stopped it, or of what went wrong. */
import { asError, isFolkmootError } from '../errors.ts';
import type { PendingQuestion } from '../model/model.ts';
import { emptyUsage } from '../model/usage.ts';
import type { Mutation, Outcome, Plan, StepState } from '../moot.ts';
import { dispatch } from './plan-nodes.ts';
import { emptyPlan } from './plan-state.ts';
import type { PlanState, RunEnding } from './plan-state.ts';
import type { RunRequest, RunResult } from './run-request.ts';
import { stepText, texts } from './text.ts';
import { shownPlan } from './waits.ts';

/** A request that has its run's id. */
export type RunningRequest = RunRequest & { readonly run: string };

/** Why a run was stopped from outside. `closing`: not at all, it goes on later. */
export type Stop = 'timeout' | 'cancelled' | 'overlap' | 'closing';

/** Of a run that came to its end. */
export function finalResult(request: RunningRequest, state: PlanState): RunResult {
  const { outcome, reason, payload, error = firstError(state) } = state.ending ?? failedEnding;
  const { plan, waits } = state;
  return {
    run: request.run,
    request: afterLeg(request, state),
    outcome,
    ...(reason ? { reason } : {}),
    payload,
    plan: shownPlan(state),
    mutations: inPlanOrder(plan, waits ? approvedIn(state) : [...approvedIn(state), ...state.mutations]),
    ...(waits ? { waits } : {}),
    usage: state.usage,
    ...(error ? { error } : {}),
  };
}

const approvedIn = ({ leg }: PlanState): readonly Mutation[] => leg?.approved ?? [];

/** The answer's own request with what it goes on from: what happened, and whether strangers had a hand in it. */
function afterLeg(request: RunningRequest, state: PlanState | undefined): RunningRequest {
  if (!state?.leg) return request;
  const { tainted } = state.request;
  return { ...state.request, ...request, parent: state.leg.waiting.run, ...(tainted ? { tainted } : {}) };
}

const failedEnding: RunEnding = { outcome: 'failed', payload: texts.failed };

/** Why the run's steps failed, where that is what became of the run. */
function firstError({ plan, answers, ending }: PlanState): RunEnding['error'] {
  if (ending?.outcome !== 'failed' && ending?.outcome !== 'timeout') return undefined;
  return plan.steps.map(({ id }) => answers[id]?.error).find((error) => error !== undefined);
}

/** Waves mix the steps' order; people and devices are served in the plan's. */
function inPlanOrder(plan: Plan, mutations: readonly Mutation[]): Mutation[] {
  const place = new Map(plan.steps.map(({ id }, index) => [id, index]));
  const of = (mutation: Mutation) => place.get(mutation.step ?? '') ?? -1;
  return [...mutations].sort((one, other) => of(one) - of(other));
}

/** Of a run that was stopped; `state` is what was saved of it. */
export function stoppedResult(
  request: RunningRequest,
  stop: Exclude<Stop, 'closing'>,
  state: PlanState | undefined,
  reason?: string,
): RunResult {
  const outcome = stop === 'timeout' ? 'timeout' : 'cancelled';
  const why = stop === 'overlap' ? 'overlap' : (reason ?? texts[stop]);
  return endedResult(request, { outcome, reason: why, payload: texts[stop] }, state);
}

/** Of a run in which something was thrown that no step catches: planning or saving. */
export function failedResult(request: RunningRequest, thrown: unknown, state: PlanState | undefined): RunResult {
  const { message } = asError(thrown);
  const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_RUN_FAILED';
  const error = { code, message };
  switch (code) {
    case 'FOLKMOOT_DEADLINE':
      // The run's own end at its deadline is no error: only the planner's model waits for something here.
      return { ...endedResult(request, { outcome: 'timeout', payload: texts.modelSilent }, state), error };
    case 'FOLKMOOT_LIMIT':
      return { ...endedResult(request, { outcome: 'limit', payload: texts.failed }, state), error };
    case 'FOLKMOOT_PLAN_INVALID':
      return { ...endedResult(request, { outcome: 'failed', payload: texts.planFailed }, state), error };
    case 'FOLKMOOT_MODEL_FAILED':
    case 'FOLKMOOT_MODEL_UNKNOWN':
    case 'FOLKMOOT_MODEL_UNREADABLE':
      return { ...endedResult(request, { outcome: 'failed', payload: texts.modelFailed }, state), error };
    case 'FOLKMOOT_STORE_LOST':
      return { ...endedResult(request, { outcome: 'failed', payload: texts.memoryAway }, state), error };
    default:
      return { ...endedResult(request, { outcome: 'failed', payload: texts.failed }, state), error };
  }
}

/** Of a run whose message came in a circle (asks.md 3, loops). */
export const tooDeepResult = (request: RunningRequest): RunResult => ({
  ...endedResult(request, { outcome: 'refused', payload: texts.tooDeep }, undefined),
  error: { code: 'FOLKMOOT_TOO_DEEP', message: `Run ${request.run} is the ${request.depth ?? 0}th in a row.` },
});

function endedResult(
  request: RunningRequest,
  ending: { readonly outcome: Outcome; readonly reason?: string; readonly payload: string },
  state: PlanState | undefined,
): RunResult {
  const plan = state ? (dispatch(state).plan ?? state.plan) : emptyPlan;
  const status: StepState & ('timeout' | 'cancelled') = ending.outcome === 'timeout' ? 'timeout' : 'cancelled';
  const steps = plan.steps.map((step) =>
    step.state === 'waiting' || step.state === 'running'
      ? { ...step, state: status, text: stepText(step, { status, payload: null }) }
      : step,
  );
  return {
    run: request.run,
    request: afterLeg(request, state),
    ...ending,
    plan: { ...plan, steps },
    // What nobody has approved yet is not told as if it were wanted.
    mutations: state ? inPlanOrder(plan, [...approvedIn(state), ...(state.asks.commands ? [] : state.mutations)]) : [],
    usage: state?.usage ?? emptyUsage,
  };
}

/** The question that stays open after a run: all that was asked, as one; else the one that was open before, once more. */
export function openQuestion({ plan, questions, pending, request }: PlanState): PendingQuestion | undefined {
  const asked = plan.steps
    .filter((step) => step.asked || step.asksYes)
    .map(({ prompt, text, rest }) => ({ request: prompt, question: rest ?? text ?? '' }));
  const all = [...asked, ...questions];
  const [only] = plan.steps.filter((step) => step.asksYes);
  // Beside another question it would not be clear what a yes is said to.
  if (only && all.length === 1) {
    const { user, conversation } = request;
    const from = { ...(user ? { user } : {}), ...(conversation ? { conversation } : {}) };
    return {
      request: only.prompt,
      question: all[0]?.question ?? '',
      needsYes: { agent: only.agent, prompt: only.prompt, ...from },
    };
  }
  if (all.length === 0) return pending && !pending.repeated ? { ...pending, repeated: true } : undefined;
  const joined = (key: 'request' | 'question', by: string) => [...new Set(all.map((one) => one[key]))].join(by);
  return { request: joined('request', ' and '), question: joined('question', ' ') };
}
