/** The shapes of `msg.moot` (contracts.md 3). Plain JSON only: Node-RED clones messages. */

import type { Proposal } from './http/bodies.ts';

export type Risk = 'read' | 'reversible' | 'critical';
export type Scalar = string | number | boolean;
/** A value of a function's parameter; lists and objects are nested at most `limits.parameterDepth` deep. */
export type Value = Scalar | readonly Value[] | { readonly [name: string]: Value };
export type Parameters = Readonly<Record<string, Value>>;
/** Of functions without lists and objects. */
export type PlainParameters = Readonly<Record<string, Scalar>>;

/** One proposed function call. Application data has no run, step, agent. */
export interface Mutation {
  readonly id: string;
  readonly run?: string;
  readonly step?: string;
  readonly agent?: string;
  readonly function: string;
  readonly parameters: Parameters;
  readonly risk: Risk;
  /** The same call as the text of a GraphQL mutation, where its agent works with GraphQL. */
  readonly graphql?: string;
  /** On a fresh start: id of the command that is done again. */
  readonly again?: string;
}

export type StepState = 'waiting' | 'running' | 'answered' | 'refused' | 'failed' | 'timeout' | 'cancelled';

export interface PlanStep {
  readonly id: string;
  /** agentId, not the node id. */
  readonly agent: string;
  /** The request rewritten for this agent; understandable without the rest of the plan. */
  readonly prompt: string;
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  /** Ids of steps that must be done before this one. */
  readonly after: readonly string[];
  readonly state: StepState;
  /** For people: the agent's words, or why it was refused, asked or failed. */
  readonly text?: string;
  /** True when the agent asked the person and did nothing. */
  readonly asked?: boolean;
  /** For people: what of the step was not done although other parts of it were. */
  readonly rest?: string;
  /** Its agent asked for a plain yes. */
  readonly asksYes?: true;
  /** It repeats what its agent asked a yes for, and the person said yes. */
  readonly confirmed?: true;
}

export interface Plan {
  readonly message: string;
  readonly steps: readonly PlanStep[];
  /** Questions to the person about what no step covers. */
  readonly questions?: readonly string[];
  /** Where there is a first tier. */
  readonly routedBy?: RoutedBy;
}

export interface EventRecord {
  readonly source: string;
  readonly kind: string;
  readonly value: unknown;
  readonly unit?: string;
  readonly previous?: unknown;
  /** ISO 8601. */
  readonly time: string;
  readonly id?: string;
}

export type Outcome = 'done' | 'asked' | 'refused' | 'undecided' | 'limit' | 'timeout' | 'failed' | 'cancelled';

export interface Usage {
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly tokensCached: number;
  readonly cost: number;
  readonly currency: string;
  readonly queueMs: number;
  readonly modelMs: number;
  readonly byAgent: Readonly<
    Record<string, { readonly modelCalls: number; readonly tokensIn: number; readonly tokensOut: number }>
  >;
  /** What was found wrong with what agents generated, and how often one was asked again because of it. Absent: never. */
  readonly findings?: number;
  readonly regenerations?: number;
  /** Who planned, where there is a first tier: it does so without any model. */
  readonly routedBy?: RoutedBy;
}

export type RoutedBy = 'first tier' | 'planner';

/** An entry of a stream, as one process took it. */
export interface TakenInfo {
  /** Key on the server. */
  readonly stream: string;
  readonly group: string;
  readonly consumer: string;
  readonly id: string;
  /** Name of the process on that server. */
  readonly process: string;
  readonly form: 'entries' | 'talk';
}

export interface RequestInfo {
  readonly id: string;
  readonly via: 'amica' | 'amica-valkey' | 'stream' | 'chat' | 'http' | 'flow';
  readonly replyTo?: string;
  /** When it came, milliseconds since the epoch; of two of one moment the later one's is larger by a fraction. */
  readonly at?: number;
  /** Of `stream`: the entry, and who took it. */
  readonly taken?: TakenInfo;
}

/** A person's request in A.M.I.C.A.'s form, over a broker or a Valkey server: it waits at the reply desk. */
export const isAmicaRequest = (request: RequestInfo | undefined): request is RequestInfo =>
  request?.via === 'amica' || request?.via === 'amica-valkey';

/** What one debater says in one round of a debate. */
export interface Statement {
  /** From 1. */
  readonly round: number;
  /** agentId of who says it. */
  readonly agent: string;
  /** The side that it was given to speak for. */
  readonly side?: string;
  /** What it wants, in one sentence for people. */
  readonly claim: string;
  /** What would be done; empty: nothing. */
  readonly proposal: readonly Mutation[];
  /** 0 to 1. */
  readonly confidence: number;
  readonly reasons: readonly string[];
  /** agentId of whom it answers. */
  readonly replyTo?: string;
  /** Not of its model, which failed. */
  readonly fallback?: boolean;
}

