/**
 * What agents brought, looked at as a whole when their steps are over (P17): commands of two steps that can't both hold, and
 * commands that nobody carries out. Who brought it is asked once more with what was found; what still contradicts then is
 * left out, and the person is asked.
 */
import { whichIsMeant } from '../evaluate/contradicting-calls.ts';
import { contradictionsIn } from '../evaluate/contradictions.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import type { PendingQuestion } from '../model/model.ts';
import type { Mutation, PlanStep } from '../moot.ts';
import type { PlanState } from './plan-state.ts';

type Specs = ReadonlyMap<string, FunctionSpec>;

/** A step that is asked once more, and why, for its agent. */
export interface AskedAgain {
  readonly step: PlanStep;
  readonly index: number;
  readonly finding: string;
}

export interface Evaluation {
  readonly specs: Specs;
  /** Whether something carries a function out; undefined: that is not known. */
  readonly isHandled?: ((name: string) => boolean | undefined) | undefined;
}

/** Each step at most once; of a contradiction the later one. */
export function stepsToAskAgain(
  { plan, answers, mutations }: PlanState,
  { specs, isHandled }: Evaluation,
): AskedAgain[] {
  const findings = new Map<string, string[]>();
  const add = ({ step = '' }: Mutation, finding: string) =>
    findings.set(step, [...new Set([...(findings.get(step) ?? []), finding])]);
  for (const { first, second } of contradictionsIn(mutations, (name) => specs.get(name)))
    add(second, `${said(second)} contradicts what ${first.agent ?? 'another one'} set already: ${said(first)}.`);
  for (const mutation of mutations)
    if (specs.get(mutation.function)?.effect !== false && isHandled?.(mutation.function) === false)
      add(mutation, `${mutation.function} leads nowhere: nothing here carries it out.`);
  return plan.steps.flatMap((step, index) => {
    const found = findings.get(step.id);
    const isOver = answers[step.id]?.again;
    return found && !isOver ? [{ step, index, finding: found.join(' ') }] : [];
  });
}

const said = ({ function: name, parameters }: Mutation): string => `${name} ${JSON.stringify(parameters)}`;

export interface Left {
  /** Ids of commands that are left out. */
  readonly without: readonly string[];
  readonly questions: readonly PendingQuestion[];
}

/** Both of two that contradict each other, and what follows from them in their step, are left out. */
export function leftOut({ plan, mutations }: PlanState, specs: Specs): Left {
  const pairs = contradictionsIn(mutations, (name) => specs.get(name));
  const contradicting = new Set(pairs.flatMap(({ first, second }) => [first, second]));
  const without = withWhatFollows(mutations, contradicting, specs);
  const prompts = (ids: readonly (string | undefined)[]) =>
    plan.steps.flatMap(({ id, prompt }) => (ids.includes(id) ? [prompt] : [])).join(' and ');
  const questions = pairs.map(({ first, second, words }) => ({
    request: prompts([first.step, second.step]),
    question: whichIsMeant(words),
  }));
  return { without, questions };
}

/** Ids of these mutations, and of what follows from them in their step. */
export const withWhatFollows = (
  mutations: readonly Mutation[],
  causes: ReadonlySet<unknown>,
  specs: Specs,
): readonly string[] =>
  mutations.flatMap((mutation, index) => {
    const cause = mutations.slice(0, index + 1).findLast((one) => one.step === mutation.step && !follows(one, specs));
    return cause && causes.has(cause) ? [mutation.id] : [];
  });

/** What is only put on the board stands behind its cause. */
const follows = ({ function: name }: Mutation, specs: Specs): boolean => specs.get(name)?.effect === false;
