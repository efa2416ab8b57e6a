/** What became of a step, checked against what its agent may do. */
import { canonical, mutationId } from '../ids.ts';
import { consequencesOf } from '../language/consequences.ts';
import { createLanguage } from '../language/language.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import { limits } from '../limits.ts';
import type { AskAnswer, Mutation, PlanStep, Usage } from '../moot.ts';
import { broughtBy, specsOf } from '../router/dependencies.ts';
import type { TeamMember } from '../router/team.ts';
import { stepText } from './text.ts';

/** Kept in the checkpoint, so plain JSON and small. */
export interface StepResult {
  readonly state: AskAnswer['status'];
  readonly text: string;
  readonly asked?: true;
  readonly asksYes?: true;
  /** It was asked a second time, with what was found wrong with the first. */
  readonly again?: true;
  /** Beside mutations: what was not done. */
  readonly rest?: string;
  /** Accepted, with consequences. */
  readonly mutations: readonly Mutation[];
  readonly usage?: Usage;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface AnsweredStep {
  readonly run: string;
  readonly step: PlanStep;
  readonly answer: AskAnswer;
  readonly team: readonly TeamMember[];
}

/**
 * An answer as it enters the run: only of an `answered` step that asked nothing, only what the agent may generate and what
 * follows from that, under the name of the agent that was asked (row 59), at most `limits.mutationsPerStep`.
 */
export function stepResult({ run, step, answer, team }: AnsweredStep): StepResult {
  const member = team.find(({ agentId }) => agentId === step.agent);
  const specs = specsOf(team);
  const allowed = member ? broughtBy(member, specs) : new Set<string>();
  const acts = answer.status === 'answered' && !answer.asked;
  // What only reads is carried out by tools; it is never a command.
  const isCommand = (name: string) => allowed.has(name) && specs.get(name)?.risk !== 'read';
  const given = acts ? answer.mutations.filter((mutation) => isCommand(mutation.function)) : [];
  const owned = given.map((mutation) => ({ ...mutation, run, step: step.id, agent: step.agent }));
  const dropped = acts && answer.mutations.length > 0 && owned.length === 0;
  const status = dropped ? 'refused' : answer.status;
  return {
    state: status,
    text: stepText(step, { status, payload: dropped ? '' : answer.payload }),
    ...(answer.asked && answer.status === 'answered' ? { asked: true as const } : {}),
    ...(answer.asksYes && answer.status === 'answered' ? { asksYes: true as const } : {}),
    ...(owned.length && answer.rest ? { rest: answer.rest } : {}),
    mutations: withConsequences(owned, specs).slice(0, limits.mutationsPerStep),
    ...(answer.usage ? { usage: answer.usage } : {}),
    ...(answer.error ? { error: answer.error } : {}),
  };
}

/** Adds the consequences that an agent left out, behind their cause; what is there already is not doubled. */
function withConsequences(mutations: readonly Mutation[], specs: ReadonlyMap<string, FunctionSpec>): Mutation[] {
  const known = new Set(mutations.map((mutation) => mutation.function));
  const missing = mutations.some((mutation) =>
    specs.get(mutation.function)?.consequences?.some((one) => !known.has(one.function)),
  );
  if (!missing) return [...mutations];
  const language = createLanguage([...specs.values()].map((spec) => onlyKnown(spec, specs)));
  const seen = new Set(mutations.map(keyOf));
  const all: Mutation[] = [];
  for (const mutation of mutations) {
    all.push(mutation);
    for (const { spec, parameters } of consequencesOf(language, mutation)) {
      const name = spec.name;
      if (seen.has(keyOf({ function: name, parameters }))) continue;
      seen.add(keyOf({ function: name, parameters }));
      const { run = '', step = '', agent } = mutation;
      const id = mutationId(run, step, name, parameters, all.length);
      const { risk } = spec;
      all.push({ id, run, step, ...(agent ? { agent } : {}), function: name, parameters, risk });
    }
  }
  return all;
}

const keyOf = (call: Pick<Mutation, 'function' | 'parameters'>) => canonical([call.function, call.parameters]);

/** A team may hold a function without the one that follows from it: then nobody could see that one anyway. */
function onlyKnown(spec: FunctionSpec, specs: ReadonlyMap<string, FunctionSpec>): FunctionSpec {
  if (!spec.consequences) return spec;
  return { ...spec, consequences: spec.consequences.filter((one) => specs.has(one.function)) };
}
