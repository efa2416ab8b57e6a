/** Schemas of mutations as agents get them: texts in SDL, each of its own, and perhaps without queries. */
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { folkmootError } from '../errors.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import { uniqueFunctions } from '../language/unique-functions.ts';
import { createLanguage } from '../language/language.ts';
import type { Language } from '../language/language.ts';
import { limits } from '../limits.ts';
import { graphql } from './graphql.ts';
import { specOfField } from './spec-of-field.ts';

export interface ReadSchema {
  /** The text as it was given. */
  readonly text: string;
  readonly schema: GraphQLSchema;
  /** Its mutations as functions. */
  readonly functions: readonly FunctionSpec[];
  /** Whether it says what application data looks like: it has a type Query. */
  readonly hasData: boolean;
}

/**
 * Reads one text. What its queries are may be left out. Unknown directives are no error; four are understood on a mutation:
 * `@critical`, `@repeatable`, `@category(name: "…")` and `@sentence(text: "…")`.
 * Throws FOLKMOOT_LANGUAGE_INVALID with the line.
 */
export function readSchema(text: string): ReadSchema {
  if (text.length > limits.graphqlChars)
    throw invalid(`The GraphQL schema is longer than ${limits.graphqlChars} characters.`);
  const { parse, buildASTSchema, extendSchema } = graphql();
  try {
    const document = parse(text, { maxTokens: limits.graphqlTokens });
    assertKnown(document);
    const given = buildASTSchema(document, { assumeValidSDL: true });
    const hasData = Boolean(given.getQueryType());
    const schema = hasData
      ? given
      : extendSchema(given, parse('extend schema { query: Nothing } type Nothing { _: Int }'));
    assertValid(schema);
    const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
    return { text, schema, hasData, functions: fields.map(specOfField) };
  } catch (thrown) {
    throw invalid(`The GraphQL schema can’t be used: ${messageOf(thrown)}.`, thrown);
  }
}

/** Before the library does, which doesn't say where. */
function assertKnown(document: DocumentNode): void {
  const { GraphQLError, isTypeDefinitionNode, specifiedScalarTypes, visit } = graphql();
  const names = document.definitions.filter(isTypeDefinitionNode).map(({ name }) => name.value);
  const known = new Set([...names, ...specifiedScalarTypes.map(({ name }) => name)]);
  visit(document, {
    NamedType(node) {
      if (!known.has(node.name.value)) throw new GraphQLError(`Unknown type “${node.name.value}”`, { nodes: node });
    },
  });
}

function assertValid(schema: GraphQLSchema): void {
  const [error] = graphql().validateSchema(schema);
  if (error) throw error;
}

/** With the line, and without the full stop at its end. */
function messageOf(thrown: unknown): string {
  const { message, locations } = thrown as { message?: string; locations?: readonly { readonly line: number }[] };
  const line = locations?.[0]?.line;
  return `${(message ?? String(thrown)).replace(/\.$/, '')}${line === undefined ? '' : ` (line ${line})`}`;
}

const invalid = (what: string, cause?: unknown) => folkmootError('FOLKMOOT_LANGUAGE_INVALID', what, cause);

type Texts = NonNullable<Language['graphql']>;

const known = new WeakMap<Texts, readonly ReadSchema[]>();

/** Of a language or an agent, read once; of others none. Throws FOLKMOOT_LANGUAGE_INVALID. */
export function schemasOf(graphql: Texts | undefined): readonly ReadSchema[] {
  if (!graphql) return [];
  const schemas = known.get(graphql) ?? graphql.schemas.map(readSchema);
  known.set(graphql, schemas);
  return schemas;
}

/** The language of one schema that is to be worked with: it has mutations. Throws FOLKMOOT_LANGUAGE_INVALID. */
export function languageOfSchema(text: string): Language {
  if (!text.trim()) throw invalid('There is no GraphQL schema yet.');
  const schema = readSchema(text);
  if (schema.functions.length === 0)
    throw invalid('The GraphQL schema has no mutations, so nothing can be done with it: it needs a type Mutation.');
  return graphqlLanguage([schema]);
}

/** All mutations of several texts; of two of one name the first counts. Throws FOLKMOOT_LANGUAGE_INVALID. */
export function graphqlLanguage(schemas: readonly ReadSchema[]): Language {
  const graphql = { schemas: schemas.map(({ text }) => text) };
  known.set(graphql, schemas);
  return { ...createLanguage(uniqueFunctions(schemas.flatMap(({ functions }) => functions))), graphql };
}

/** The schema that has a mutation of this name. */
export const schemaOf = (schemas: readonly ReadSchema[], name: string): ReadSchema | undefined =>
  schemas.find(({ functions }) => functions.some((spec) => spec.name.toLowerCase() === name.toLowerCase()));
