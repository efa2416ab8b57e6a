/** The channels of a run's graph: what is saved after every step. Their names differ from the graph's nodes. */
import type { BaseCheckpointSaver } from '@langchain/langgraph';
import type { PendingQuestion } from '../model/model.ts';
import type { Mutation, Plan, Usage } from '../moot.ts';
import type { Ending } from './outcome.ts';
import type { RunRequest } from './run-request.ts';
import type { StepResult } from './step-result.ts';
import type { Leg, Waits } from './waiting-plan.ts';
import { addUsage, emptyUsage } from '../model/usage.ts';

export type Checkpointer = BaseCheckpointSaver;

export interface RunEnding extends Ending {
  readonly payload: string;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface PlanState {
  readonly request: RunRequest;
  /** The open question that the request may answer. */
  readonly pending: PendingQuestion | null;
  readonly plan: Plan;
  readonly declined: boolean;
  /** What the planner asks the person. */
  readonly questions: readonly PendingQuestion[];
  readonly answers: Readonly<Record<string, StepResult>>;
  /** Accepted so far, oldest first. */
  readonly mutations: readonly Mutation[];
  readonly usage: Usage;
  readonly ending: RunEnding | null;
  readonly asks: Asks;
  /** After an answer to what waited. */
  readonly leg: Leg | null;
  /** What waits for a person when the run has ended. */
  readonly waits: Waits | null;
}

/** When a person is asked in this run. */
export interface Asks {
  readonly plan: boolean;
  readonly commands: boolean;
  readonly byGroup: boolean;
}

export const asksNothing: Asks = { plan: false, commands: false, byGroup: false };

export const emptyPlan: Plan = { message: '', steps: [] };

/** A change of the run's mutations: more of them, those of a step in place of what it brought before, or some less. */
export type MutationChange =
  | readonly Mutation[]
  | { readonly step: string; readonly mutations: readonly Mutation[] }
  | { readonly without: readonly string[] };

export function changeMutations(before: readonly Mutation[], change: MutationChange): readonly Mutation[] {
  if ('without' in change) return before.filter(({ id }) => !change.without.includes(id));
  if (!('step' in change)) return appendMutations(before, change);
  return appendMutations(
    before.filter(({ step }) => step !== change.step),
    change.mutations,
  );
}

/** Later ones are appended; an id that is there already is not doubled (an ask may be answered again after a crash). */
export function appendMutations(before: readonly Mutation[], more: readonly Mutation[]): readonly Mutation[] {
  const seen = new Set(before.map(({ id }) => id));
  return [...before, ...more.filter(({ id }) => !seen.has(id))];
}

/** The state's definition for LangGraph, which is loaded on first use. */
export async function planAnnotation() {
  const { Annotation } = await import('@langchain/langgraph');
  const last = <T>(initial: T) => Annotation<T>({ reducer: (_before: T, now: T) => now, default: () => initial });
  return Annotation.Root({
    request: last<RunRequest>({ text: '' }),
    pending: last<PendingQuestion | null>(null),
    plan: last<Plan>(emptyPlan),
    declined: last<boolean>(false),
    questions: last<readonly PendingQuestion[]>([]),
    answers: Annotation<PlanState['answers']>({
      reducer: (before, more) => ({ ...before, ...more }),
      default: () => ({}),
    }),
    mutations: Annotation<readonly Mutation[], MutationChange>({ reducer: changeMutations, default: () => [] }),
    usage: Annotation<Usage>({ reducer: addUsage, default: () => emptyUsage }),
    ending: last<RunEnding | null>(null),
    asks: last<Asks>(asksNothing),
    leg: last<Leg | null>(null),
    waits: last<Waits | null>(null),
  });
}
