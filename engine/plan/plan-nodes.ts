/** The work of each node of the plan's graph. They take the state and the run's ports and give what changes. */
import { isFolkmootError } from '../errors.ts';
import { askId } from '../ids.ts';
import { limits } from '../limits.ts';
import { addUsage, emptyUsage } from '../model/usage.ts';
import type { AskAnswer, Mutation, Plan, PlanStep, Usage } from '../moot.ts';
import { meansChat } from '../router/agent-names.ts';
import { specsOf } from '../router/dependencies.ts';
import { makePlan } from '../router/plan.ts';
import { fallbackIn, isTalk } from '../router/team.ts';
import { asksOf, beginLeg, waitsFor, waitsOn } from './begin-leg.ts';
import { previousPlan } from '../router/previous-plan.ts';
import { endingOf } from './outcome.ts';
import { outside } from './outside.ts';
import { leftOut } from './evaluate.ts';
import { limitReached } from './limit-reached.ts';
import { changeMutations } from './plan-state.ts';
import type { MutationChange, PlanState } from './plan-state.ts';
import type { RunPorts } from './run-ports.ts';
import type { RunRequest } from './run-request.ts';
import { sentences } from './rest.ts';
import { stepResult } from './step-result.ts';
import { planOfYes } from './yes.ts';
import { runText, texts } from './text.ts';
import { shownPlan, waitsOf } from './waits.ts';

type Change = Partial<Omit<PlanState, 'mutations'>> & { readonly mutations?: MutationChange };

/** What a `Send` carries: all that a step needs, saved with it, so that it is asked the same after a crash. */
export interface StepInput {
  readonly step: PlanStep;
  readonly index: number;
  readonly count: number;
  readonly request: RunRequest;
  readonly mutations: readonly Mutation[];
  /** It is asked once more, because of this. */
  readonly finding?: string;
}

/** What kind of request it is: one that brings its plan, one that may answer a question, one that is too long. */
export async function classify({ request }: PlanState, run: string, ports: RunPorts): Promise<Change> {
  if (request.text.length > limits.requestChars)
    return { ending: { outcome: 'limit', payload: texts.tooLong, reason: texts.tooLong } };
  const taken = await outside(() => ports.approvals?.take({ ...request, run }));
  if (taken) return beginLeg(request, taken, ports);
  const asks = asksOf(ports.approvals);
  const given = request.plan;
  if (given?.steps.length && ['', 'proceed'].includes(request.text.trim()))
    // Whoever brings a plan has seen it.
    return { plan: await takenPlan(given, ports), asks: { ...asks, plan: false } };
  if (request.event) return { asks };
  const pending = await outside(() => ports.takeQuestion?.(request));
  return pending ? { asks, pending } : { asks };
}

/** Its steps wait; talk in it goes to whom the team has for that. */
async function takenPlan({ message, steps }: Plan, ports: RunPorts): Promise<Plan> {
  const hasTalk = steps.some(({ agent }) => meansChat(agent));
  const talker = hasTalk ? fallbackIn(await outside(() => ports.team())) : undefined;
  return {
    message,
    steps: steps.map(({ id, agent, prompt, parameters, after }) => ({
      ...{ id, agent: talker && meansChat(agent) ? talker.agentId : agent, prompt, parameters, after },
      state: 'waiting' as const,
    })),
  };
}

/** Asks the planner. Nothing is done with a plan of too many steps. */
export async function plan(state: PlanState, ports: RunPorts): Promise<Change> {
  const { request, pending, leg, asks } = state;
  const team = await outside(() => ports.team());
  if (team.length === 0) return { ending: noAgents() };
  const decided = pending?.needsYes ? planOfYes(request, pending.needsYes) : undefined;
  if (decided) {
    ports.emit('plan', decided);
    return { plan: decided, pending: null };
  }
  const history =
    request.history ?? (await outside(() => ports.history?.({ ...request, text: leg?.said ?? request.text })));
  const { previousPlan: previous, event } = request;
  const made = await outside(() =>
    makePlan({
      call: ports.call,
      tier: ports.tier?.(),
      request: request.text,
      team,
      board: [...(request.mutations ?? []), ...(leg?.board ?? [])],
      routerDescription: ports.routerDescription ?? '',
      signal: ports.signal,
      ...(pending ? { pending } : {}),
      // What a person wants to be different is no event.
      ...(event && !previous ? { event } : {}),
      ...(history ? { history } : {}),
      asksFirst: asks.plan || asks.commands,
      ...(previous ? { previous: previousPlan(previous) } : {}),
    }),
  );
  const { usage, questions, declined } = made;
  if (made.tooMany !== undefined) {
    const payload = texts.tooMany(made.tooMany);
    return { usage, ending: { outcome: 'limit', payload, reason: payload } };
  }
  const isBare = made.plan.steps.length === 0;
  const asksPlan = asks.plan && !isBare && !isTalk(made.plan, team);
  if (isBare && leg && previous) return waitsOn(leg, made);
  // One that waits is told when it can be answered.
  if (!asksPlan) ports.emit('plan', made.plan);
  // The plan's own words run ahead, unless a person is asked first; without steps they are the reply itself.
  if (!isBare && made.plan.message && !asksPlan && !asks.commands) ports.emit('text', made.plan.message);
  // What the person said instead of an answer leaves the question open, and it is asked again at the end of the reply.
  return {
    ...{ plan: made.plan, usage, questions, declined, asks: { ...asks, plan: asksPlan } },
    ...(made.closesQuestion ? { pending: null } : {}),
  };
}

const noAgents = () => ({
  outcome: 'failed' as const,
  payload: texts.nobody,
  error: { code: 'FOLKMOOT_NO_AGENTS', message: 'The router reaches no agents.' },
});

