/** What the endpoints need to propose: who plans, who works for agents, and within which limits. */
import type { Clock } from '../clock.ts';
import type { AgentDefinition } from '../agent/definition.ts';
import type { Model } from '../model/model.ts';
import type { CallPlanner } from '../router/plan.ts';

export interface Proposer {
  readonly call: CallPlanner;
  /** It plans by rules, which know functions only, and a client describes its agents in words. Default: no. */
  readonly plansByRules?: boolean;
  readonly model: (agent: AgentDefinition) => Model;
  readonly clock: Clock;
  /** Longest silence in a step, in milliseconds. */
  readonly stepDeadlineMs: number;
  readonly deadlineMs: number;
  /** Aborts when the client is gone or the node is closed. */
  readonly signal: AbortSignal;
}
