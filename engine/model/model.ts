/**
 * The model port: any LangChain chat model. Each call carries `metadata.folkmoot`, plain data made by the same code that
 * renders the prompt (architecture.md 8). `rules` and `scripted` read only that; hosted models never get it.
 */
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AgentExample, StandingOrder } from '../agent/definition.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import type { EventRecord, Mutation, Parameters, Statement } from '../moot.ts';

export type ModelTask = 'plan' | 'generate' | 'statement' | 'evaluate' | 'summary' | 'refine';

/** A question that waits for an answer in the conversation. */
export interface PendingQuestion {
  /** The clause that could not be acted on, in the person's own words. */
  readonly request: string;
  /** What the person was asked. */
  readonly question: string;
  /** Only a plain yes of that person in that conversation counts: then this agent is asked the same again. */
  readonly needsYes?: NeedsYes;
  /** It was asked once more beside something else. Who says something else again is asked no more. */
  readonly repeated?: true;
}

export interface NeedsYes {
  readonly agent: string;
  readonly prompt: string;
  readonly user?: string;
  readonly conversation?: string;
}

export interface TaskAgent {
  readonly agentId: string;
  readonly name: string;
  readonly description: string;
  readonly topics: readonly string[];
  readonly parameters: readonly string[];
  readonly accepts: readonly string[];
  /** `plan`: with the names of its tools. */
  readonly generates: readonly string[];
  /** `plan`: names of the tools that it may use at this moment. */
  readonly tools?: readonly string[];
  /** It answers what fits nobody else. */
  readonly fallback?: true;
}

export interface TaskData {
  readonly task: ModelTask;
  /** The person's words, the event's sentence, or the step's prompt. */
  readonly request: string;
  /** `plan`: who may be asked. `generate`: the one agent. */
  readonly agents: readonly TaskAgent[];
  /** `plan`: all functions of the team (for `rules`). `generate`: what the agent accepts or generates. */
  readonly functions: readonly FunctionSpec[];
  /** `generate`: tools that the agent may use at this moment, those of its memory included. */
  readonly tools?: readonly FunctionSpec[];
  /** Accepted mutations of this run and application data, oldest first. */
  readonly board: readonly Pick<Mutation, 'function' | 'parameters'>[];
  /** The open question of this conversation; `plan` only. */
  readonly pending?: PendingQuestion;
  /** Present only in an event-run: then a request acts only by a standing order. */
  readonly orders?: readonly StandingOrder[];
  readonly event?: readonly EventRecord[];
  /** `generate`: agent parameters of the step. */
  readonly parameters?: Readonly<Record<string, readonly string[]>>;
  /** `plan` again after a person's feedback: the plan so far. */
  readonly previous?: Pick<PlanAnswer, 'message' | 'steps'>;
  /** `plan`: a person is asked before anything is done, so the message promises nothing. */
  readonly asksFirst?: true;
  /** `generate` or `plan` again after an answer that was refused: what was wrong. */
  readonly finding?: string;
  /** `generate`: how the agent goes about its work, and what is right for what people say; with GraphQL also as texts. */
  readonly steps?: readonly string[];
  readonly examples?: readonly (AgentExample & { readonly mutations?: readonly string[] })[];
  /** `generate` with GraphQL: schemas (SDL) of what may be generated, and application data. */
  readonly graphql?: { readonly schemas: readonly string[]; readonly data?: string };
  /** `statement`, `evaluate`: the debate. */
  readonly debate?: DebateData;
  /** Lines of the conversation so far, oldest first. */
  readonly history?: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
}

/** Answer to `plan` (a tool call named `make_plan`, or the same as JSON text). */
export interface PlanAnswer {
  /** Friendly, without technical terms; what the person is told when there are no steps. */
  readonly message: string;
  readonly steps: readonly {
    readonly agent: string;
    readonly prompt: string;
    readonly parameters?: Readonly<Record<string, readonly string[]>>;
    /** Positions (from 0) of earlier steps that this one waits for. */
    readonly after?: readonly number[];
  }[];
  /** Clauses that need the person; nothing is done with them. */
  readonly questions?: readonly PendingQuestion[];
  /** True when the request is outside of what the team does. */
  readonly declined?: boolean;
  /** The person no longer wants what the open question was about; otherwise a reply that is no answer leaves it open. */
  readonly dropsQuestion?: boolean;
}

