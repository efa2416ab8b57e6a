/** `POST generate_plan` (seed-contracts.md B3 and B4, row 70). It proposes only. */
import type { AgentDefinition } from '../agent/definition.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { makePlan } from '../router/plan.ts';
import type { PlanResult } from '../router/plan.ts';
import type { HistoryLine } from '../router/plan-prompt.ts';
import { previousPlan } from '../router/previous-plan.ts';
import type { TeamMember } from '../router/team.ts';
import { createLocalTeam } from '../team/local-team.ts';
import type { ForeignMessage, ForeignPlan, PlanBody } from './bodies.ts';
import { foreignOfPlan, planOfForeign } from './foreign-plan.ts';
import { describedTeam } from './foreign-team.ts';
import type { Proposer } from './proposer.ts';

/**
 * @param further Agents beside those of the body.
 * Throws FOLKMOOT_NO_AGENTS, FOLKMOOT_LIMIT, FOLKMOOT_PLAN_INVALID or the model's error: status 500, as there.
 */
export async function generatePlan(
  body: PlanBody,
  proposer: Proposer,
  further: readonly AgentDefinition[] = [],
): Promise<ForeignPlan> {
  const team = describedTeam(body.agent_descriptions, further);
  const { members } = createLocalTeam({ agents: team.agents, model: proposer.model });
  const made = await planFor({
    proposer,
    members,
    prompt: body.user_prompt,
    description: body.chat_agent_description,
    messages: body.messages ?? [],
    ...(body.previous_plan ? { previous: body.previous_plan } : {}),
  });
  return foreignOfPlan(made.plan, team);
}

export interface PlanFor {
  readonly proposer: Proposer;
  readonly members: readonly TeamMember[];
  readonly prompt: string;
  readonly description: string;
  /** Oldest first. */
  readonly messages: readonly ForeignMessage[];
  readonly previous?: ForeignPlan;
}

/** The same for both endpoints. */
export async function planFor({ proposer, members, previous, ...given }: PlanFor): Promise<PlanResult> {
  if (members.length === 0) throw folkmootError('FOLKMOOT_NO_AGENTS', 'The request brings no agents.');
  const made = await makePlan({
    call: proposer.call,
    signal: proposer.signal,
    request: given.prompt,
    team: members,
    routerDescription: given.description,
    history: historyOf(given.messages),
    ...(previous ? { previous: previousPlan(planOfForeign(previous, members).plan) } : {}),
  });
  if (made.tooMany !== undefined)
    throw folkmootError('FOLKMOOT_LIMIT', `The plan has ${made.tooMany} steps; ${limits.planSteps} are the most.`);
  return made;
}

export const historyOf = (messages: readonly ForeignMessage[]): HistoryLine[] =>
  messages.slice(-limits.planHistory).map(({ role, message }) => ({ role, text: message }));
