/** What of a schema an agent is shown: the mutations that it knows, what their arguments and answers are, and the queries. */
import type { DefinitionNode, TypeDefinitionNode, TypeExtensionNode } from 'graphql';
import type { Language } from '../language/language.ts';
import { graphql } from './graphql.ts';

type Texts = NonNullable<Language['graphql']>;

const parts = new WeakMap<Texts, Map<string, Texts>>();

/**
 * The schemas of a language with only these mutations; the same object for the same names. A text whose root types have
 * names of their own stays whole.
 */
export function partOfSchemas(language: Texts, names: readonly string[]): Texts {
  const key = [...names].sort().join();
  const known = parts.get(language) ?? new Map<string, Texts>();
  parts.set(language, known);
  const part = known.get(key) ?? { schemas: language.schemas.flatMap((text) => partOfSchema(text, names)) };
  known.set(key, part);
  return part;
}

/** None when nothing is left of it. */
function partOfSchema(text: string, names: readonly string[]): string[] {
  const { Kind, parse, print } = graphql();
  const { definitions } = parse(text, { noLocation: true });
  if (definitions.some(isWhole)) return [text];
  const cut = definitions.flatMap((one) => withMutations(one, names));
  const reached = reachedFrom(cut);
  const kept = cut.filter((one) => !isType(one) || reached.has(one.name.value));
  return kept.length ? [print({ kind: Kind.DOCUMENT, definitions: kept })] : [];
}

const isType = (one: DefinitionNode): one is TypeDefinitionNode | TypeExtensionNode => {
  const { isTypeDefinitionNode, isTypeExtensionNode } = graphql();
  return isTypeDefinitionNode(one) || isTypeExtensionNode(one);
};

/** Root types of other names, or mutations in several places. */
function isWhole(one: DefinitionNode): boolean {
  const { Kind } = graphql();
  if (one.kind === Kind.OBJECT_TYPE_EXTENSION) return one.name.value === 'Mutation';
  return one.kind === Kind.SCHEMA_DEFINITION || one.kind === Kind.SCHEMA_EXTENSION;
}

/** The type Mutation keeps these fields only; without any it goes. */
function withMutations(one: DefinitionNode, names: readonly string[]): DefinitionNode[] {
  if (one.kind !== graphql().Kind.OBJECT_TYPE_DEFINITION || one.name.value !== 'Mutation') return [one];
  const fields = (one.fields ?? []).filter(({ name }) => names.includes(name.value));
  return fields.length ? [{ ...one, fields }] : [];
}

/** Names of all types that the mutations and queries speak of, at every depth. */
function reachedFrom(definitions: readonly DefinitionNode[]): ReadonlySet<string> {
  const types = definitions.filter(isType);
  const reached = new Set(['Mutation', 'Query']);
  // A set grows while it is walked.
  for (const name of reached)
    for (const one of types.filter((type) => type.name.value === name || isOneOf(type, name))) {
      reached.add(one.name.value);
      graphql().visit(one, { NamedType: ({ name: { value } }) => void reached.add(value) });
    }
  return reached;
}

/** What answers in the place of an interface. */
const isOneOf = (one: TypeDefinitionNode | TypeExtensionNode, name: string): boolean =>
  'interfaces' in one && (one.interfaces ?? []).some((of) => of.name.value === name);