/** Answer to `generate`: tool calls named by functions, or a tool call `generate` / JSON text of this form. */
export interface GenerateAnswer {
  readonly message: string;
  readonly calls: readonly { readonly function: string; readonly parameters: Parameters }[];
  /** With GraphQL, instead of `calls`: texts of mutations, and of queries for data that is missing. */
  readonly mutations?: readonly string[];
  readonly queries?: readonly string[];
  /** A question to the person; then the clause does nothing. */
  readonly question?: string;
  /** What can't be done, and why, in words for people; such as a value out of range. */
  readonly refusal?: string;
  /** Said before a tool's words when it was asked for want of a better one and found nothing. */
  readonly otherwise?: string;
}

/** A statement of a debate as others are told of it: what would be done without ids. */
export type SaidStatement = Omit<Statement, 'proposal'> & {
  readonly proposal: readonly Pick<Mutation, 'function' | 'parameters'>[];
};

/** `statement`, `evaluate`: the debate so far. */
export interface DebateData {
  readonly topic: string;
  /** The side to speak for. */
  readonly side?: string;
  /** From 1. */
  readonly round: number;
  /** Earlier statements, oldest first. */
  readonly window: readonly SaidStatement[];
  /** `evaluate`: what there is to choose from, by number from 1, and by what to choose. */
  readonly options?: readonly string[];
  readonly criteria?: string;
}

/** Answer to `statement` (a tool call of that name, or the same as JSON text). */
export interface StatementAnswer {
  readonly claim: string;
  readonly confidence: number;
  readonly reasons?: readonly string[];
  /** What would be done; absent or empty: nothing. */
  readonly proposal?: readonly { readonly function: string; readonly parameters: Parameters }[];
  /** agentId of whom it answers. */
  readonly replyTo?: string;
}

/** Answer to `evaluate` of a debate. */
export interface EvaluateAnswer {
  /** The number or the words of an option; 0 or `undecided`: none. */
  readonly decision: number | string;
  readonly confidence?: number;
  readonly reasons?: readonly string[];
}

/** Works a condition out: JSONata over what is in the scope. Rejects when it can't. */
export type EvaluateCondition = (condition: string, scope: Readonly<Record<string, unknown>>) => Promise<unknown>;

export interface ModelSettings {
  /** `rules`, `scripted`, `openai-compatible`, `openai`, `ollama`, `anthropic`, `mistral`. */
  readonly provider: string;
  readonly modelName?: string;
  readonly baseUrl?: string;
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** Whether a model that can think aloud does so. Default: as it is. */
  readonly thinking?: 'auto' | 'on' | 'off';
  /** `ollama`: how long it stays loaded, such as `10m`; blank: as the server says. */
  readonly keepAlive?: string;
  readonly timeoutSeconds?: number;
  readonly concurrency?: number;
  /** Between two calls of the host, which are made one after the other then (row 81). Default 0: none. */
  readonly pauseSeconds?: number;
  /** For a million tokens, as the provider's price list says. */
  readonly priceIn?: number;
  readonly priceOut?: number;
  readonly currency?: string;
  readonly apiKey?: string;
  /** `scripted`: answers in order, or by condition. */
  readonly script?: readonly ScriptLine[];
}

/**
 * A canned answer of the `scripted` model: used when `when` (text contained in the request, any case) and `condition`
 * (JSONata over `event`, `topic`, `window`, `side`, `round`, `data`) fit.
 */
export interface ScriptLine {
  readonly task?: ModelTask;
  readonly when?: string;
  readonly condition?: string;
  readonly answer:
    Partial<PlanAnswer> | Partial<GenerateAnswer> | Partial<StatementAnswer> | Partial<EvaluateAnswer> | string;
}

export interface Model {
  readonly settings: ModelSettings;
  /** Who answers when this one fails or is silent; looked up when it is needed. */
  readonly fallback?: () => Model | undefined;
  /** Loaded on first use; the same instance afterwards. Throws FOLKMOOT_MODEL_UNKNOWN. */
  chat(): Promise<BaseChatModel>;
}
