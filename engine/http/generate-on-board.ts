/** What both endpoints that generate have in common: plan, let agents work, put it on the board (seed-contracts.md B5). */
import { asError, folkmootError } from '../errors.ts';
import { createLocalRuns } from '../team/local-runs.ts';
import type { Mutation, Plan, PlanStep } from '../moot.ts';
import { texts } from '../plan/text.ts';
import { createLocalTeam } from '../team/local-team.ts';
import type { LocalTeam } from '../team/local-team.ts';
import type { ForeignMessage, GeneratingBody } from './bodies.ts';
import { planOfForeign } from './foreign-plan.ts';
import type { ForeignTeam } from './foreign-team.ts';
import { historyOf, planFor } from './generate-plan.ts';
import type { Proposer } from './proposer.ts';

export interface GeneratedBoard<B> {
  readonly board: B;
  /** Who failed, by the client's names; `plan` when there was no plan. Each told on the board as an assistant message. */
  readonly failedSteps: readonly string[];
  /** For the log: what of the definitions can't be used, and why something failed. */
  readonly notes: readonly string[];
}

/** A board that is being written, in whatever format. */
export interface OpenBoard<B> {
  /** What was said before the prompt. */
  readonly before: readonly ForeignMessage[];
  /** What was on it, for agents to see. */
  readonly known: readonly Mutation[];
  /** Application data, for agents that work with GraphQL. */
  readonly data?: string;
  /** An assistant's words; in both lists. */
  say(message: string): void;
  /** @param agentName As the client calls the agent. */
  add(mutations: readonly Mutation[], agentName: string): void;
  end(): B;
}

/** Throws FOLKMOOT_NO_AGENTS (status 500, as there); everything else that fails is told on the board. */
export async function generateOn<B>(
  board: OpenBoard<B>,
  body: GeneratingBody,
  team: ForeignTeam,
  proposer: Proposer,
): Promise<GeneratedBoard<B>> {
  if (team.agents.length === 0) throw folkmootError('FOLKMOOT_NO_AGENTS', 'The request brings no agents.');
  const { model, clock, stepDeadlineMs } = proposer;
  const data = board.data === undefined ? {} : { data: board.data };
  const local = createLocalTeam({ agents: team.agents, model, clock, stepDeadlineMs, ...data });
  const notes = [...team.notes];
  const failedSteps: string[] = [];
  try {
    const made = await planOfBody(body, board, { local, proposer });
    const { plan, mutations } = await carryOut(made, board, { local, proposer });
    for (const step of plan.steps) {
      const agentName = team.nameOf(step.agent);
      if (step.text?.trim()) board.say(step.text);
      board.add(
        mutations.filter((one) => one.step === step.id),
        agentName,
      );
      if (!isFailed(step)) continue;
      failedSteps.push(agentName);
      notes.push(`The step for "${agentName}" did not work out: ${step.state}.`);
    }
  } catch (thrown) {
    proposer.signal.throwIfAborted();
    notes.push(asError(thrown).message);
    board.say(texts.planFailed);
    failedSteps.push('plan');
  }
  return { board: board.end(), failedSteps, notes };
}

/** The board of a request that nobody could work on, with words about it. */
export function failedOn<B>(board: OpenBoard<B>): B {
  board.say(texts.planFailed);
  return board.end();
}

const isFailed = ({ state }: PlanStep): boolean => state !== 'answered';

interface Carrying {
  readonly local: LocalTeam;
  readonly proposer: Proposer;
}

type Read = Pick<OpenBoard<unknown>, 'before' | 'known' | 'say'>;

/** A given plan for an empty prompt or `proceed`; else a new one, whose message is said. */
async function planOfBody(body: GeneratingBody, board: Read, { local, proposer }: Carrying): Promise<Plan> {
  const { execution_plan: given, user_prompt: prompt } = body;
  if (given && ['', 'proceed'].includes(prompt.trim())) return planOfForeign(given, local.members).plan;
  const { plan, questions } = await planFor({
    ...{ proposer, members: local.members, prompt, description: body.chat_agent_description },
    messages: board.before,
  });
  for (const text of [plan.message, ...questions.map(({ question }) => question)]) if (text.trim()) board.say(text);
  return plan;
}

async function carryOut(
  plan: Plan,
  { before, known }: Read,
  { local, proposer }: Carrying,
): Promise<{ readonly plan: Plan; readonly mutations: readonly Mutation[] }> {
  if (plan.steps.every(({ state }) => state !== 'waiting')) return { plan, mutations: [] };
  const runs = createLocalRuns({
    ...{ clock: proposer.clock, call: proposer.call, ask: local.ask, deadlineMs: proposer.deadlineMs },
    team: () => Promise.resolve(local.members),
  });
  return runs.run({ text: 'proceed', plan, mutations: known, history: historyOf(before) }, proposer.signal);
}

/** What is said for both lists of messages. */
export const talkOf = (before: readonly ForeignMessage[], prompt: string, said: readonly ForeignMessage[]) => ({
  internal_previous_messages: [...before, { role: 'user' as const, message: prompt }, ...said],
  internal_newly_generated_messages: said,
});
