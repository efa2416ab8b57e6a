/** Commands that can't all hold: the same thing set twice to different values, or opposite functions (P17). */
import type { FunctionSpec, ParameterSpec } from '../language/function-spec.ts';
import { sentenceOf } from '../language/sentence.ts';
import { wordsOf } from '../language/words.ts';
import { canonical } from '../ids.ts';
import type { Parameters } from '../moot.ts';

/** Calls and mutations alike. */
export interface Called {
  readonly function: string;
  readonly parameters: Parameters;
}

export interface Contradiction<T extends Called> {
  /** The earlier one. */
  readonly first: T;
  readonly second: T;
  /** For people: "Kitchen light on" and "Kitchen light off". */
  readonly words: readonly [string, string];
}

/**
 * Pairs in the order of the later one, each later one once. What counts are functions that set a state (`repeatable`): two
 * calls contradict when they speak of the same thing (required values from a list, but for those that say a state) and give
 * one value twice, differently; or when their names are opposites and all else is equal.
 */
export function contradictionsIn<T extends Called>(
  calls: readonly T[],
  specOf: (name: string) => FunctionSpec | undefined,
): Contradiction<T>[] {
  const known = calls.flatMap((call) => {
    const spec = specOf(call.function);
    return spec?.repeatable ? [{ call, spec }] : [];
  });
  return known.flatMap(({ call, spec }, index) => {
    const first = known.slice(0, index).find((one) => contradicts(one, { call, spec }));
    if (!first) return [];
    const words = [sentenceOf(first.spec, first.call.parameters), sentenceOf(spec, call.parameters)] as const;
    return [{ first: first.call, second: call, words }];
  });
}

interface Known {
  readonly call: Called;
  readonly spec: FunctionSpec;
}

function contradicts(one: Known, other: Known): boolean {
  if (one.spec.name === other.spec.name) return setsOtherwise(one, other);
  return areOpposite(one.spec.name, other.spec.name) && same(one.call.parameters, other.call.parameters);
}

const same = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

function setsOtherwise({ call, spec }: Known, { call: other }: Known): boolean {
  const both = spec.parameters.filter(({ name }) => name in call.parameters && name in other.parameters);
  const differing = both.filter(({ name }) => !same(call.parameters[name], other.parameters[name]));
  if (differing.length === 0) return false;
  return differing.every((parameter) => !identifies(parameter, spec));
}

/** Says which thing is meant: without it the call could not be made, and it is one of known things. */
function identifies(parameter: ParameterSpec, spec: FunctionSpec): boolean {
  if (spec.requireOneOf?.some((group) => group.includes(parameter.name))) return false;
  if (!parameter.required || parameter.type !== 'string') return false;
  return !saysState(parameter);
}

const stateNames = /^(?:(?:new|target|desired) )?(?:state|status|mode|value|action|command|position|level|direction)$/;

function saysState({ name, allowedValues = [] }: ParameterSpec): boolean {
  if (stateNames.test(wordsOf(name))) return true;
  const values = allowedValues.map((value) => value.toLowerCase());
  return opposites.some(([one, other]) => values.includes(one) && values.includes(other));
}

const opposites = [
  ['on', 'off'],
  ['open', 'close'],
  ['open', 'closed'],
  ['lock', 'unlock'],
  ['locked', 'unlocked'],
  ['start', 'stop'],
  ['enable', 'disable'],
  ['activate', 'deactivate'],
  ['arm', 'disarm'],
  ['armed', 'disarmed'],
  ['raise', 'lower'],
  ['up', 'down'],
  ['mute', 'unmute'],
] as const;

/** "OpenDoor" and "CloseDoor": the same words but for one that is the opposite. */
function areOpposite(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one).split(' '), wordsOf(other).split(' ')];
  if (a.length !== b.length) return false;
  const differing = a.flatMap((word, index) => (word === b[index] ? [] : [[word, b[index] ?? '']]));
  const [pair, ...more] = differing;
  if (!pair || more.length) return false;
  return opposites.some((known) => known.includes(pair[0] as never) && known.includes(pair[1] as never));
}
