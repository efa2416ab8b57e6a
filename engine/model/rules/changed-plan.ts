/** `plan` again: how a person's words change a plan that they were shown. What comes of it is shown again. */
import type { PlanAnswer, TaskAgent, TaskData } from '../model.ts';
import type { CompiledLanguage } from './compile.ts';
import { interpret } from './interpret.ts';
import { fold, stemOf } from './tokens.ts';

type Step = PlanAnswer['steps'][number];

/** Plans words as if there were no plan yet. */
type PlanAfresh = (request: string) => PlanAnswer;

const polite = /\b(?:please|instead|rather)\b|[.!]+\s*$/gi;
const leaveOut = /^(?:without|leave out|skip|drop|forget|remove|not|no|don['’]t(?: do)?)\s+(.+)$/i;
const leave = /^leave\s+(.+?)(?:\s+(?:out|away|alone|be|as it is))?$/i;
const only = /^(?:only|just)\s+(.+)$|^(.+?)\s+only$/i;
const also = /^(?:and|also|plus)\s+|[\s,]+(?:too|also|as well)$/gi;

/** In the order in which they are tried: the answer to what was asked beside, parts to leave out, other wishes, other values. */
export function changedPlan(
  { request, previous, pending, agents }: Pick<TaskData, 'request' | 'previous' | 'pending' | 'agents'>,
  language: CompiledLanguage,
  plan: (request: string, pending?: TaskData['pending']) => PlanAnswer,
): PlanAnswer {
  const before = previous?.steps ?? [];
  const said = request.replace(polite, ' ').replace(/\s+/g, ' ').trim();
  const answer = pending && plan(request, pending);
  if (answer?.steps.length) return { ...answer, message: '', steps: [...before, ...answer.steps] };
  const known = before.map((step) => ({ ...step, words: wordsOf(step, agents) }));
  const kept = keptSteps(said, known);
  if (kept?.length === 0) return { message: nothingLeft, steps: [], dropsQuestion: true };
  if (kept) return { message: '', steps: kept.map(({ words: _, ...step }) => step) };
  const wish = said.replace(also, '').trim();
  const wished = plan(wish);
  const isMore = wish !== said;
  if (wished.steps.length) return { ...wished, message: '', steps: merged(before, wished.steps, isMore, language) };
  const other = otherValue(wish.replace(only, '$1$2'), before, plan);
  if (other) return { message: '', steps: isMore ? [...before, other.step] : before.with(other.at, other.step) };
  // "leave the moon" takes nothing back but a moon.
  const isPart = wished.dropsQuestion && leftOut(said) !== undefined;
  return wished.declined || isPart ? { message: notUnderstood, steps: [] } : wished;
}

/** A step is called by what is said in it, else by who does it. */
type KnownStep = Step & { readonly words: readonly ReadonlySet<string>[] };

function wordsOf({ prompt, agent }: Step, agents: readonly TaskAgent[]): KnownStep['words'] {
  const { name = '', topics = [] } = agents.find(({ agentId }) => agentId === agent) ?? {};
  return [prompt, [name, ...topics].join(' ')].map((text) => new Set(split(text).map(stemOf)));
}

const split = (text: string): string[] => fold(text).split(/[^\p{L}\p{N}]+/u);

const leftOut = (said: string): string | undefined => leaveOut.exec(said)?.[1] ?? leave.exec(said)?.[1];

const nothingLeft = 'All right, I do nothing.';
const notUnderstood =
  'I don’t understand what should be different. Leave out a part, or say what you want in other words.';

/** What is left of the steps when some are left out; nothing: the words name none of them. */
function keptSteps(said: string, steps: readonly KnownStep[]): KnownStep[] | undefined {
  const out = leftOut(said);
  const [, after, ahead] = only.exec(said) ?? [];
  const named = namedSteps(out ?? after ?? ahead ?? '', steps);
  return named && steps.filter((_, at) => named.has(at) === (out === undefined));
}

/** Positions of the steps that are meant; nothing when a part of the words means none. */
function namedSteps(what: string, steps: readonly KnownStep[]): Set<number> | undefined {
  const found = what
    .split(/\s*(?:,|\band\b|\bor\b)\s*/)
    .filter((part) => part.trim() !== '')
    .map((part) => positionsOf(part, steps));
  return found.length > 0 && found.every((one) => one.length > 0) ? new Set(found.flat()) : undefined;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];
const small = new Set('the a an of in at on my our all both each step one part thing number with'.split(' '));

function positionsOf(part: string, steps: readonly KnownStep[]): number[] {
  const words = split(part).filter((word) => word && !small.has(word));
  const [word, ...more] = words;
  if (word === undefined) return /\b(?:all|both|each)\b/i.test(part) ? steps.map((_, at) => at) : [];
  const at = word === 'last' ? steps.length - 1 : /^\d+$/.test(word) ? Number(word) - 1 : ordinals.indexOf(word);
  if (more.length === 0 && at >= 0) return at < steps.length ? [at] : [];
  const called = [0, 1].map((by) =>
    steps.flatMap((step, index) => (words.every((one) => step.words[by]?.has(stemOf(one))) ? [index] : [])),
  );
  return called.find((positions) => positions.length > 0) ?? [];
}

/** A wish takes the place of the only step that does the same with other values; else it is one more. */
function merged(before: readonly Step[], wished: readonly Step[], isMore: boolean, language: CompiledLanguage): Step[] {
  const steps = [...before];
  for (const { after: _, ...step } of wished) {
    const alike = steps.flatMap((one, at) => (doesTheSame(one, step, language) ? [at] : []));
    const [at] = alike;
    if (isMore || at === undefined || alike.length > 1) steps.push(step);
    else steps[at] = step;
  }
  return steps;
}

function doesTheSame(one: Step, other: Step, language: CompiledLanguage): boolean {
  const [a, b] = [one, other].map(({ prompt }) => {
    const [call] = interpret(prompt, language).requests;
    return call?.kind === 'call' ? call.fn.spec.name : undefined;
  });
  return one.agent === other.agent && a !== undefined && a === b;
}

/** "the bedroom": where exactly one step can be done with that value. */
function otherValue(words: string, steps: readonly Step[], plan: PlanAfresh): { at: number; step: Step } | undefined {
  const found = steps.flatMap(({ agent, prompt }, at) => {
    const made = plan(`${prompt}, no, ${words}`);
    const [step, ...more] = made.steps;
    const isClear = step?.agent === agent && !more.length && !made.questions?.length;
    return isClear && step.prompt !== prompt ? [{ at, step }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}