export interface Verdict {
  /** The last round that was held. */
  readonly round: number;
  /** The claim that won; empty when nothing did. */
  readonly decision: string;
  /** The proposal that won. */
  readonly mutations: readonly Mutation[];
  /** 0 to 1. */
  readonly confidence: number;
  readonly reasons: readonly string[];
  /** Who spoke for something else, or did not speak. */
  readonly dissent: readonly { readonly agent: string; readonly reason: string }[];
  /** By claim: how many spoke for it, or the sum of their confidence. */
  readonly votes: Readonly<Record<string, number>>;
  /** agentId of the surest of those who won. */
  readonly sidedWith?: string;
  /** For people: the reasons, and who was of another mind and why; what a report of the commands does not tell. */
  readonly rest?: string;
  readonly by: 'rule' | 'model' | 'both';
  readonly ended: 'consensus' | 'winner' | 'limit' | 'circular' | 'stopped';
}

export type AskKind = 'step' | 'debate' | 'tool' | 'memory' | 'evaluate' | 'request';

export interface AskInfo {
  readonly id: string;
  /** Node id of who is asked. */
  readonly to: string;
  /** Node id of the asker. */
  readonly by: string;
  readonly kind: AskKind;
  readonly name?: string;
  readonly proposeOnly?: boolean;
}

export type AnswerStatus = 'answered' | 'refused' | 'failed' | 'timeout' | 'cancelled';

/** How an ask ends in the registry (contracts.md 4). */
export interface AskAnswer {
  readonly status: AnswerStatus;
  readonly payload: unknown;
  readonly mutations: readonly Mutation[];
  readonly usage?: Usage;
  readonly error?: { readonly code: string; readonly message: string };
  /** The agent asks the person; its payload is the question and nothing is done. */
  readonly asked?: boolean;
  /** Beside mutations: what of the step was not done and why, or a question about it; in plain words. */
  readonly rest?: string;
  /** What is asked needs a plain yes, in the same conversation and by the same person. */
  readonly asksYes?: true;
}

export interface ReportLine {
  readonly id: string;
  readonly function: string;
  readonly state: 'applied' | 'refused' | 'failed' | 'board only' | 'unknown';
  readonly reason?: string;
  /** On a fresh start: id of the command that was done again. */
  readonly again?: string;
}

/** A person's answer to a plan, approval or run that waits. */
export interface PersonAnswer {
  readonly id?: string;
  readonly run?: string;
  readonly decision: 'approve' | 'refine' | 'restart' | 'deny' | 'cancel';
  readonly text?: string;
  /** `approve`, `refine`: this one instead. */
  readonly plan?: Plan;
  readonly by?: string;
}

export interface Moot {
  readonly v: 1;
  readonly run?: string;
  readonly parent?: string;
  readonly depth?: number;
  readonly conversation?: string;
  readonly request?: RequestInfo;
  readonly user?: string;
  /** Of an ask that only proposes: what a client asked for over HTTP. Its `user_prompt` is the message's payload. */
  readonly http?: Proposal;
  readonly ask?: AskInfo;
  readonly call?: { readonly id: string };
  readonly agent?: string;
  readonly step?: string;
  readonly parameters?: Readonly<Record<string, readonly string[]>>;
  /** The person said yes to what the agent asked back about this very prompt. */
  readonly confirmed?: true;
  /** Of an ask that is asked anew: what was wrong with the first answer, for the agent's model. */
  readonly finding?: string;
  readonly plan?: Plan;
  readonly event?: readonly EventRecord[];
  readonly mutations?: readonly Mutation[];
  /** Application data as text, for agents that work with GraphQL; absent: the conversation's board may hold some. */
  readonly data?: string;
  readonly statement?: Statement;
  readonly verdict?: Verdict;
  readonly report?: readonly ReportLine[];
  /** On a message that apply sent to a row: its place, from 1. Tells one that comes back from a new one. */
  readonly row?: number;
  readonly answer?: PersonAnswer;
  readonly usage?: Usage;
  readonly outcome?: Outcome;
  /** A word (`asked`, `overlap`) or a sentence. */
  readonly reason?: string;
  readonly tainted?: boolean;
  readonly late?: boolean;
}

/** What a router, agent or judge tells while it works (its *events* output and the bus). */
export interface RunEvent {
  readonly run: string;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: 'started' | 'plan' | 'step' | 'text' | 'approval' | 'ended';
  readonly step?: string;
  readonly agent?: string;
  readonly data: unknown;
}