/** Steps that may begin: not asked yet, and all that they wait for is over, however it went. */
export function readySteps({ plan: { steps }, answers }: PlanState): { step: PlanStep; index: number }[] {
  const over = new Set(steps.filter(({ id, state }) => id in answers || state !== 'waiting').map(({ id }) => id));
  return steps
    .map((one, index) => ({ step: one, index }))
    .filter(
      ({ step: { id, after } }) => !over.has(id) && after.every((other) => over.has(other) || !isIn(steps, other)),
    );
}

const isIn = (steps: readonly PlanStep[], id: string) => steps.some((one) => one.id === id);

/** Writes what became of the steps into the plan. */
export function dispatch({ plan: now, answers }: PlanState): Change {
  const steps = now.steps.map((one) => {
    const result = answers[one.id];
    if (!result) return one;
    const { state, text, asked, rest, asksYes } = result;
    return {
      ...{ ...one, state },
      ...(text ? { text } : {}),
      ...(asked ? { asked } : {}),
      ...(rest ? { rest } : {}),
      ...(asksYes ? { asksYes } : {}),
    };
  });
  return { plan: { ...now, steps } };
}

/**
 * Asks one agent. It never throws for what the agent does, so that no step stops another; only when the run itself was
 * stopped, so that nothing is saved and the step is asked again when the run goes on.
 */
export async function step(input: StepInput, run: string, ports: RunPorts): Promise<Change> {
  const { step: one, request, finding } = input;
  const again = finding === undefined ? 0 : 1;
  const of = { step: one.id, agent: one.agent };
  ports.signal.throwIfAborted();
  const before = await outside(() => ports.team());
  const nodeId = before.find(({ agentId }) => agentId === one.agent)?.nodeId;
  ports.emit('step', { state: 'running', prompt: one.prompt, ...(again ? { again, finding } : {}) }, of);
  const answer = await outside(() =>
    ports.ask(one, {
      run,
      id: askId(run, one.id, again),
      request,
      ...(nodeId ? { nodeId } : {}),
      index: input.index,
      count: input.count,
      mutations: input.mutations,
      again,
      ...(finding === undefined ? {} : { finding }),
      signal: ports.signal,
    }),
  ).catch(failed);
  ports.signal.throwIfAborted();
  const team = await outside(() => ports.team());
  // An agent that was taken off its wire while it worked is still answered for with the rights it was asked with.
  const brought = stepResult({ run, step: one, answer, team: isOn(team, one) ? team : before });
  const result = again ? { ...brought, again: true as const } : brought;
  ports.emit('step', { state: result.state, ...(result.text ? { text: result.text } : {}) }, of);
  return {
    answers: { [one.id]: result },
    mutations: again ? { step: one.id, mutations: result.mutations } : result.mutations,
    ...usageOf(result.usage, again),
  };
}

/** Asking again is counted with what it cost. */
function usageOf(cost: Usage | undefined, again: number): Pick<Change, 'usage'> {
  if (!again) return cost ? { usage: cost } : {};
  return { usage: addUsage(cost, { ...emptyUsage, findings: 1, regenerations: 1 }) };
}

const isOn = (team: readonly { readonly agentId: string }[], { agent }: PlanStep) =>
  team.some(({ agentId }) => agentId === agent);

function failed(thrown: unknown): AskAnswer {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_MODEL_FAILED';
  return { status: 'failed', payload: null, mutations: [], error: { code, message } };
}

/** The run's end, when all steps are over, or when a person is asked before it goes on. */
export async function finish(given: PlanState, ports: RunPorts): Promise<Change> {
  if (ports.evaluates === false || given.mutations.length < 2) return concluded(given, ports);
  const { without, questions } = leftOut(given, specsOf(await outside(() => ports.team())));
  if (without.length === 0) return concluded(given, ports);
  const asked = [...(given.plan.questions ?? []), ...questions.map(({ question }) => question)];
  const plan = { ...given.plan, questions: asked };
  const mutations = changeMutations(given.mutations, { without });
  const all = [...given.questions, ...questions];
  const end = await concluded({ ...given, plan, mutations, questions: all }, ports);
  return { ...end, plan, questions: all, mutations: { without } };
}

async function concluded(state: PlanState, ports: RunPorts): Promise<Change> {
  const { plan: made, mutations, declined, pending, asks, leg } = state;
  const approved = leg?.approved.length ?? 0;
  const waits = asks.plan || asks.commands ? waitsOf(state, specsOf(await outside(() => ports.team()))) : undefined;
  if (waits) {
    const payload = sentences([made.message, runText(shownPlan({ plan: made, waits }))]);
    const how = approved > 0 ? ({ outcome: 'done', reason: 'asked' } as const) : waitsFor;
    return { waits, ending: { ...how, payload } };
  }
  const limit = limitReached(state, ports);
  if (limit !== undefined) return stoppedBy(limit, made);
  const ending = endingOf(made, mutations.length + approved > 0, declined);
  const bare = made.steps.length === 0 && !made.questions?.length;
  const said = bare ? made.message || (declined ? texts.declined : texts.nothing) : runText(made);
  return { ending: { ...ending, payload: pending && !pending.repeated ? sentences([said, pending.question]) : said } };
}

/** What is done so far is told with the reason; nothing that waits is asked any more. */
function stoppedBy(reason: string, made: Plan): Change {
  const steps = made.steps.map((one) => (one.state === 'waiting' ? { ...one, state: 'cancelled' as const } : one));
  const said = made.steps.map(({ text }) => text).filter((text) => text !== undefined && text !== reason);
  return { plan: { ...made, steps }, ending: { outcome: 'limit', reason, payload: sentences([...said, reason]) } };
}
