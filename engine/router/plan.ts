/** From a request to a plan: asks the model, reads, mends and checks its answer (seed-contracts.md B4, rows 46–61). */
import { folkmootError, isFolkmootError } from '../errors.ts';
import { quoted } from '../language/words.ts';
import { limits } from '../limits.ts';
import { callModel } from '../model/call.ts';
import type { ModelCall, ModelReply } from '../model/call.ts';
import type { Model, PendingQuestion, PlanAnswer, TaskData } from '../model/model.ts';
import type { Plan, PlanStep, Usage } from '../moot.ts';
import { addUsage, emptyUsage } from '../model/usage.ts';
import { meansChat, mendAgent } from './agent-names.ts';
import { dependencies } from './dependencies.ts';
import type { StepDraft } from './dependencies.ts';
import { makePlanSchema, readPlanAnswer } from './plan-answer.ts';
import { planPrompt, planTask, talkerFor } from './plan-prompt.ts';
import type { PlanInput } from './plan-prompt.ts';
import { chatAgentId, fallbackIn, onlyTalks } from './team.ts';
import type { Tier } from './classifier/tier.ts';
import type { TeamMember } from './team.ts';

export type { TeamMember } from './team.ts';

/** Asks the model that plans; throws as `callModel` does. */
export type CallPlanner = (call: ModelCall) => Promise<ModelReply>;

/** The planner of a model. */
export const plannerOf =
  (model: Model): CallPlanner =>
  (call) =>
    callModel(model, call);

export interface PlanOptions extends PlanInput {
  readonly call: CallPlanner;
  readonly signal?: AbortSignal;
  /** Words for people as they come, without the plan itself. */
  readonly onText?: (text: string) => void;
  /** Plans what is clear without any call. Default: every request is the planner's. */
  readonly tier?: Tier | undefined;
}

export interface PlanResult {
  readonly plan: Plan;
  readonly usage: Usage;
  /** What the person is asked, with the words that wait for it. */
  readonly questions: readonly PendingQuestion[];
  /** The request is outside of what the team does. */
  readonly declined: boolean;
  /** The open question is answered, or no longer wanted; otherwise it stays open. */
  readonly closesQuestion: boolean;
  /** More steps than `limits.planSteps` were wanted: so many. Nothing may be done then. */
  readonly tooMany?: number;
}

/**
 * Plans a request, by the first tier where it is clear, else by the planner. Steps have ids s1, s2 …; one that names nobody of the team is already refused, in words. Where the model
 * only talks, twice, its words are the message of a plan without steps.
 * Throws FOLKMOOT_PLAN_INVALID when two answers in a row could not be read, and whatever `call` throws.
 */
export async function makePlan(options: PlanOptions): Promise<PlanResult> {
  const { tier, onText: _onText, ...quiet } = options;
  if (!tier) return planned(options);
  const clear = tier.take(options);
  const made = clear ? { ...planOf(clear, options.team), usage: emptyUsage } : await planned(options);
  if (clear) tier.check(made.plan, async (signal) => (await planned({ ...quiet, signal })).plan);
  const routedBy = clear ? 'first tier' : 'planner';
  return { ...made, plan: { ...made.plan, routedBy }, usage: { ...made.usage, routedBy } };
}

async function planned(options: PlanOptions): Promise<PlanResult> {
  let usage = emptyUsage;
  let task = planTask(options);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const reply = await options.call(plannerCall(task, options)).catch(unreadable);
    usage = addUsage(usage, reply.usage);
    const read = readPlanAnswer(reply);
    if ('answer' in read) return { ...planOf(...spoken(read.answer, options)), usage };
    task = { ...task, finding: read.finding };
    if (attempt > 0 && isTalk(reply)) return { ...planOf({ message: reply.text.trim(), steps: [] }, []), usage };
  }
  throw folkmootError(
    'FOLKMOOT_PLAN_INVALID',
    `The planner's answer could not be read, twice: ${task.finding ?? 'it was empty.'}`,
  );
}

