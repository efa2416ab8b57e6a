/** Who a router may ask: the agents that its asks output reaches at this moment. */
import type { AgentDefinition } from '../agent/definition.ts';
import type { Plan } from '../moot.ts';

/** An agent and the node that answers for it. */
export type TeamMember = AgentDefinition & { readonly nodeId: string };

/** Who answers what fits nobody else, if somebody of the team is marked for it: of several the first (P22). */
export const fallbackIn = (team: readonly TeamMember[]): TeamMember | undefined =>
  team.find(({ fallback }) => fallback === true);

/** Who only talks: nothing can come of it that a person would have to be asked about. */
export const onlyTalks = ({ fallback, generates }: TeamMember): boolean => fallback === true && generates.length === 0;

/** A plan of nothing but talk: nobody is asked whether they may be answered. */
export const isTalk = ({ steps }: Plan, team: readonly TeamMember[]): boolean =>
  steps.length > 0 && steps.every(({ agent }) => team.some((one) => one.agentId === agent && onlyTalks(one)));

/** The fallback that is always offered to the planner and never asked (seed-contracts.md B4). */
export const chatAgentId = 'chat';
