/** `POST generate_function_calls` (seed-contracts.md B3 and B5, rows 54, 57, 59 to 61 and 71). It proposes only. */
import type { AgentDefinition } from '../agent/definition.ts';
import { dataOf } from '../blackboard/board.ts';
import { asError, folkmootError } from '../errors.ts';
import { foreignOfCall } from '../foreign/foreign-call.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import { createLanguage } from '../language/language.ts';
import { createSessionRuns } from '../library/session-runs.ts';
import type { Mutation, Plan, PlanStep } from '../moot.ts';
import { texts } from '../plan/text.ts';
import { createLocalTeam } from '../team/local-team.ts';
import type { LocalTeam } from '../team/local-team.ts';
import type { CallsBody, ForeignBoard, ForeignMessage } from './bodies.ts';
import { planOfForeign } from './foreign-plan.ts';
import { definedTeam } from './foreign-team.ts';
import type { ForeignTeam } from './foreign-team.ts';
import { historyOf, planFor } from './generate-plan.ts';
import type { Proposer } from './proposer.ts';

export interface GeneratedBoard {
  readonly board: ForeignBoard;
  /** Who failed, by the client's names; `plan` when there was no plan. Each told on the board as an assistant message. */
  readonly failedSteps: readonly string[];
  /** For the log: what of the definitions can't be used, and why something failed. */
  readonly notes: readonly string[];
}

/**
 * @param further Agents beside those of the body.
 * Throws FOLKMOOT_NO_AGENTS (status 500, as there); everything else that fails is told on the board.
 */
export async function generateFunctionCalls(
  body: CallsBody,
  proposer: Proposer,
  further: readonly AgentDefinition[] = [],
): Promise<GeneratedBoard> {
  const team = definedTeam(body.agent_definitions, further);
  if (team.agents.length === 0) throw folkmootError('FOLKMOOT_NO_AGENTS', 'The request brings no agents.');
  const { model, clock, stepDeadlineMs, delayMs = 0 } = proposer;
  const local = createLocalTeam({ agents: team.agents, model, clock, stepDeadlineMs, delayMs });
  const board = beginBoard(body.blackboard ?? {}, body.user_prompt);
  const notes = [...team.notes];
  const failedSteps: string[] = [];
  try {
    const made = await planOfBody(body, board, { local, proposer });
    const { plan, mutations } = await carryOut(made, { team, local, proposer, board });
    for (const step of plan.steps) {
      if (step.text?.trim()) board.say(step.text);
      board.add(
        mutations.filter((one) => one.step === step.id).map((one) => foreignOfCall(one, team.nameOf(step.agent))),
      );
      if (isFailed(step)) failedSteps.push(team.nameOf(step.agent));
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
export function failedBoard(body: Pick<CallsBody, 'blackboard' | 'user_prompt'>): ForeignBoard {
  const board = beginBoard(body.blackboard ?? {}, body.user_prompt);
  board.say(texts.planFailed);
  return board.end();
}

const isFailed = ({ state }: PlanStep): boolean => state !== 'answered';

interface Carrying {
  readonly local: LocalTeam;
  readonly proposer: Proposer;
}

/** A given plan for an empty prompt or `proceed`; else a new one, whose message is said. */
async function planOfBody(body: CallsBody, board: OpenBoard, { local, proposer }: Carrying): Promise<Plan> {
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
  { team, local, proposer, board }: Carrying & { readonly team: ForeignTeam; readonly board: OpenBoard },
): Promise<{ readonly plan: Plan; readonly mutations: readonly Mutation[] }> {
  if (plan.steps.every(({ state }) => state !== 'waiting')) return { plan, mutations: [] };
  const runs = createSessionRuns({
    ...{ clock: proposer.clock, call: proposer.call, ask: local.ask, deadlineMs: proposer.deadlineMs },
    team: () => Promise.resolve(local.members),
  });
  const known = createLanguage(uniqueFunctions(team));
  const calls = board.calls.map((call) => ({ function: call.function_name, parameters: call.parameters }));
  const request = { text: 'proceed', plan, mutations: dataOf(calls, known), history: historyOf(board.before) };
  return runs.run(request, proposer.signal);
}

function uniqueFunctions({ agents }: ForeignTeam): FunctionSpec[] {
  const byName = new Map<string, FunctionSpec>();
  for (const spec of agents.flatMap(({ functions }) => functions))
    if (!byName.has(spec.name.toLowerCase())) byName.set(spec.name.toLowerCase(), spec);
  return [...byName.values()];
}

type Calls = ForeignBoard['internal_previously_generated_functions'];

interface OpenBoard {
  /** What was said before the prompt. */
  readonly before: readonly ForeignMessage[];
  /** What was on it. */
  readonly calls: Calls;
  /** An assistant's words; in both lists. */
  say(message: string): void;
  /** In both lists. */
  add(calls: Calls): void;
  end(): ForeignBoard;
}

/** What was new counts as previous, and the prompt is said, even when it is empty. */
function beginBoard(given: Partial<ForeignBoard>, prompt: string): OpenBoard {
  const before = given.internal_previous_messages ?? [];
  const calls = given.internal_previously_generated_functions ?? [];
  const said: ForeignMessage[] = [];
  const added: Calls[number][] = [];
  return {
    before,
    calls,
    say: (message) => void said.push({ role: 'assistant', message }),
    add: (more) => void added.push(...more),
    end: () => ({
      format: 'function_call',
      internal_previously_generated_functions: [...calls, ...added],
      internal_previous_messages: [...before, { role: 'user', message: prompt }, ...said],
      internal_newly_generated_messages: said,
      internal_newly_generated_functions: added,
    }),
  };
}
