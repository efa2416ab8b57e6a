/** What begins a run and what it ends with. Plain JSON, for both are kept in the store. */
import type { HistoryLine } from '../router/plan-prompt.ts';
import type { EventRecord, Mutation, Outcome, PersonAnswer, Plan, RequestInfo, Usage } from '../moot.ts';
import type { Waits } from './waiting-plan.ts';

export interface RunRequest {
  /** The run's id, never used before; made if absent. */
  readonly run?: string;
  /** The person's words, or the event's sentence. */
  readonly text: string;
  readonly conversation?: string;
  readonly user?: string;
  /** Where it came from; a question may be answered on the same topic by the same user. */
  readonly topic?: string;
  readonly request?: RequestInfo;
  readonly parent?: string;
  /** How many runs led to this one; over `limits.runDepth` it is refused. */
  readonly depth?: number;
  readonly event?: readonly EventRecord[];
  /** Application data for the board. Never part of the run's own commands. */
  readonly mutations?: readonly Mutation[];
  /** Application data as text, for agents that work with GraphQL. */
  readonly data?: string;
  readonly history?: readonly HistoryLine[];
  /** Used as it is if the text is empty or `proceed`, without a model; else thrown away (row 54). */
  readonly plan?: Plan;
  /** To be changed by what the text says (row 50). */
  readonly previousPlan?: Plan;
  /** Of a person, over a wire, to a plan that waits: then the text is no request. */
  readonly answer?: PersonAnswer;
  readonly tainted?: boolean;
  /** The owner's data, carried to the result as it is; never shown to agents. */
  readonly carry?: unknown;
}

/** What every run ends with, whatever it did. */
export interface RunEnd {
  readonly run: string;
  readonly request: RunRequest;
  readonly outcome: Outcome;
  /** `asked`, `overlap`, or a sentence. */
  readonly reason?: string;
  /** For people. */
  readonly payload: string;
  /** What was accepted in this run with all consequences, in the plan's order. */
  readonly mutations: readonly Mutation[];
  readonly usage: Usage;
  /** Why it failed, for whoever wires the flow. */
  readonly error?: { readonly code: string; readonly message: string };
}

export interface RunResult extends RunEnd {
  readonly plan: Plan;
  /** What waits for a person now. */
  readonly waits?: Waits;
}

/** By when requests were asked, not by when it was their turn: a deploy or a restart may change that. */
export const askedAt = ({ request, startedAt }: { request: RunRequest; startedAt: number }): number => {
  const at: unknown = request.request?.at;
  return typeof at === 'number' && Number.isFinite(at) ? at : startedAt;
};
