/** Calls as gpt-multi-atomic-agents writes them: every value is text (seed-contracts.md B1). */
import type { Mutation, Value } from '../moot.ts';

export interface ForeignCall {
  readonly agent_name: string;
  readonly function_name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Who is named as the agent of application data there. */
export const dataAgent = 'application data';

/** @param agentName As others call the agent. Default: its id here. */
export const foreignOfCall = (mutation: Mutation, agentName = mutation.agent ?? dataAgent): ForeignCall => ({
  agent_name: agentName,
  function_name: mutation.function,
  parameters: Object.fromEntries(Object.entries(mutation.parameters).map(([name, value]) => [name, textOf(value)])),
});

/** Lists and objects as JSON. */
export const textOf = (value: Value): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
