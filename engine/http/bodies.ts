/** Bodies of the HTTP endpoints, as gpt-multi-atomic-agents has them (seed-contracts.md B1 and B3). */
import type { AgentDocument } from '../agent-documents/agent-document.ts';
import type { ForeignBoard, ForeignGraphqlBoard, ForeignMessage } from '../foreign/foreign-board.ts';
import type { ForeignFunction } from '../foreign/foreign-function.ts';

export type { ForeignBoard, ForeignGraphqlBoard, ForeignMessage };

export interface ForeignPlan {
  readonly chat_message: string;
  readonly recommended_agents: readonly {
    readonly agent_name: string;
    readonly rewritten_user_prompt: string;
    readonly agent_parameters: Readonly<Record<string, readonly string[]>>;
  }[];
}

export interface PlanBody {
  readonly agent_descriptions: readonly {
    readonly agent_name: string;
    readonly description: string;
    readonly topics: readonly string[];
    readonly agent_parameter_names: readonly string[];
  }[];
  readonly chat_agent_description: string;
  readonly user_prompt: string;
  /** What the prompt says how to change. */
  readonly previous_plan?: ForeignPlan | null;
  /** Oldest first. */
  readonly messages?: readonly ForeignMessage[] | null;
}

export interface ForeignAgent {
  readonly agent_name: string;
  readonly description: string;
  readonly accepted_functions: readonly ForeignFunction[];
  readonly functions_allowed_to_generate: readonly ForeignFunction[];
  readonly topics: readonly string[];
  readonly agent_parameters?: Readonly<Record<string, readonly string[]>>;
}

/** What both bodies that generate have. */
export interface GeneratingBody {
  readonly chat_agent_description: string;
  readonly user_prompt: string;
  /** Used if the prompt is empty or `proceed`; thrown away otherwise. */
  readonly execution_plan?: ForeignPlan | null;
}

export interface CallsBody extends GeneratingBody {
  readonly agent_definitions: readonly ForeignAgent[];
  /** All fields may be left out of a request; an answer has them all. */
  readonly blackboard?: Partial<ForeignBoard> | null;
}

export interface ForeignGraphqlAgent {
  readonly agent_name: string;
  readonly description: string;
  /** SDL: mutations that it sees on the board. */
  readonly accepted_graphql_schemas: readonly string[];
  /** SDL. */
  readonly mutations_allowed_to_generate: readonly string[];
  readonly topics: readonly string[];
  readonly agent_parameters?: Readonly<Record<string, readonly string[]>>;
}

export interface GraphqlBody extends GeneratingBody {
  readonly agent_definitions: readonly ForeignGraphqlAgent[];
  readonly blackboard?: Partial<ForeignGraphqlBoard> | null;
}

/** The last part of an endpoint's path. */
export type ProposalForm = 'generate_plan' | 'generate_function_calls' | 'generate_graphql';

export type ProposalBody = PlanBody | CallsBody | GraphqlBody;

/** What is asked of who proposes. Plain data: it travels on a wire. */
export interface Proposal {
  readonly form: ProposalForm;
  /** Of the form's schema. */
  readonly body: ProposalBody;
  /** Agents beside those of the body. */
  readonly agents?: readonly AgentDocument[];
}
