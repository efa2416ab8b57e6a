/**
 * The sentence of a function spec: text with `{parameter}` (`{parameter.field}` inside of an object) and
 * `{parameter:value=words|value=words|other words}`, where `#` in the words stands for the value with its unit; a part in square brackets may be left out.
 */
import type { ParameterSpec } from './function-spec.ts';
import { folded } from './values.ts';

/** One pair of braces. */
export interface Slot {
  readonly name: string;
  /** Words for single values, in their order. */
  readonly cases: readonly { readonly value: string; readonly words: string }[];
  /** Words for all other values; absent: the value itself. */
  readonly otherwise?: string;
  /** What stands after the words for all other values and so can never be said. */
  readonly surplus: readonly string[];
}

const braces = /\{([A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*)(?::([^{}]*))?\}/g;
const brackets = /\[([^[\]]*)\]/g;

function slotOf(name: string, choices: string | undefined): Slot {
  const all = choices === undefined ? [] : choices.split('|');
  const at = all.findIndex((choice) => !choice.includes('='));
  const cases = (at < 0 ? all : all.slice(0, at)).map((choice) => {
    const [value = '', ...words] = choice.split('=');
    return { value: value.trim(), words: words.join('=').trim() };
  });
  if (at < 0) return { name, cases, surplus: [] };
  return { name, cases, otherwise: all[at]?.trim() ?? '', surplus: all.slice(at + 1) };
}

/** The pairs of braces of a sentence, in its order. */
export const slotsOf = (template: string): Slot[] =>
  [...template.matchAll(braces)].map(([, name = '', choices]) => slotOf(name, choices));

/** The sentence with its braces replaced; `words` also gets the text that stood there. */
export const fillSlots = (template: string, words: (slot: Slot, text: string) => string): string =>
  template.replace(braces, (text, name: string, choices: string | undefined) => words(slotOf(name, choices), text));

/** The sentence without the optional parts that can't be said; others are given to `keep` with their brackets or without. */
export const fillOptional = (
  template: string,
  isThere: (name: string) => boolean,
  keep: (inner: string, part: string) => string,
): string =>
  template.replace(brackets, (part, inner: string) =>
    slotsOf(inner).every(({ name }) => isThere(name)) ? keep(inner, part) : '',
  );

/** A slot in words. @param said The value with its unit. */
export function wordsFor({ cases, otherwise }: Slot, value: unknown, said: string): string {
  const isIt = (text: string) =>
    typeof value === 'number' ? Number(text) === value : folded(text) === folded(String(value));
  const found = cases.find((one) => isIt(one.value))?.words ?? otherwise;
  return found === undefined ? said : found.replaceAll('#', () => said);
}

/** The parameter of a name, or the field at a path of names. */
export function parameterAt(parameters: readonly ParameterSpec[], path: string): ParameterSpec | undefined {
  const [name, ...rest] = path.split('.');
  const found = parameters.find((one) => one.name === name);
  return rest.length ? parameterAt(found?.fields ?? [], rest.join('.')) : found;
}

/** Its value; undefined where there is none. */
export const valueAt = (parameters: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Readonly<Record<string, unknown>>)[name]
          : undefined,
      parameters,
    );

/** What is wrong with a sentence, or nothing. Texts begin with the place: "sentence names parameter floor; it has room". */
export function faultOfSentence(template: string, parameters: readonly ParameterSpec[]): string | undefined {
  for (const { name, cases, surplus } of slotsOf(template)) {
    const parameter = parameterAt(parameters, name);
    if (!parameter)
      return `sentence names parameter ${name}; it has ${parameters.map((one) => one.name).join(', ') || 'no parameters'}`;
    const isNumeric = parameter.type === 'integer' || parameter.type === 'number';
    const wrong = cases.find(({ value }) => value === '' || (isNumeric && !Number.isFinite(Number(value))));
    if (wrong) return `sentence, parameter ${name}: "${wrong.value}" before = is no value of it`;
    if (surplus.length)
      return `sentence, parameter ${name}: words for all other values come last, but "${surplus[0]}" comes after them`;
  }
  return undefined;
}
