/** Who a router may ask: the agents that its asks output reaches at this moment. */
import type { AgentDefinition } from '../agent/definition.ts';

/** An agent and the node that answers for it. */
export type TeamMember = AgentDefinition & { readonly nodeId: string };

/** The fallback that is always offered to the planner and never asked (seed-contracts.md B4). */
export const chatAgentId = 'chat';
