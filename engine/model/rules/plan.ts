/** The `plan` task: a sentence of a person, or of an event with a standing order, into steps. */
import { yesOrNo } from '../../language/yes-no.ts';
import { chatAgentId } from '../../router/team.ts';
import type { PlanAnswer, TaskData } from '../model.ts';
import { changedPlan } from './changed-plan.ts';
import { readClause } from './clause.ts';
import { compiled } from './compiled.ts';
import type { CompiledLanguage } from './compile.ts';
import { interpret } from './interpret.ts';
import type { Interpretation } from './interpret.ts';
import { fittingOrders } from './orders.ts';
import { answered, answeredBut } from './pending.ts';
import { isActing } from './reading.ts';
import { abilities, unclearMessage } from './said.ts';
import { stepsFor } from './steps.ts';
import { readSentence } from './tokens.ts';

/** Never guesses: what isn't understood wholly gives a question or a polite decline, and no steps. */
export function planWithRules(data: TaskData): PlanAnswer {
  if (data.orders) return planEvent(data, data.orders);
  const language = languageOf(data);
  const { previous, pending: _, ...rest } = data;
  if (previous)
    return changedPlan({ ...data, previous }, language, (request, pending) =>
      planWithRules({ ...rest, request, ...(pending ? { pending } : {}) }),
    );
  const agreed = data.pending ? agreement(data.pending.request, data, language) : undefined;
  const special = agreed ?? smallTalk(data, language);
  if (special) return special;
  const understood = interpret(data.request, language);
  const talk = talkOf(understood, data);
  if (data.pending && !understood.requests.some(isFull)) {
    const answers = understood.isWithdrawn ? answeredBut : answered;
    const requests = answers(data.pending.request, data.request, language);
    if (requests.length) return planOf({ sentence: understood.sentence, requests, isWithdrawn: false }, data);
  }
  return talk ?? planOf(understood, data);
}

/** What is no matter of the team goes to whom talk goes to, if to anybody. */
function talkOf({ requests, unclear, isStrange, isWithdrawn }: Interpretation, data: TaskData): PlanAnswer | undefined {
  const isTalk = unclear ? isStrange : !requests.length && !isWithdrawn;
  if (!isTalk || !data.agents.some(({ fallback }) => fallback)) return undefined;
  return { message: '', steps: [{ agent: chatAgentId, prompt: data.request }] };
}

/** "ok" is polite, unless it answers what the house has proposed. */
function agreement(open: string, data: TaskData, language: CompiledLanguage): PlanAnswer | undefined {
  if (yesOrNo(data.request) !== 'yes') return undefined;
  const sentence = readSentence(data.request, language.lists.words);
  const requests = answered(open, data.request, language);
  return requests.length ? planOf({ sentence, requests, isWithdrawn: false }, data) : undefined;
}

const isFull = (request: Interpretation['requests'][number]): boolean => request.kind === 'call' && isActing(request);

/** Only what some agent may generate. */
const languageOf = ({ agents, functions }: TaskData): CompiledLanguage =>
  compiled(functions.filter((spec) => agents.some((agent) => agent.generates.includes(spec.name))));

function planOf({ requests, unclear, isWithdrawn }: Interpretation, data: TaskData): PlanAnswer {
  if (unclear) return { message: unclearMessage(unclear), steps: [], declined: true };
  if (!requests.length)
    return isWithdrawn
      ? { message: 'All right, I do nothing.', steps: [], dropsQuestion: true }
      : { message: noWish, steps: [], declined: true };
  const { steps, questions } = stepsFor(requests, data);
  const promise = data.asksFirst ? '' : 'I take care of it.';
  const message = steps.length ? promise : questions.map(({ question }) => question).join(' ');
  return { message, steps, ...(questions.length ? { questions } : {}) };
}

/** "I am cold": it tells something, and what to do about it is the person's to say. */
const noWish = 'I don’t know what to do about that. Tell me what you want, or ask me what I can do.';

const hello = 'Hello! What can I do for you?';

const isThanks = (request: string, thanks: readonly string[]): boolean =>
  thanks.includes(
    request
      .toLowerCase()
      .replace(/[^a-z ]/g, '')
      .trim(),
  );

/** What can you do? Hello! Thanks! */
function smallTalk({ request, agents, functions }: TaskData, language: CompiledLanguage): PlanAnswer | undefined {
  const { lists } = language;
  const sentence = readSentence(request, lists.words);
  const { said, stems, tokens } = readClause(sentence, 0, sentence.tokens.length, language);
  const is = (phrases: ReadonlySet<string>) => phrases.has(said.join(' ')) || phrases.has(stems.join(' '));
  if (is(lists.abilities)) {
    const able = functions.filter((spec) => agents.some((agent) => agent.generates.includes(spec.name)));
    const tools = agents.flatMap((agent) => agent.tools ?? []);
    return { message: abilities(able, tools), steps: [] };
  }
  if (tokens.length > 0) return undefined;
  return { message: isThanks(request, lists.words.thanks) ? 'You are welcome.' : hello, steps: [] };
}

/** The order's request is taken as if a person had said it; without a fitting order nothing is done. */
function planEvent(data: TaskData, orders: NonNullable<TaskData['orders']>): PlanAnswer {
  const { lists } = languageOf(data);
  const fitting = fittingOrders(data.request, orders, lists.words);
  if (!fitting.length) return { message: 'Nothing needs to be done about that.', steps: [], declined: true };
  const { orders: _, pending: __, ...rest } = data;
  const plans = fitting.map((order) => planWithRules({ ...rest, request: order.request }));
  const steps = plans.flatMap((plan, index) => {
    const before = plans.slice(0, index).reduce((sum, one) => sum + one.steps.length, 0);
    return plan.steps.map((step) => (step.after ? { ...step, after: step.after.map((at) => at + before) } : step));
  });
  const questions = plans.flatMap((plan) => plan.questions ?? []);
  return { message: plans.map(({ message }) => message).join(' '), steps, ...(questions.length ? { questions } : {}) };
}
