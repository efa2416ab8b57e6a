/**
 * Plan, generate, execute: a team of agents for programs, without Node-RED (seed-contracts.md B9, rows 54, 58 and 74 to 79).
 * A session holds one conversation on one board, in this process's memory.
 */
import type { AgentDefinition } from '../agent/definition.ts';
import { createBoard } from '../blackboard/board.ts';
import type { Board, BoardState } from '../blackboard/board.ts';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import type { ProposedCall } from '../language/check-call.ts';
import { limits } from '../limits.ts';
import { createModel } from '../model/catalogue.ts';
import type { Model, ModelSettings } from '../model/model.ts';
import type { Mutation, Outcome, Plan, Usage } from '../moot.ts';
import { makePlan, plannerOf } from '../router/plan.ts';
import { previousPlan } from '../router/previous-plan.ts';
import { isTalk } from '../router/team.ts';
import { createLocalTeam } from '../team/local-team.ts';
import { agentDefinition } from './definitions.ts';
import type { AgentInput } from './definitions.ts';
import { execute } from './execute.ts';
import type { ExecuteOptions, Execution } from './execute.ts';
import { readTools } from './read-tools.ts';
import type { Registry } from './registry.ts';
import { createLocalRuns } from '../team/local-runs.ts';

export interface SessionOptions {
  readonly registry: Registry;
  readonly agents: readonly AgentInput[];
  /** Of planner and agents. Settings, or a model made by `createModel`. */
  readonly model: Model | ModelSettings;
  /** Who plans, if not the same. */
  readonly planModel?: Model | ModelSettings;
  /** What the team is for; said when nothing fits. */
  readonly description?: string;
  /** A board that was saved with `board.state()`, or read with `importBoard`. */
  readonly board?: BoardState;
  readonly clock?: Clock;
}

export interface Generated {
  /** `asked`: nothing or only a part is generated, and `text` holds a question. */
  readonly outcome: Outcome;
  /** For people. */
  readonly text: string;
  /** Its steps tell what became of them. */
  readonly plan: Plan;
  /** New calls, checked, in order; on the board already. */
  readonly calls: readonly Mutation[];
  readonly usage: Usage;
}

export interface PlanningOptions {
  /** A plan made before, that the prompt says how to change (row 50). */
  readonly previous?: Plan;
  readonly signal?: AbortSignal;
}

export interface GeneratingOptions {
  /** Used as it is with the prompt `''` or `proceed`, without a planner's call; thrown away with any other (row 54). */
  readonly plan?: Plan;
  readonly signal?: AbortSignal;
}

export interface Session {
  /** What was said and generated. */
  readonly board: Board;
  /** Asks the planner; the board stays as it is. Throws FOLKMOOT_PLAN_INVALID, FOLKMOOT_LIMIT, or the model's error. */
  plan(prompt: string, options?: PlanningOptions): Promise<Plan>;
  /** Lets the agents generate. Never throws for what model or agents do: the outcome says it, and no step stops another. */
  generate(prompt: string, options?: GeneratingOptions): Promise<Generated>;
  /** Whether a plan only talks: nothing can come of it that somebody would have to be asked about. */
  isTalk(plan: Plan): boolean;
  /** Carries out what is new on the board. Throws as `execute` does. */
  execute(options?: ExecuteOptions): Promise<Execution>;
  /** What the program's own state is, as calls: takes the place of all calls on the board; what was said stays (row 58). */
  setData(calls: readonly ProposedCall[]): void;
  /** Stops what is going on. */
  close(): Promise<void>;
}

/** Throws FOLKMOOT_LANGUAGE_INVALID for a function that is not well formed, FOLKMOOT_NO_AGENTS without agents. */
export function createSession(options: SessionOptions): Session {
  const { registry, description: routerDescription = '', clock = systemClock } = options;
  const language = registry.language();
  const agents = options.agents.map((agent) => agentDefinition(agent, language));
  if (agents.length === 0) throw folkmootError('FOLKMOOT_NO_AGENTS', 'The session has no agents.');
  const model = modelOf(options.model);
  const call = plannerOf(options.planModel ? modelOf(options.planModel) : model);
  const tools = (agent: AgentDefinition) => readTools({ registry, language, clock }, agent);
  const team = createLocalTeam({ agents, model: () => model, clock, tools });
  const runs = createLocalRuns({
    clock,
    call,
    routerDescription,
    team: () => Promise.resolve(team.members),
    ask: team.ask,
  });
  const board = createBoard(options.board);
  /** What the team knows when it begins. */
  const known = () => ({ mutations: board.view().map(asData), history: board.messages().slice(-limits.planHistory) });

  return {
    board,
    async plan(prompt, { previous, signal } = {}) {
      const { mutations, history } = known();
      const made = await makePlan({
        ...{ call, request: prompt, team: team.members, board: mutations, history, routerDescription },
        ...(previous ? { previous: previousPlan(previous) } : {}),
        ...(signal ? { signal } : {}),
      });
      if (made.tooMany !== undefined)
        throw folkmootError('FOLKMOOT_LIMIT', `The plan has ${made.tooMany} steps; ${limits.planSteps} are the most.`);
      return made.plan;
    },
    async generate(prompt, { plan, signal } = {}) {
      const before = known();
      board.beginRequest();
      if (prompt.trim() && !plan) board.say([{ role: 'user', text: prompt }]);
      const result = await runs.run({ text: prompt, ...before, ...(plan ? { plan } : {}) }, signal);
      board.write(result.mutations);
      board.say([{ role: 'assistant', text: result.payload }]);
      const { outcome, payload: text, mutations: calls, usage } = result;
      return { outcome, text, plan: result.plan, calls, usage };
    },
    isTalk: (plan) => plan.steps.length === 0 || isTalk(plan, team.members),
    execute: (how) => execute({ registry, newly: board.newly(), previously: board.previously() }, how),
    setData: (calls) => void board.setData(calls, language),
    close: () => runs.close(),
  };
}

const modelOf = (given: Model | ModelSettings): Model => ('chat' in given ? given : createModel(given));

/** What an earlier request led to is data for this one: agents see it whatever run it came from. */
const asData = ({ id, function: name, parameters, risk }: Mutation): Mutation => ({
  id,
  function: name,
  parameters,
  risk,
});
