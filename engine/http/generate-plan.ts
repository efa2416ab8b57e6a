/** `POST generate_plan` (seed-contracts.md B3 and B4, row 70). It proposes only. */
import type { AgentDefinition } from '../agent/definition.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { firstTier } from '../router/classifier/first-tier.ts';
import { makePlan, planOf } from '../router/plan.ts';
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
  return proposer.plansByRules && !previous ? (planByWords({ ...given, members }, made) ?? made) : made;
}

/** How sure the words of descriptions and topics have to make it: as in a router. */
const threshold = 0.5;

/** Where rules found nobody, descriptions and topics may tell whose matter it is. */
function planByWords(
  { prompt, members, messages }: Pick<PlanFor, 'prompt' | 'members' | 'messages'>,
  made: PlanResult,
): PlanResult | undefined {
  if (made.plan.steps.length > 0) return undefined;
  // Whose matter it is can be told; what values it gives to an agent's parameters can't, without functions.
  const team = members.map((member) => ({ ...member, parameters: [] }));
  const { answer } = firstTier({ request: prompt, team, history: historyOf(messages) }, threshold);
  return answer?.steps.length ? { ...planOf(answer, members), usage: made.usage } : undefined;
}

export const historyOf = (messages: readonly ForeignMessage[]): HistoryLine[] =>
  messages.slice(-limits.planHistory).map(({ role, message }) => ({ role, text: message }));
