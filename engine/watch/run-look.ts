/** What somebody who watches sees of a run: short texts, no credentials, nothing of messages but their words. */
import type { AnswerStatus, AskKind, Outcome, PersonAnswer, ReportLine, Scalar, StepState } from '../moot.ts';

/** `waiting`: for its turn. */
export type RunLookState = 'waiting' | 'running' | Outcome;

export interface RunLook {
  readonly run: string;
  /** Id of the node where it began, as the editor knows it. */
  readonly owner: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly state: RunLookState;
  /** The person's words, or the event's sentence. */
  readonly text: string;
  readonly user?: string;
  /** Over which way the words came. */
  readonly via?: string;
  /** What a person decided about what waited, without words. */
  readonly decision?: PersonAnswer['decision'];
  /** The events that it began with. */
  readonly events?: readonly EventLook[];
  /** Went on after a restart. */
  readonly resumed?: true;
  /** Planned by the first tier, without a model. */
  readonly byFirstTier?: true;
  /** A person was asked what shall be done, and may still answer. */
  readonly waits?: {
    /** Milliseconds since the epoch. */
    readonly until: number;
  };
  /** Why it ended like that, for whoever wires the flow. */
  readonly reason?: string;
  readonly steps: readonly StepLook[];
  readonly commands: readonly CommandLook[];
  /** What it answered. */
  readonly answer?: string;
  /** What people were told after its commands. */
  readonly report?: string;
}

export interface EventLook {
  readonly source: string;
  readonly kind: string;
  readonly value: string;
}

export interface StepLook {
  readonly id: string;
  /** agentId. */
  readonly agent: string;
  /** Id of the agent's node, once it was asked over a wire. */
  readonly node?: string;
  readonly state: StepState;
  /** It asked the person. */
  readonly asked?: true;
  readonly prompt?: string;
  /** What the agent said, or why it did not work out. */
  readonly text?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The tools and memories that it asked. */
  readonly calls?: readonly CallLook[];
}

export interface CallLook {
  readonly id: string;
  readonly node: string;
  readonly kind: AskKind;
  readonly name?: string;
  /** `running` until it is answered. */
  readonly state: 'running' | AnswerStatus;
}

export interface CommandLook {
  readonly id: string;
  readonly function: string;
  readonly parameters: Readonly<Record<string, Scalar>>;
  /** agentId of who proposed it. */
  readonly agent?: string;
  /** Once it was reported. */
  readonly state?: ReportLine['state'];
  readonly reason?: string;
}

/** What changed since a revision. */
export interface RunChanges {
  /** Of this start of the runtime: with another one all is new. */
  readonly epoch: string;
  readonly revision: number;
  /** The clock that the times are of, now. */
  readonly now: number;
  /** Runs that changed, oldest first. */
  readonly runs: readonly RunLook[];
}