/** Words for the person, and no try at a plan. */
const isTalk = ({ text, calls }: ModelReply): boolean =>
  calls.length === 0 && text.length <= limits.requestChars && /\p{L}\s+\p{L}/u.test(text) && !/[{}]/.test(text);

function plannerCall(task: TaskData, { signal, onText }: PlanOptions): ModelCall {
  const { system, user } = planPrompt(task);
  return {
    data: task,
    messages: [
      { role: 'system', text: system },
      { role: 'user', text: user },
    ],
    tools: [{ name: 'make_plan', description: 'Says who does what.', schema: makePlanSchema }],
    agent: 'router',
    signal,
    onText,
  };
}

/** An empty answer is one that can't be read; all other errors are passed on. */
function unreadable(thrown: unknown): ModelReply {
  if (!isFolkmootError(thrown, 'FOLKMOOT_MODEL_UNREADABLE')) throw thrown;
  return { text: '', calls: [], usage: { ...emptyUsage, modelCalls: 1 } };
}

/** An answer that neither does nor says anything leaves it to whom talk goes to, if to anybody, to say something. */
function spoken(answer: PlanAnswer, options: PlanOptions): Parameters<typeof planOf> {
  const { request, team } = options;
  const talker = talkerFor(options);
  const { message, questions = [], declined, dropsQuestion } = answer;
  const isSilent = !message && !answer.steps.length && !questions.length && !declined && !dropsQuestion;
  const steps = talker && isSilent && request.trim() ? [{ agent: chatAgentId, prompt: request }] : answer.steps;
  return [{ ...answer, steps }, team, talker ?? 'nobody'];
}

/**
 * A checked plan of an answer in its form.
 * @param talker Who is asked in a step for `chat`. `nobody`: such a step is talk that the plan's message holds.
 */
export function planOf(
  answer: PlanAnswer,
  team: readonly TeamMember[],
  talker: TeamMember | 'nobody' = fallbackIn(team) ?? 'nobody',
): Omit<PlanResult, 'usage'> {
  const wanted = answer.steps
    .map((step, position) => {
      const named = mendAgent(step.agent, team);
      const isTalk = named ? onlyTalks(named) : meansChat(step.agent);
      return { step, position, isTalk, member: named ?? (isTalk && talker !== 'nobody' ? talker : undefined) };
    })
    .filter(({ member, isTalk }) => member || !isTalk);
  const kept = wanted.slice(0, limits.planSteps);
  const drafts: StepDraft[] = kept.map(({ step, member }) => ({
    ...(member ? { member } : {}),
    // Positions count all steps of the answer; talk that nobody is asked for is gone.
    after: (step.after ?? []).flatMap((old) => {
      const now = kept.findIndex(({ position }) => position === old);
      return now < 0 ? [] : [now];
    }),
  }));
  const after = dependencies(drafts, team);
  const steps = kept.map(({ step, member }, index) => planStep(step, member, index, after[index] ?? []));
  const questions = answer.questions ?? [];
  return {
    plan: {
      message: answer.message,
      steps,
      ...(questions.length ? { questions: questions.map(({ question }) => question) } : {}),
    },
    questions,
    declined: answer.declined === true && steps.length === 0,
    // Talk leaves a question open.
    closesQuestion: kept.some(({ isTalk }) => !isTalk) || questions.length > 0 || answer.dropsQuestion === true,
    ...(wanted.length > limits.planSteps ? { tooMany: wanted.length } : {}),
  };
}

function planStep(
  step: PlanAnswer['steps'][number],
  member: TeamMember | undefined,
  index: number,
  after: readonly number[],
): PlanStep {
  const known = Object.entries(step.parameters ?? {}).filter(([name]) => member?.parameters.includes(name));
  return {
    id: `s${index + 1}`,
    agent: member?.agentId ?? step.agent,
    prompt: step.prompt,
    parameters: Object.fromEntries(known),
    after: after.map((position) => `s${position + 1}`),
    ...(member
      ? { state: 'waiting' }
      : { state: 'refused', text: `Nobody here can do this: “${quoted(step.prompt || 'what was asked')}”.` }),
  };
}
