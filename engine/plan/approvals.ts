/** Keeps what waits for a person when a run ends, and finds it again for the run that brings the answer. */
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Outcome, RunEvent } from '../moot.ts';
import type { PlanState } from './plan-state.ts';
import { openQuestion } from './run-result.ts';
import type { Approvals, RunPorts } from './run-ports.ts';
import type { RunRequest } from './run-request.ts';
import { takeWaiting } from './take-waiting.ts';
import type { ApproveBy, ApproveWhat, WaitingPlan } from './waiting-plan.ts';
import type { WaitingPlans } from './waiting-plans.ts';

export interface ApprovalOptions {
  readonly before: ApproveWhat;
  readonly by: ApproveBy;
  /** How long an answer is waited for, in milliseconds. Default `limits.approvalMs`. */
  readonly withinMs?: number;
  readonly plans: WaitingPlans;
  /** Empties the board of a conversation. */
  readonly startOver: Approvals['startOver'];
}

export interface KeptApprovals extends Approvals {
  /** Before a run's result is delivered: what waits is kept, what was answered is closed, and then it is told. */
  settle(ended: EndedRun): Promise<void>;
}

interface EndedRun {
  readonly state: PlanState;
  readonly outcome: Outcome;
  readonly emit: RunPorts['emit'];
}

/** What went wrong leaves the plan waiting: the same answer may be given again. */
const wentWrong: readonly Outcome[] = ['failed', 'timeout', 'limit', 'cancelled'];

export function createApprovals(
  options: ApprovalOptions & { readonly clock: Clock; readonly isOpen: (run: string) => Promise<boolean> },
): KeptApprovals {
  const { before, by, plans, startOver, clock, isOpen, withinMs = limits.approvalMs } = options;
  return {
    ...{ before, by, startOver },
    take: (request) => takeWaiting(plans, request, { now: clock.now(), isOpen }),
    async settle({ state, outcome, emit }) {
      const { leg, waits } = state;
      const opened = waits && waitingOf(state, clock.now(), withinMs);
      if (opened) await plans.open(opened);
      if (leg && (leg.keeps || wentWrong.includes(outcome))) await plans.release(leg.waiting);
      else if (leg) await plans.close(leg.waiting);
      if (opened) emit(...told(opened, state));
    },
  };
}

function waitingOf(state: PlanState, now: number, withinMs: number): WaitingPlan | undefined {
  const { waits, request } = state;
  if (!waits) return undefined;
  const { group: _, groups: __, ...kept } = waits;
  const question = openQuestion(state);
  const { request: open = '', question: words = '' } = question ?? {};
  return {
    ...{ v: 1, run: request.run ?? '', request: lean(request), ...kept },
    // A yes is for the plan now, and for nothing that an agent asked beside it.
    ...(question ? { question: { request: open, question: words } } : {}),
    ...{ openedAt: now, until: now + withinMs },
  };
}

/** Without what only its own run needs. */
function lean(request: RunRequest): RunRequest {
  const { carry: _, history: __, plan: ___, previousPlan: ____, answer: _____, ...kept } = request;
  return kept;
}

function told({ until, text }: WaitingPlan, { plan, waits }: PlanState): [RunEvent['kind'], unknown] {
  const common = { text, until: new Date(until).toISOString() };
  if (waits?.stage !== 'commands') return ['plan', { ...plan, approve: true, ...common }];
  const { mutations, group, groups } = waits;
  return ['approval', { ...common, mutations, ...(group === undefined ? {} : { group, groups }) }];
}
