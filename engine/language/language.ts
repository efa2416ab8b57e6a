/** The shared language of a team: its functions, checked once, found by name or category. */
import type { Device } from '../devices/device.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { ajv } from './ajv.ts';
import type { ErrorObject } from './ajv.ts';
import { checkItem } from './check-item.ts';
import type { FunctionSpec, ParameterSpec } from './function-spec.ts';
import { schemaWords } from './schema-words.ts';
import { faultOfSentence } from './sentence-template.ts';
import { functionSpecSchema } from './spec-schema.ts';

export interface Language {
  readonly functions: readonly FunctionSpec[];
  /** By exact name, else by the one name that differs only in case. */
  find(name: string): FunctionSpec | undefined;
  /** Each once, in the order of the functions. */
  readonly categories: readonly string[];
  /** Function names of a list of names and `category:NAME`, each once, in the language's order. Unknown ones give none. */
  resolve(namesOrCategories: readonly string[]): string[];
  /** Those of the list that `resolve` can't find: for a warning. */
  unknown(namesOrCategories: readonly string[]): string[];
  /** Its functions are the mutations of these schemas (SDL). */
  readonly graphql?: { readonly schemas: readonly string[] };
  /** Devices of the house that carry some of its functions out, and answer others. */
  readonly devices?: readonly Device[];
}

/**
 * Makes a language of function specs (contracts.md 2), given as JSON. The specs are copied.
 * Throws FOLKMOOT_LANGUAGE_INVALID with the function and the parameter that is wrong and what is allowed.
 */
export function createLanguage(specs: readonly unknown[]): Language {
  if (!Array.isArray(specs)) throw invalid('The language has to be a list of functions.');
  if (specs.length > limits.languageFunctions)
    throw invalid(`The language has ${specs.length} functions; ${limits.languageFunctions} are allowed.`);
  const functions = structuredClone(specs) as FunctionSpec[];
  functions.forEach(checkShape);
  const byName = new Map<string, FunctionSpec>();
  for (const spec of functions) {
    if (byName.has(spec.name.toLowerCase()))
      throw invalid(`Function ${spec.name} is there twice; each name may be used once (case makes no difference).`);
    byName.set(spec.name.toLowerCase(), spec);
  }
  for (const spec of functions) checkMeaning(spec, byName);
  const inList = (spec: FunctionSpec, entry: string) => entry === spec.name || entry === `category:${spec.category}`;
  return {
    functions,
    find: (name) => byName.get(name.toLowerCase()),
    categories: [...new Set(functions.map((spec) => spec.category))],
    resolve: (list) => functions.filter((spec) => list.some((entry) => inList(spec, entry))).map((spec) => spec.name),
    unknown: (list) => list.filter((entry) => !functions.some((spec) => inList(spec, entry))),
  };
}

const invalid = (what: string) => folkmootError('FOLKMOOT_LANGUAGE_INVALID', what);

function checkShape(spec: unknown, index: number): void {
  const validate = ajv().compile(functionSpecSchema);
  if (validate(spec)) return;
  const error = validate.errors?.[0];
  const name = (spec as { name?: unknown } | null)?.name;
  const where = `Function ${typeof name === 'string' ? name : `number ${index + 1}`}`;
  throw invalid(`${where}${error ? placeOf(error, spec) : ''}: ${error ? schemaWords(error) : 'is not readable'}.`);
}

/** ", parameter room, synonyms on" for `/parameters/0/synonyms/on`. */
function placeOf(error: ErrorObject, spec: unknown): string {
  const path = error.instancePath.split('/').slice(1);
  if (path[0] !== 'parameters' || path[1] === undefined) return path.length ? `, ${path.join(' ')}` : '';
  const parameters = (spec as { parameters: readonly { name?: unknown }[] }).parameters;
  const name = parameters[Number(path[1])]?.name;
  const rest = path.slice(2).filter((part) => part !== 'name');
  const parameter = typeof name === 'string' ? name : `number ${Number(path[1]) + 1}`;
  return `, parameter ${parameter}${rest.length ? `, ${rest.join(' ')}` : ''}`;
}

function checkMeaning(spec: FunctionSpec, byName: ReadonlyMap<string, FunctionSpec>): void {
  const parameters = new Map<string, ParameterSpec>();
  for (const parameter of spec.parameters) {
    if (parameters.has(parameter.name))
      throw invalid(`Function ${spec.name}, parameter ${parameter.name} is there twice; each may be there once.`);
    parameters.set(parameter.name, parameter);
    checkItem(`Function ${spec.name}, parameter ${parameter.name}`, parameter);
  }
  const known = `it has ${spec.parameters.map((parameter) => parameter.name).join(', ') || 'no parameters'}`;
  for (const name of (spec.requireOneOf ?? []).flat())
    if (!parameters.has(name)) throw invalid(`Function ${spec.name}, requireOneOf names parameter ${name}; ${known}.`);
  const fault = faultOfSentence(spec.sentence ?? '', spec.parameters);
  if (fault) throw invalid(`Function ${spec.name}, ${fault}.`);
  checkConsequences(spec, byName);
}

/** Names in braces of a consequence's value: `{area}` gives area. */
export const parametersNamedIn = (template: string): string[] =>
  [...template.matchAll(/\{([A-Za-z][A-Za-z0-9_]*)\}/g)].map((match) => match[1] ?? '');

function checkConsequences(spec: FunctionSpec, byName: ReadonlyMap<string, FunctionSpec>): void {
  for (const consequence of spec.consequences ?? []) {
    const where = `Function ${spec.name}, consequence ${consequence.function}`;
    const target = byName.get(consequence.function.toLowerCase());
    if (target?.name !== consequence.function)
      throw invalid(
        `${where}: there is no such function; there are ${[...byName.values()].map((f) => f.name).join(', ')}.`,
      );
    for (const [name, template] of Object.entries(consequence.parameters)) {
      if (!target.parameters.some((parameter) => parameter.name === name))
        throw invalid(
          `${where}: it has no parameter ${name}; it has ${target.parameters.map((parameter) => parameter.name).join(', ')}.`,
        );
      const unknown = parametersNamedIn(template).find((one) => !spec.parameters.some((own) => own.name === one));
      if (unknown !== undefined)
        throw invalid(
          `${where}, parameter ${name} takes its value from ${unknown}; ${spec.name} has ${spec.parameters.map((own) => own.name).join(', ')}.`,
        );
    }
  }
}
