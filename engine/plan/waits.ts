/** What waits for a person at the end of a run, and what they are told of it. */
import type { FunctionSpec } from '../language/function-spec.ts';
import { sentenceOf } from '../language/sentence.ts';
import { quoted } from '../language/words.ts';
import type { Mutation, Plan, PlanStep } from '../moot.ts';
import { stagesOf } from '../router/dependencies.ts';
import type { PlanState } from './plan-state.ts';
import { texts } from './text.ts';
import type { Waits } from './waiting-plan.ts';

type Specs = ReadonlyMap<string, FunctionSpec>;

/** Whether something would be done that a person could be asked about; what is only put on the board is not. */
export const acts = (mutations: readonly Mutation[], specs: Specs): boolean =>
  mutations.some((mutation) => specs.get(mutation.function)?.effect !== false);

/** Nothing: the run ends as any other. */
export function waitsOf(state: PlanState, specs: Specs): Waits | undefined {
  const { plan, asks, leg, mutations, questions } = state;
  const common = {
    done: [...(leg?.board ?? []), ...(leg?.approved ?? [])],
    commands: asks.commands,
    byGroup: asks.byGroup,
    questions,
    legs: (leg?.waiting.legs ?? 0) + 1,
  };
  const open = plan.steps.filter((step) => step.state === 'waiting');
  if (asks.plan && open.length > 0)
    return { ...common, stage: 'plan', plan: kept(plan, []), mutations: [], text: planText(open) };
  if (!asks.commands || !acts(mutations, specs)) return undefined;
  const groups = stagesOf(plan.steps);
  const last = Math.max(...mutations.map(({ step = '' }) => groups.findIndex((ids) => ids.includes(step))));
  return {
    ...common,
    stage: 'commands',
    plan: kept(plan, mutations),
    mutations,
    text: commandsText(mutations, specs, common.done.length > 0),
    ...(asks.byGroup ? { group: last + 1, groups: groups.length } : {}),
  };
}

/** As it waits: what people were told already is not told again, but what they were asked is. */
function kept(plan: Plan, held: readonly Mutation[]): Plan {
  const later = new Set(held.map(({ step }) => step));
  const steps = plan.steps.map((one) => {
    const { text: _, rest: __, ...bare } = one;
    return later.has(one.id) || one.asked ? one : bare;
  });
  return { ...plan, message: '', steps };
}

/** As it is shown: steps whose commands wait are not over, and the last question is whether to go on. */
export function shownPlan({ plan, waits }: Pick<PlanState, 'plan' | 'waits'>): Plan {
  if (!waits) return plan;
  const held = new Set(waits.mutations.map(({ step }) => step));
  const steps = plan.steps.map((one): PlanStep => {
    const { text: _, rest: __, ...bare } = one;
    return held.has(one.id) ? { ...bare, state: 'waiting' } : one;
  });
  return { ...plan, steps, questions: [...(plan.questions ?? []), waits.text] };
}

function planText(steps: readonly PlanStep[]): string {
  const numbers = new Map(steps.map(({ id }, index) => [id, index + 1]));
  const lines = steps.map(({ prompt, after }) => {
    const earlier = after.flatMap((id) => numbers.get(id) ?? []);
    return `${quoted(prompt).replace(/[.!?\s]+$/, '')}${earlier.length ? ` (after ${earlier.join(', ')})` : ''}`;
  });
  return asked('This is what I would do:', lines.length === 1 ? [`${lines[0] ?? ''}.`] : lines);
}

function commandsText(mutations: readonly Mutation[], specs: Specs, isNext: boolean): string {
  const lines = mutations.flatMap((mutation) => {
    const spec = specs.get(mutation.function);
    if (spec?.effect === false) return [];
    const words = spec ? sentenceOf(spec, mutation.parameters) : '';
    return /[.!?…]$/.test(words) ? [words] : [`${words || 'something that I cannot name'}.`];
  });
  return asked(isNext ? 'Next, this would be done:' : 'This would be done:', lines);
}

const asked = (head: string, [only = '', ...more]: readonly string[]): string =>
  more.length === 0
    ? `${head} ${only}\n${texts.shallI}`
    : [head, ...[only, ...more].map((line, index) => `${index + 1}. ${line}`), texts.shallI].join('\n');
