/** Plans of ours and of gpt-multi-atomic-agents. */
import type { Plan } from '../moot.ts';
import { planOf } from '../router/plan.ts';
import type { TeamMember } from '../router/team.ts';
import type { ForeignPlan } from './bodies.ts';
import type { ForeignTeam } from './foreign-team.ts';

/** What nobody can do is left out; what is asked is said with the message. */
export const foreignOfPlan = (plan: Plan, team: ForeignTeam): ForeignPlan => ({
  chat_message: [plan.message, ...(plan.questions ?? [])].filter((text) => text.trim()).join(' '),
  recommended_agents: plan.steps
    .filter(({ state }) => state !== 'refused')
    .map(({ agent, prompt, parameters }) => ({
      agent_name: team.nameOf(agent),
      rewritten_user_prompt: prompt,
      agent_parameters: Object.fromEntries(Object.entries(parameters).map(([name, values]) => [name, [...values]])),
    })),
});

/**
 * Steps for `chat` are left out; one for a name that nobody has is refused, in words. A step waits for those before it that
 * may bring what its agent accepts; there they are all carried out one after the other.
 */
export const planOfForeign = (given: ForeignPlan, members: readonly TeamMember[]) =>
  planOf(
    {
      message: given.chat_message,
      steps: given.recommended_agents.map((step) => ({
        agent: step.agent_name,
        prompt: step.rewritten_user_prompt,
        parameters: step.agent_parameters,
      })),
    },
    members,
  );
