/** Functions as gpt-multi-atomic-agents describes them over HTTP and in files (seed-contracts.md B1). */
import type { FunctionSpec, ParameterSpec, ParameterType } from '../language/function-spec.ts';
import { namePattern } from '../language/spec-schema.ts';
import { allowedValuesOf } from '../language/values.ts';

export interface ForeignParameter {
  readonly name: string;
  readonly type: 'int' | 'float' | 'string' | 'datetime';
  /** Empty: any value of the type. */
  readonly allowed_values?: readonly string[];
}

export interface ForeignFunction {
  readonly function_name: string;
  readonly description: string;
  readonly parameters: readonly ForeignParameter[];
}

const ours: Readonly<Record<ForeignParameter['type'], ParameterType>> = {
  int: 'integer',
  float: 'number',
  string: 'string',
  datetime: 'datetime',
};

/** What has no type of its own there goes out as text. */
const theirs: Readonly<Record<ParameterType, ForeignParameter['type']>> = {
  integer: 'int',
  number: 'float',
  string: 'string',
  datetime: 'datetime',
  boolean: 'string',
  list: 'string',
  object: 'string',
};

/** Why a function can't be used here, in words; undefined: it can. It may be read and passed on all the same. */
export function faultOfForeign({ function_name: name, parameters }: ForeignFunction): string | undefined {
  const fits = new RegExp(namePattern);
  if (!fits.test(name)) return `The function "${name}" can’t be used: a name holds letters, digits and underscores.`;
  const seen = new Set<string>();
  for (const parameter of parameters) {
    if (!fits.test(parameter.name))
      return `${name} can’t be used: its parameter "${parameter.name}" has no usable name.`;
    if (seen.has(parameter.name)) return `${name} can’t be used: its parameter ${parameter.name} is there twice.`;
    seen.add(parameter.name);
  }
  return undefined;
}

/** All parameters are required there, nothing is known of the risk, and doing it twice may not be the same as once. */
export const specOfForeign = (given: ForeignFunction, category = 'other'): FunctionSpec => ({
  name: given.function_name,
  description: given.description.slice(0, 500),
  category,
  risk: 'reversible',
  effect: true,
  repeatable: false,
  parameters: given.parameters.map(parameterOfForeign),
});

function parameterOfForeign({ name, type, allowed_values: allowed = [] }: ForeignParameter): ParameterSpec {
  const values = allowed.filter((value) => value.trim() !== '');
  return { name, type: ours[type], required: true, ...(values.length ? { allowedValues: values } : {}) };
}

/** Groups, ranges, units and consequences have no place there. */
export const foreignOfSpec = (spec: FunctionSpec): ForeignFunction => ({
  function_name: spec.name,
  description: spec.description,
  parameters: spec.parameters.map((parameter) => ({
    name: parameter.name,
    type: theirs[parameter.type],
    allowed_values: [...(allowedValuesOf(parameter) ?? [])],
  })),
});
