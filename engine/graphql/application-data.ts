/** Application data of GraphQL agents: a snapshot as JSON, checked against the schema's queries, and asked by queries (P15, P27). */
import type { GraphQLOutputType, GraphQLSchema } from 'graphql';
import { folkmootError } from '../errors.ts';
import { quoted } from '../language/words.ts';
import { limits } from '../limits.ts';
import { graphql } from './graphql.ts';
import type { ReadSchema } from './schema.ts';

/** Data that an agent may be given: JSON that fits, or a text that nobody can check. */
export type ApplicationData =
  | { readonly kind: 'none' }
  /** Words, or no schema says what it looks like: passed on as it is (row 64). */
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'snapshot';
      readonly text: string;
      readonly value: Record<string, unknown>;
      readonly of: ReadSchema;
    };

/**
 * As text: as it came, or a plain value as JSON; nothing is an empty text. Throws FOLKMOOT_BAD_INPUT when it is too long.
 */
export function applicationText(data: unknown): string {
  const isText = typeof data === 'string' || data === undefined || data === null;
  const bytes = data instanceof Uint8Array ? new TextDecoder().decode(data) : undefined;
  const text = bytes ?? (isText ? (data ?? '') : JSON.stringify(data));
  if (text.length <= limits.applicationDataChars) return text;
  throw folkmootError(
    'FOLKMOOT_BAD_INPUT',
    `The application data has ${text.length} characters; ${limits.applicationDataChars} are the most.`,
  );
}

/**
 * Reads a snapshot: an object whose fields are those of the type Query.
 * Throws FOLKMOOT_BAD_INPUT with the path of what does not fit.
 */
export function readApplicationData(text: string, schemas: readonly ReadSchema[]): ApplicationData {
  if (!text.trim()) return { kind: 'none' };
  const describing = schemas.filter(({ hasData }) => hasData);
  // Words are nothing to check; what looks like JSON was meant to be it.
  if (!describing.length || !/^\s*[[{]/.test(text)) return { kind: 'text', text };
  const value = parsed(text);
  if (!isRecord(value)) throw unfit('the whole is no object');
  const faults = describing.map(({ schema }) => faultOf(schema, value));
  const fitting = faults.indexOf(undefined);
  const of = describing[fitting];
  if (of) return { kind: 'snapshot', text, value, of };
  throw unfit(faults[0] ?? '');
}

const unfit = (fault: string) =>
  folkmootError('FOLKMOOT_BAD_INPUT', `The application data does not fit the schema: ${fault}.`);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    throw folkmootError('FOLKMOOT_BAD_INPUT', `The application data is not JSON: ${(thrown as Error).message}.`);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const faultOf = (schema: GraphQLSchema, value: Record<string, unknown>): string | undefined => {
  const query = schema.getQueryType();
  return query ? valueFault(value, query, []) : undefined;
};

/** "guests.0.age is “old”, not of type Int": the first thing that does not fit. */
function valueFault(value: unknown, type: GraphQLOutputType, path: readonly (string | number)[]): string | undefined {
  const { isNonNullType, isListType, isLeafType, isObjectType } = graphql();
  const at = path.join('.') || 'the whole';
  if (isNonNullType(type)) {
    if (value === null || value === undefined) return `${at} is missing`;
    return valueFault(value, type.ofType, path);
  }
  if (value === null || value === undefined) return undefined;
  if (isListType(type)) {
    if (!Array.isArray(value)) return `${at} is no list`;
    return firstOf(value, (item, index) => valueFault(item, type.ofType, [...path, index]));
  }
  if (isLeafType(type)) {
    try {
      type.parseValue(value);
      return undefined;
    } catch {
      return `${at} is “${quoted(value)}”, not of type ${type.name}`;
    }
  }
  if (!isRecord(value)) return `${at} is no object`;
  if (!isObjectType(type)) return undefined;
  const fields = type.getFields();
  const stranger = Object.keys(value).find((name) => !Object.hasOwn(fields, name) && name !== '__typename');
  if (stranger !== undefined) return `${[...path, quoted(stranger)].join('.')} is no field of ${type.name}`;
  // What a query returns at the top may be missing in a snapshot: then nothing is known of it.
  const wanted = Object.values(fields).filter(({ name }) => path.length > 0 || Object.hasOwn(value, name));
  return firstOf(wanted, (field) => valueFault(value[field.name], field.type, [...path, field.name]));
}

function firstOf<T>(list: readonly T[], faultIn: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of list.entries()) {
    const fault = faultIn(item, index);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * Answers a query from a snapshot, as JSON text; arguments that a field's objects have as fields of the same name filter
 * lists. Throws FOLKMOOT_BAD_INPUT for a query that is not valid.
 */
export function askApplicationData(query: string, data: Extract<ApplicationData, { kind: 'snapshot' }>): string {
  const { parse, validate, executeSync, Kind, OperationTypeNode } = graphql();
  const refuse = (why: string) => folkmootError('FOLKMOOT_BAD_INPUT', `The query can’t be answered: ${why}`);
  if (query.length > limits.requestChars) throw refuse(`it is longer than ${limits.requestChars} characters.`);
  const { schema } = data.of;
  let document;
  try {
    document = parse(query, { maxTokens: limits.graphqlTokens });
  } catch (thrown) {
    throw refuse((thrown as Error).message);
  }
  const isQuery = document.definitions.every(
    (one) => one.kind !== Kind.OPERATION_DEFINITION || one.operation === OperationTypeNode.QUERY,
  );
  if (!isQuery) throw refuse('it is no query.');
  const [error] = validate(schema, document);
  if (error) throw refuse(error.message);
  const result = executeSync({ schema, document, rootValue: data.value, fieldResolver: resolve });
  const [failed] = result.errors ?? [];
  if (failed) throw refuse(failed.message);
  return JSON.stringify(result.data);
}

/** Ours instead of the library's: data has no functions, and arguments filter. */
function resolve(
  source: unknown,
  args: Readonly<Record<string, unknown>>,
  _context: unknown,
  info: { fieldName: string },
) {
  const value = isRecord(source) && Object.hasOwn(source, info.fieldName) ? source[info.fieldName] : undefined;
  const wanted = Object.entries(args);
  if (!wanted.length || value === null || value === undefined) return value;
  const fits = (item: unknown) =>
    !isRecord(item) || wanted.every(([name, given]) => !Object.hasOwn(item, name) || item[name] === given);
  if (Array.isArray(value)) return (value as unknown[]).filter(fits);
  return fits(value) ? value : null;
}
