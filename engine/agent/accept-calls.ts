/** Which of the proposed calls may stand: checked, with missing values filled from what is known, each once. */
import { canonical, mutationId } from '../ids.ts';
import { checkCall } from '../language/check-call.ts';
import type { BadCall, CheckedCall, GoodCall, ProposedCall } from '../language/check-call.ts';
import { consequencesOf } from '../language/consequences.ts';
import type { Language } from '../language/language.ts';
import { limits } from '../limits.ts';
import type { Mutation, Parameters } from '../moot.ts';

export interface Accepted {
  readonly good: readonly GoodCall[];
  readonly bad: readonly BadCall[];
}

export interface Known {
  readonly language: Language;
  /** Function names that the agent may generate. */
  readonly generates: readonly string[];
  /** Accepted mutations, oldest first. */
  readonly board: readonly Mutation[];
  /** Agent parameters of the step. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
}

/** @param before Calls that already stand; the same one again is left out. */
export function acceptCalls(calls: readonly ProposedCall[], known: Known, before: readonly GoodCall[] = []): Accepted {
  const seen = new Set(before.map(keyOf));
  const good = [...before];
  const bad: BadCall[] = [];
  for (const call of calls) {
    const checked = checkFilled(call, known);
    if (!checked.ok) bad.push(checked);
    else if (!seen.has(keyOf(checked)) && seen.add(keyOf(checked))) good.push(checked);
  }
  return { good, bad };
}

const keyOf = ({ spec, parameters }: Pick<GoodCall, 'spec' | 'parameters'>) => canonical([spec.name, parameters]);

/** A call that lacks nothing but values gets them from the step's parameters or the board, if they are the only ones. */
function checkFilled(call: ProposedCall, known: Known): CheckedCall {
  const checked = checkCall(known.language, call, known.generates);
  if (checked.ok || checked.problem !== 'missing') return checked;
  const found: Record<string, unknown> = {};
  for (const parameter of checked.spec?.parameters ?? []) {
    if (!parameter.required || !checked.missing.includes(parameter.name)) continue;
    const value = onlyValue(parameter.name, known);
    if (value !== undefined) found[parameter.name] = value;
  }
  if (!Object.keys(found).length) return checked;
  const filled = checkCall(
    known.language,
    { function: call.function, parameters: { ...call.parameters, ...found } },
    known.generates,
  );
  // A value of the same name that does not fit here is no reason to refuse: the person is asked.
  return filled.ok || filled.problem === 'missing' ? filled : checked;
}

/** What is said for this step comes first, then this run's commands, then data; two different values give none. */
function onlyValue(name: string, { parameters, board }: Known): unknown {
  const said = (Object.hasOwn(parameters, name) ? parameters[name] : undefined) ?? [];
  const valuesOf = (entries: readonly Mutation[]) =>
    entries.filter((entry) => Object.hasOwn(entry.parameters, name)).map((entry) => entry.parameters[name]);
  const ofRun = valuesOf(board.filter((entry) => entry.run !== undefined));
  const ofData = valuesOf(board.filter((entry) => entry.run === undefined));
  const values = [said, ofRun, ofData].find((list) => list.length) ?? [];
  return new Set(values).size === 1 ? values[0] : undefined;
}

export interface Origin {
  readonly run: string;
  readonly step: string;
  readonly agent: string;
}

/** Calls and what they bring with them, in order, as mutations; `left` of the calls did not fit under the cap. */
export function mutationsOf(
  good: readonly GoodCall[],
  language: Language,
  origin: Origin,
): { readonly mutations: readonly Mutation[]; readonly left: number } {
  const mutations: Mutation[] = [];
  const seen = new Set(good.map(keyOf));
  const add = (spec: GoodCall['spec'], parameters: Parameters) => {
    const id = mutationId(origin.run, origin.step, spec.name, parameters, mutations.length);
    mutations.push({ id, ...origin, function: spec.name, parameters, risk: spec.risk });
  };
  for (const [index, call] of good.entries()) {
    const brought = consequencesOf(language, { function: call.spec.name, parameters: call.parameters }).filter(
      (one) => !seen.has(keyOf(one)),
    );
    if (mutations.length + 1 + brought.length > limits.mutationsPerStep)
      return { mutations, left: good.length - index };
    add(call.spec, call.parameters);
    for (const one of brought) {
      seen.add(keyOf(one));
      add(one.spec, one.parameters);
    }
  }
  return { mutations, left: 0 };
}
