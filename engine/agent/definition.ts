/** What an agent is, as others see it: name, topics, rights and standing orders (glossary: agent). */
import type { FunctionSpec } from '../language/function-spec.ts';
import type { Parameters } from '../moot.ts';

export interface AgentDefinition {
  /** `^[a-z0-9-]{5,}$` */
  readonly agentId: string;
  readonly name: string;
  readonly description: string;
  readonly topics: readonly string[];
  /** Names of values that the planner extracts for it. */
  readonly parameters: readonly string[];
  /** Function names that it sees on the board; categories are already resolved. */
  readonly accepts: readonly string[];
  /** Function names that it may generate; categories are already resolved. */
  readonly generates: readonly string[];
  readonly instructions: string;
  /** Specs of all that it accepts or generates. */
  readonly functions: readonly FunctionSpec[];
  /** Specs of the tools that it may use at this moment: what is wired to it, those of its memory included. */
  readonly tools?: readonly FunctionSpec[];
  /**
   * What people say, and the calls that are right then: at most `limits.agentExamples`. They reach its prompt, but for those
   * with calls that it may not generate, and the last ones when the prompt is too long.
   */
  readonly examples?: readonly AgentExample[];
  /** How it goes about its work, in order: at most `limits.agentSteps`. They reach its prompt. */
  readonly steps?: readonly string[];
  /**
   * It works with GraphQL: the texts (SDL) of what it accepts and may generate. `accepts`, `generates` and `functions` name
   * their mutations then.
   */
  readonly graphql?: { readonly schemas: readonly string[] };
  /** It answers what fits nobody else: the plan's chat steps (seed-contracts.md P22). */
  readonly fallback?: boolean;
}

/** One example of an agent's work. */
export interface AgentExample {
  readonly prompt: string;
  /** Empty: nothing is to be done then. */
  readonly calls: readonly { readonly function: string; readonly parameters: Parameters }[];
}

/** A standing order in an agent's instructions: `When <event sentence>: <request>`, one a line. */
export interface StandingOrder {
  readonly agent: string;
  readonly when: string;
  readonly request: string;
}

export function standingOrders(agent: Pick<AgentDefinition, 'agentId' | 'instructions'>): StandingOrder[] {
  return agent.instructions.split('\n').flatMap((line) => {
    const match = /^\s*[-*]?\s*when\s+([^:]+):\s*(.+?)\s*$/i.exec(line);
    return match?.[1] && match[2] ? [{ agent: agent.agentId, when: match[1].trim(), request: match[2] }] : [];
  });
}
