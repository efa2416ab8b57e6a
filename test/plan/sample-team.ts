/** A small team, a planner by script and agents by function, for specs. */
import { MemorySaver } from '@langchain/langgraph';
import { fakeClock, sleep } from '../../engine/clock.ts';
import type { Clock } from '../../engine/clock.ts';
import { mutationId } from '../../engine/ids.ts';
import type { FunctionSpec } from '../../engine/language/function-spec.ts';
import { sampleFunctions } from '../language/sample.ts';
import type { PlanAnswer } from '../../engine/model/model.ts';
import { emptyUsage } from '../../engine/model/usage.ts';
import type { AskAnswer, Mutation, Parameters, PlanStep, RunEvent } from '../../engine/moot.ts';
import type { CallPlanner, TeamMember } from '../../engine/router/plan.ts';
import type { AskContext, AskStep } from '../../engine/plan/run-ports.ts';
import type { RunRequest } from '../../engine/plan/run-request.ts';
import { createRunner } from '../../engine/plan/run.ts';
import type { RunnerOptions } from '../../engine/plan/run.ts';

const functions = sampleFunctions as unknown as readonly FunctionSpec[];

export function member(agentId: string, change: Partial<TeamMember> = {}): TeamMember {
  const { accepts = [], generates = [] } = change;
  return {
    nodeId: `node-${agentId}`,
    agentId,
    name: agentId.replace(/(^|-)(\w)/g, (_, dash: string, letter: string) => (dash && ' ') + letter.toUpperCase()),
    description: `Does the work of ${agentId}.`,
    topics: [agentId],
    parameters: [],
    instructions: '',
    ...change,
    accepts,
    generates,
    functions: functions.filter(({ name }) => accepts.includes(name) || generates.includes(name)),
  };
}

/** Mower and waste collaborate over ProduceCutGrass; lights and climate need nobody. */
export const sampleTeam: readonly TeamMember[] = [
  member('lights', { generates: ['SetLight'], parameters: ['rooms'] }),
  member('climate', { generates: ['SetTemperature'] }),
  member('lawn-mower', { generates: ['MowLawn', 'ProduceCutGrass'] }),
  member('waste-disposer', { accepts: ['ProduceCutGrass'], generates: ['CollectWaste'] }),
];

export const answerOf = (
  steps: readonly (readonly [agent: string, prompt: string, after?: readonly number[]])[],
  more: Partial<PlanAnswer> = {},
): PlanAnswer => ({
  message: 'I see to it.',
  steps: steps.map(([agent, prompt, after = []]) => ({ agent, prompt, after })),
  ...more,
});

/** A planner that answers by what is asked. */
export const planner =
  (answer: (request: string) => PlanAnswer): CallPlanner =>
  async ({ data }) => ({
    text: '',
    calls: [{ name: 'make_plan', args: { ...answer(data.request) } }],
    usage: { ...emptyUsage, modelCalls: 1, byAgent: { router: { modelCalls: 1, tokensIn: 0, tokensOut: 0 } } },
  });

export const answered = (payload: string, mutations: readonly Mutation[] = []): AskAnswer => ({
  status: 'answered',
  payload,
  mutations,
});

export function mutation(run: string, step: PlanStep, name: string, parameters: Parameters): Mutation {
  const id = mutationId(run, step.id, name, parameters, 0);
  return { id, run, step: step.id, agent: step.agent, function: name, parameters, risk: 'reversible' };
}

/** Each agent does one thing with the words of its prompt. */
export const obedient: AskStep = async (step: PlanStep, { run, mutations }: AskContext) => {
  const area = /front|back/.exec(step.prompt)?.[0] ?? String(mutations.at(-1)?.parameters['area'] ?? '');
  const room = /kitchen|bedroom|living_room/.exec(step.prompt)?.[0] ?? 'kitchen';
  const call = (
    {
      lights: ['SetLight', { room, state: 'on' }],
      climate: ['SetTemperature', { room, celsius: 21 }],
      'lawn-mower': ['MowLawn', { area }],
      'waste-disposer': ['CollectWaste', { area }],
    } as Record<string, [string, Parameters]>
  )[step.agent];
  return call ? answered('Done.', [mutation(run, step, ...call)]) : answered('I can only talk.');
};

/** A runner over LangGraph's own saver, with all that it tells written down. */
export function sampleRunner(change: Partial<RunnerOptions> = {}) {
  const clock = fakeClock();
  const saver = new MemorySaver();
  const events: RunEvent[] = [];
  const problems: Error[] = [];
  const runner = createRunner({
    clock,
    checkpointer: async () => saver,
    team: async () => sampleTeam,
    call: planner(() => answerOf([])),
    ask: obedient,
    onEvent: (event) => events.push(event),
    onProblem: (problem) => problems.push(problem),
    ...change,
  });
  return { runner, clock, saver, events, problems };
}

/** Open runs in memory, and how they ended. */
export function sampleRecords() {
  const open = new Map<string, { request: RunRequest; startedAt: number }>();
  const ended: { run: string; outcome: string; reason?: string }[] = [];
  return {
    open: async (request: RunRequest, startedAt: number) => {
      if (!open.has(request.run ?? '')) open.set(request.run ?? '', structuredClone({ request, startedAt }));
    },
    find: async (run: string) => open.get(run),
    end: async (run: string, ending: { outcome: string; reason?: string }) => {
      open.delete(run);
      ended.push({ run, ...ending });
    },
    opened: open,
    ended,
  };
}

/** Lets promises settle until something is so, without moving time. */
export async function until(clock: { advance(ms: number): Promise<void> }, so: () => boolean): Promise<void> {
  for (let n = 0; n < 500 && !so(); n += 1) await clock.advance(0);
  if (!so()) throw new Error('it never came');
}

/** Asks that each take their own time on the runner's clock. */
export const slow =
  (clockOf: () => Clock, msOf: (step: PlanStep) => number, log: string[] = []) =>
  async (step: PlanStep, context: AskContext) => {
    log.push(`+${step.id}`);
    await sleep(clockOf(), msOf(step), context.signal);
    log.push(`-${step.id}`);
    return obedient(step, context);
  };
