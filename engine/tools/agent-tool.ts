/** A tool as an agent that is wired to it has it at hand, whatever node stands behind. */
import type { FunctionSpec } from '../language/function-spec.ts';
import type { JsonSchema } from '../language/json-schema.ts';
import type { AskAnswer } from '../moot.ts';

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface AgentTool {
  readonly spec: FunctionSpec;
  /** Of the arguments, where the spec does not say all. */
  readonly schema?: JsonSchema;
  /** In words, what it gives. */
  readonly result?: string;
  /** Its place in the ids of asks: `t` for tools, `m` for memories (contracts.md 4). */
  readonly mark: 't' | 'm';
  /** Critical ones are refused without it. */
  readonly runWithoutAsking?: boolean;
  /** Asks it over the wire. Never rejects. */
  ask(id: string, given: ToolArguments, signal: AbortSignal | undefined): Promise<AskAnswer>;
  /** Whether a result says that nothing was found. Absent: it never does. */
  isNothing?(result: unknown): boolean;
  /** The result for people; undefined: it gave nothing. */
  said(given: ToolArguments, result: unknown): string | undefined;
}

/** By name, in any case. */
export const toolNamed = (tools: readonly AgentTool[], name: string): AgentTool | undefined =>
  tools.find(({ spec }) => spec.name.toLowerCase() === name.toLowerCase());
