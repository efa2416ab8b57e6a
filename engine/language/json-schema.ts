/** Function specs as JSON Schema: for ajv, and for the tools that models are offered. */
import { limits } from '../limits.ts';
import type { FunctionSpec, ItemSpec, ParameterSpec } from './function-spec.ts';
import { allowedValuesOf } from './values.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The parameters of a function as JSON Schema (draft 7), without groups: what hosted models take as a tool's arguments. */
export function toToolSchema(spec: FunctionSpec): JsonSchema {
  return objectSchema(spec.parameters);
}

const objectSchema = (fields: readonly ParameterSpec[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field.name, parameterSchema(field)])),
  required: fields.filter((field) => field.required).map((field) => field.name),
  additionalProperties: false,
});

/** The same with the groups of which one must be given (some model servers refuse `allOf` at the top of a tool). */
export function toJsonSchema(spec: FunctionSpec): JsonSchema {
  const groups = (spec.requireOneOf ?? []).map((group) => ({ anyOf: group.map((name) => ({ required: [name] })) }));
  return { ...toToolSchema(spec), ...(groups.length ? { allOf: groups } : {}) };
}

/** Of a parameter, a field of an object, or an item of a list. */
export function parameterSchema(parameter: ItemSpec): JsonSchema {
  const allowed = allowedValuesOf(parameter);
  const description = [parameter.description, parameter.unit && `in ${parameter.unit}`].filter(Boolean).join(', ');
  const numeric = parameter.type === 'integer' || parameter.type === 'number';
  return {
    ...(description ? { description } : {}),
    ...typeSchema(parameter),
    ...(numeric && parameter.minimum !== undefined ? { minimum: parameter.minimum } : {}),
    ...(numeric && parameter.maximum !== undefined ? { maximum: parameter.maximum } : {}),
    // A list that only names devices not yet known allows nothing, rather than everything.
    ...(allowed && parameter.type !== 'boolean'
      ? { enum: allowed.length ? allowed.map(valueIn(parameter)) : [''] }
      : {}),
  };
}

const valueIn = (parameter: ItemSpec) => (value: string) =>
  parameter.type === 'integer' || parameter.type === 'number' ? Number(value) : value;

function typeSchema(parameter: ItemSpec): JsonSchema {
  if (parameter.type === 'object') return objectSchema(parameter.fields ?? []);
  if (parameter.type === 'list') {
    const { items = { type: 'string' }, minimum, maximum = limits.listItems } = parameter;
    return {
      type: 'array',
      items: parameterSchema(items),
      maxItems: Math.min(maximum, limits.listItems),
      ...(minimum === undefined ? {} : { minItems: minimum }),
    };
  }
  if (parameter.type === 'datetime') return { type: 'string', format: 'date-time' };
  if (parameter.type === 'string') return { type: 'string', minLength: 1, maxLength: limits.requestChars };
  return { type: parameter.type };
}
