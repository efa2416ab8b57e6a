/** Checks a proposed call against the language: function, parameters, types, allowed values, range. */
import { canonical } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Parameters } from '../moot.ts';
import { ajv } from './ajv.ts';
import type { ErrorObject, ValidateFunction } from './ajv.ts';
import { findingFor, forPeople, questionFor } from './findings.ts';
import type { FunctionSpec } from './function-spec.ts';
import { toJsonSchema } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Language } from './language.ts';
import { isNested } from './nested-findings.ts';
import { isBlank, typedValue } from './values.ts';
import { quoted } from './words.ts';

/** A call as a model proposes it: nothing of it is trusted. */
export interface ProposedCall {
  readonly function: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface GoodCall {
  readonly ok: true;
  readonly spec: FunctionSpec;
  /** Typed and in the language's spelling, in the order of the spec. */
  readonly parameters: Parameters;
}

export interface BadCall {
  readonly ok: false;
  readonly code: 'FOLKMOOT_COMMAND_INVALID' | 'FOLKMOOT_NOT_ALLOWED';
  /** `missing`: nothing is wrong but that values lack, so that a person can be asked. */
  readonly problem: 'not allowed' | 'missing' | 'value';
  readonly spec?: FunctionSpec;
  /** Names of required parameters (or of a group of which one is required) that lack. */
  readonly missing: readonly string[];
  /** For the model: names function and parameter and says what is allowed. */
  readonly finding: string;
  /** For people: no ids and no function names. A question when `problem` is `missing`. */
  readonly forPeople: string;
}

export type CheckedCall = GoodCall | BadCall;

/**
 * @param allowed Names that may be called; undefined: all of the language.
 */
export function checkCall(language: Language, call: ProposedCall, allowed?: readonly string[]): CheckedCall {
  const spec = typeof call.function === 'string' ? language.find(call.function) : undefined;
  if (!spec || (allowed && !allowed.includes(spec.name))) {
    const names = allowed ?? language.functions.map((one) => one.name);
    return {
      ok: false,
      code: 'FOLKMOOT_NOT_ALLOWED',
      problem: 'not allowed',
      missing: [],
      finding: `Function ${quoted(call.function)} ${spec ? 'may not be generated' : 'does not exist'}; allowed are ${names.join(', ') || 'none'}.`,
      forPeople: 'That is not something I can do.',
    };
  }
  const parameters = typedParameters(spec, call.parameters);
  const validate = validatorOf(spec);
  if (validate(parameters)) return { ok: true, spec, parameters: parameters as Parameters };
  const errors = (validate.errors ?? []).filter((error) => !partOfGroup(error)).slice(0, limits.findings);
  const lacking = errors.every(
    (error) => !isNested(error) && (error.keyword === 'required' || error.keyword === 'anyOf'),
  );
  const missing = [...new Set(errors.flatMap((error) => (isNested(error) ? [] : missingOf(error, spec))))];
  return {
    ok: false,
    code: 'FOLKMOOT_COMMAND_INVALID',
    problem: lacking ? 'missing' : 'value',
    spec,
    missing,
    finding: errors.map((error) => findingFor(spec, error, parameters)).join(' '),
    forPeople: lacking ? questionFor(spec, missing) : forPeople(spec, errors, parameters),
  };
}

/** In the spec's order, typed; unknown names stay, for the check to name them. */
function typedParameters(spec: FunctionSpec, given: unknown): Record<string, unknown> {
  const values = given && typeof given === 'object' && !Array.isArray(given) ? (given as Record<string, unknown>) : {};
  const typed: Record<string, unknown> = {};
  for (const parameter of spec.parameters) {
    const value = Object.hasOwn(values, parameter.name) ? values[parameter.name] : undefined;
    if (!isBlank(value)) typed[parameter.name] = typedValue(parameter, value);
  }
  for (const [name, value] of Object.entries(values).slice(0, limits.functionParameters))
    if (!spec.parameters.some((parameter) => parameter.name === name) && !isBlank(value))
      Object.defineProperty(typed, name, { value, enumerable: true });
  return typed;
}

const validators = new WeakMap<FunctionSpec, ValidateFunction>();
/** By the schema's text too, for languages are made anew from the same specs in each run; the oldest go first. */
const compiled = new Map<string, ValidateFunction>();

function validatorOf(spec: FunctionSpec): ValidateFunction {
  const known = validators.get(spec);
  if (known) return known;
  const schema = toJsonSchema(spec);
  const text = canonical(schema);
  const validate = compiled.get(text) ?? compile(schema);
  compiled.delete(text);
  compiled.set(text, validate);
  for (const oldest of compiled.keys()) {
    if (compiled.size <= limits.languageFunctions) break;
    compiled.delete(oldest);
  }
  validators.set(spec, validate);
  return validate;
}

function compile(schema: JsonSchema): ValidateFunction {
  const validate = ajv().compile(schema);
  // ajv keeps every schema it compiled; languages come and go with each deploy.
  ajv().removeSchema(schema);
  return validate;
}

/** "required" inside a group only repeats what the group's own error says. */
const partOfGroup = (error: ErrorObject): boolean =>
  error.keyword === 'required' && /\/allOf\/\d+\/anyOf\//.test(error.schemaPath);

function missingOf(error: ErrorObject, spec: FunctionSpec): readonly string[] {
  if (error.keyword === 'required') return [String((error.params as { missingProperty: string }).missingProperty)];
  const group = /\/allOf\/(\d+)\/anyOf/.exec(error.schemaPath)?.[1];
  return group === undefined ? [] : (spec.requireOneOf?.[Number(group)] ?? []);
}
