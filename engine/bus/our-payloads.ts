/** The bodies on our own topics (contracts.md 5), as they are after they were checked (`our-message.ts`). */
import type { FunctionSpec } from '../language/function-spec.ts';
import type { AskAnswer, AskKind, Moot, Risk } from '../moot.ts';
import type { WatchBodies } from './watch-schemas.ts';

/** `presence/<process>`, retained. */
export interface PresenceBody {
  readonly v: 1;
  readonly process: string;
  readonly house: string;
  readonly status: 'online' | 'offline';
  /** ISO 8601: since when the process is there. */
  readonly since: string;
  /** It says so again at least this often, for it has no last will: after three times in vain it is offline. */
  readonly seconds?: number;
}

/** `agents/<agentId>`, retained. Only `v`, `agentId` and `name` must be there, so that any program can join. */
export interface CardBody {
  readonly v: 1;
  readonly agentId: string;
  readonly name: string;
  readonly description?: string;
  readonly topics?: readonly string[];
  /** Names of values that whoever plans picks out for it. */
  readonly parameters?: readonly string[];
  /** Function names. */
  readonly accepts?: readonly string[];
  readonly generates?: readonly string[];
  /** Specs of all that it accepts or generates, as that house understands them. */
  readonly functions?: readonly FunctionSpec[];
  /** Absent for a program without a presence: then it is here as long as its card is. */
  readonly process?: string;
  readonly house?: string;
  /** ISO 8601. */
  readonly since?: string;
}

/** `agents/<agentId>/ask`; with a response topic and correlation data. */
export interface AskBody {
  readonly v: 1;
  /** `cancel` ends the ask of the same id; it has no answer. */
  readonly kind: AskKind | 'cancel';
  readonly payload?: unknown;
  /** `ask.id` names the ask: the same id again gives the same answer. */
  readonly moot?: Partial<Omit<Moot, 'ask'>> & { readonly ask?: { readonly id: string } };
  /** Milliseconds that the asker waits. */
  readonly deadline?: number;
}

/** What comes to the response topic of an ask or a tool's call. */
export type AnswerBody = Omit<AskAnswer, 'mutations' | 'payload'> & {
  readonly v?: 1;
  readonly payload?: unknown;
  readonly mutations?: AskAnswer['mutations'];
};

/** `tools/<toolId>`, retained. */
export interface ToolBody {
  readonly v: 1;
  readonly toolId: string;
  readonly name: string;
  /** What it tells or does. */
  readonly purpose: string;
  /** JSON Schema of the arguments, an object. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** How it is called. `bus`: over its call topic. */
  readonly channel: string;
  readonly result?: string;
  readonly risk?: Risk;
  readonly effect?: boolean;
  /** Other words for it. */
  readonly synonyms?: readonly string[];
  readonly process?: string;
  readonly house?: string;
  readonly since?: string;
}

/** `tools/<toolId>/call`; with a response topic and correlation data. */
export interface ToolCallBody {
  readonly v: 1;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The same id again gives the same answer. */
  readonly id: string;
  readonly run?: string;
  /** The same through all turns of one conversation. */
  readonly conversation?: string;
  readonly user?: string;
  /** Milliseconds that the caller waits. */
  readonly deadline?: number;
}

/** `registry/<process>`: what is known there; with a response topic and correlation data. */
export interface RegistryAskBody {
  readonly v: 1;
  readonly kind: 'list';
}

/** `homes/<house>/ask`: a board, or who is in the team; with a response topic and correlation data. */
export interface HomeAskBody {
  readonly v: 1;
  readonly kind: 'board' | 'agents';
  /** Of a board `read`, `clear`, `import` or `export`; of agents `list` or `reload`. */
  readonly operation: 'read' | 'clear' | 'import' | 'export' | 'list' | 'reload';
  /** Whose board. */
  readonly conversation?: string;
  /** `import`: a file of gpt-multi-atomic-agents as text, of either format. */
  readonly file?: string;
}

export interface OurBodies extends WatchBodies {
  readonly presence: PresenceBody;
  readonly card: CardBody;
  readonly ask: AskBody;
  readonly answer: AnswerBody;
  readonly tool: ToolBody;
  readonly toolCall: ToolCallBody;
  readonly registryAsk: RegistryAskBody;
  readonly homeAsk: HomeAskBody;
}
