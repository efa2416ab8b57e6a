/** What a run needs from outside while it works. Everything is called outside of LangGraph's context. */
import type { Called } from '../evaluate/contradictions.ts';
import type { PendingQuestion } from '../model/model.ts';
import type { UsageLimits } from '../model/usage-limits.ts';
import type { AskAnswer, Mutation, Outcome, PlanStep, RunEvent } from '../moot.ts';
import type { Tier } from '../router/classifier/tier.ts';
import type { CallPlanner } from '../router/plan.ts';
import type { HistoryLine } from '../router/plan-prompt.ts';
import type { TeamMember } from '../router/team.ts';
import type { RunRequest } from './run-request.ts';
import type { Taken } from './take-waiting.ts';
import type { ApproveBy, ApproveWhat } from './waiting-plan.ts';

export interface AskContext {
  readonly run: string;
  /** `ask:<run>/<step>`: the same after a crash. */
  readonly id: string;
  readonly request: RunRequest;
  /** The agent's, if it is still in the team. */
  readonly nodeId?: string;
  /** Position from 0 among all steps of the plan, and how many there are. */
  readonly index: number;
  readonly count: number;
  /** What is on the board for this agent, oldest first, at most `limits.askMutations`. */
  readonly mutations: readonly Mutation[];
  /** 0; larger when asked anew on purpose. */
  readonly again: number;
  /** Then: what was wrong with the first answer, for the agent's model. */
  readonly finding?: string;
  /** Aborts when the run ends before the step does. */
  readonly signal: AbortSignal;
}

/** Asks an agent. The deadline of a step is the asker's; it should not reject, but may. */
export type AskStep = (step: PlanStep, context: AskContext) => Promise<AskAnswer>;

export interface RunPorts {
  /** Whom the router reaches at this moment. */
  readonly team: () => Promise<readonly TeamMember[]>;
  readonly call: CallPlanner;
  /** Plans what is clear without the planner. Asked for at each request: nothing while there is none. */
  readonly tier?: (() => Tier | undefined) | undefined;
  readonly ask: AskStep;
  /** What the team is for. */
  readonly routerDescription?: string;
  readonly history?: (request: RunRequest) => Promise<readonly HistoryLine[]>;
  /** Gives and closes the open question that this request may answer. */
  readonly takeQuestion?: (request: RunRequest) => Promise<PendingQuestion | undefined>;
  /** Whether something carries a function out; undefined: that is not known. Absent: never known. */
  readonly isHandled?: (name: string) => boolean | undefined;
  /** What agents brought is not looked at as a whole. Default: it is. */
  readonly evaluates?: boolean;
  /** What the whole run may cost. */
  readonly limits?: UsageLimits | undefined;
  /** Without it nobody is asked in between. */
  readonly approvals?: Approvals;
  readonly emit: (kind: RunEvent['kind'], data: unknown, of?: Pick<RunEvent, 'step' | 'agent'>) => void;
  readonly signal: AbortSignal;
}

/** What a person is asked in between, and what they answered. */
export interface Approvals {
  readonly before: ApproveWhat;
  readonly by: ApproveBy;
  /** The waiting plan that a request answers; nothing: it is a request like any other. */
  take(request: RunRequest & { readonly run: string }): Promise<Taken | undefined>;
  /** A person starts over: the board of the conversation is emptied. */
  startOver(conversation: string): Promise<void>;
}

/** Where a question waits for its answer: in the conversation, or with the user on the topic; `limits.questionOpenMs`. */
export interface OpenQuestions {
  open(request: RunRequest, question: PendingQuestion): Promise<void>;
  /** Gives and closes it. */
  take(request: RunRequest): Promise<PendingQuestion | undefined>;
  /** The person was never asked: closes it, if it is still the one that this request led to. */
  withdraw(conversation: string, requestId: string): Promise<void>;
}

export interface KeptRun {
  readonly request: RunRequest;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** What later requests had done before this one was through. */
  readonly meanwhile?: readonly Called[];
}

/** Where open runs are kept, so that they go on after a restart. */
export interface KeptRuns {
  /** Before anything is done; `request.run` is the run. Opening one that is open changes nothing. */
  open(request: RunRequest, startedAt: number): Promise<void>;
  /** `undefined`: unknown, or ended. */
  find(run: string): Promise<KeptRun | undefined>;
  /** Keeps what later requests had done. One that has ended stays as it is. */
  overtake?(run: string, meanwhile: readonly Called[]): Promise<void>;
  end(run: string, ending: { readonly outcome: Outcome; readonly reason?: string }): Promise<void>;
}

/** Work that others may take over, as entries of a stream are: whether a run of it is still ours. */
export interface SharedWork {
  /** Before a run that was interrupted goes on. Gives why it doesn't, in words; nothing: it is ours. Rejects only when aborted. */
  mayGoOn(request: RunRequest, signal: AbortSignal): Promise<string | undefined>;
  /** Before its result is delivered, or anything else that acts. Once it may, it is ours for good, also after a crash. */
  mayAct(request: RunRequest, signal: AbortSignal): Promise<string | undefined>;
  /** It is another's: told instead of being delivered. */
  left(run: string, request: RunRequest, reason: string): void;
}
