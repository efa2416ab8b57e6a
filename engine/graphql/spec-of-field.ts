/** A mutation as a function of the language: its arguments with their types, at every depth. */
import type { ConstDirectiveNode, GraphQLArgument, GraphQLField, GraphQLInputField, GraphQLInputType } from 'graphql';
import type { FunctionSpec, ItemSpec, ParameterSpec } from '../language/function-spec.ts';
import { limits } from '../limits.ts';
import { graphql } from './graphql.ts';

export function specOfField(field: GraphQLField<unknown, unknown>): FunctionSpec {
  const directives = field.astNode?.directives ?? [];
  const has = (name: string) => directives.some((one) => one.name.value === name);
  const sentence = textOf(directives, 'sentence');
  return {
    name: field.name,
    description: cut(field.description ?? ''),
    category: textOf(directives, 'category')?.slice(0, 100) ?? 'graphql',
    ...(sentence === undefined ? {} : { sentence }),
    risk: has('critical') ? 'critical' : 'reversible',
    effect: true,
    repeatable: has('repeatable'),
    parameters: field.args.map((argument) => parameterOf(argument, 1)),
  };
}

const cut = (text: string): string => text.trim().slice(0, 500);

/** The one text that a directive is given. */
function textOf(directives: readonly ConstDirectiveNode[], name: string): string | undefined {
  const value = directives.find((one) => one.name.value === name)?.arguments?.[0]?.value;
  return value?.kind === graphql().Kind.STRING ? cut(value.value) : undefined;
}

/** What has a default need not be given. */
function parameterOf(given: GraphQLArgument | GraphQLInputField, depth: number): ParameterSpec {
  const { isNonNullType } = graphql();
  return {
    name: given.name,
    ...(given.description ? { description: cut(given.description) } : {}),
    required: isNonNullType(given.type) && given.defaultValue === undefined,
    ...itemOf(given.type, depth),
  };
}

/** A type of the schema as one of the language. Types of its own (scalars) and what lies too deep are text. */
function itemOf(type: GraphQLInputType, depth: number): ItemSpec {
  const { getNullableType, isListType, isInputObjectType, isEnumType } = graphql();
  const inner = getNullableType(type);
  if (isEnumType(inner)) return { type: 'string', allowedValues: inner.getValues().map(({ name }) => name) };
  if (depth > limits.parameterDepth) return { type: 'string' };
  if (isListType(inner)) return { type: 'list', items: itemOf(inner.ofType, depth + 1) };
  if (isInputObjectType(inner)) {
    const fields = Object.values(inner.getFields());
    return { type: 'object', fields: fields.map((field) => parameterOf(field, depth + 1)) };
  }
  const plain = { Int: 'integer', Float: 'number', Boolean: 'boolean' } as const;
  return { type: plain[inner.name as keyof typeof plain] ?? 'string' };
}
