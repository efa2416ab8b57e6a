/** A plan, or commands made of it, that wait for a person (contracts.md 3): kept in the store until they are answered. */
import type { PendingQuestion } from '../model/model.ts';
import type { Mutation, Plan } from '../moot.ts';
import type { RunRequest } from './run-request.ts';

/** Before what a person is asked. */
export type ApproveWhat = 'nothing' | 'plan' | 'commands' | 'both';
/** All commands of a plan at once, or those of each group of steps that run side by side. */
export type ApproveBy = 'whole' | 'group';

export interface WaitingPlan {
  readonly v: 1;
  /** The run that ended with the question; it names what waits. */
  readonly run: string;
  /** What began it, without what its owner carries along. */
  readonly request: RunRequest;
  readonly stage: 'plan' | 'commands';
  /** With what became of its steps so far; texts that were told already are gone. */
  readonly plan: Plan;
  /** `commands`: what is done after a yes. */
  readonly mutations: readonly Mutation[];
  /** What was approved before, oldest first; the agents see it on the board. */
  readonly done: readonly Mutation[];
  /** Its commands are shown before they are done, or the next ones of it. */
  readonly commands: boolean;
  readonly byGroup: boolean;
  /** Questions of the planner, still open. */
  readonly questions: readonly PendingQuestion[];
  /** All that was asked beside, as one. */
  readonly question?: PendingQuestion;
  /** The words with which it was shown. */
  readonly text: string;
  /** How many runs have worked on it. */
  readonly legs: number;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  /** An answer that comes later is too late. */
  readonly until: number;
  /** The run that works on its answer. */
  readonly claimedBy?: string;
}

/** What is shown at the end of a run, before it is kept: who keeps it adds run and times. */
export type Waits = Pick<
  WaitingPlan,
  'stage' | 'plan' | 'mutations' | 'done' | 'commands' | 'byGroup' | 'questions' | 'text' | 'legs'
> & {
  /** By group: from 1, and how many there are. */
  readonly group?: number;
  readonly groups?: number;
};

/** What a run goes on with after an answer; kept in its checkpoints. */
export interface Leg {
  /** What was answered. */
  readonly waiting: Pick<WaitingPlan, 'run' | 'request' | 'text' | 'legs' | 'question'>;
  /** On the board besides the request's own data. */
  readonly board: readonly Mutation[];
  /** Its commands are done at the end of this run. */
  readonly approved: readonly Mutation[];
  /** The answer in its own words. */
  readonly said: string;
  /** It waits on. */
  readonly keeps?: true;
}
