/** Mutations as text: read from what a model wrote, and written for boards, devices and other programs. */
import type { DefinitionNode, DocumentNode, FieldNode, GraphQLField, SelectionSetNode } from 'graphql';
import type { ProposedCall } from '../language/check-call.ts';
import { quoted } from '../language/words.ts';
import { limits } from '../limits.ts';
import type { Parameters } from '../moot.ts';
import { graphql } from './graphql.ts';
import { schemaOf } from './schema.ts';
import type { ReadSchema } from './schema.ts';

export interface ReadMutations {
  readonly calls: readonly ProposedCall[];
  /** For the model: what is wrong and where. */
  readonly findings: readonly string[];
}

/** Each field of each mutation becomes a call; a text with one that is not valid gives none at all. */
export function readMutations(texts: readonly string[], schemas: readonly ReadSchema[]): ReadMutations {
  const parts = texts.slice(0, limits.mutationsPerStep).map((text) => readOne(text, schemas));
  const left = texts.length - parts.length;
  return {
    calls: parts.flatMap(({ calls }) => calls),
    findings: [
      ...parts.flatMap(({ findings }) => findings),
      ...(left > 0 ? [`Only ${limits.mutationsPerStep} mutations are possible at once; ${left} were left out.`] : []),
    ].slice(0, limits.findings),
  };
}

function readOne(text: string, schemas: readonly ReadSchema[]): ReadMutations {
  const wrong = (why: string): ReadMutations => ({ calls: [], findings: [`The mutation ${quoted(text)}: ${why}`] });
  if (text.length > limits.requestChars) return wrong(`it is longer than ${limits.requestChars} characters.`);
  let document: DocumentNode;
  try {
    document = graphql().parse(text, { maxTokens: limits.graphqlTokens });
  } catch (thrown) {
    return wrong((thrown as Error).message);
  }
  const fields = fieldsOf(document);
  if (!fields.length) return wrong('it holds no mutation.');
  const calls: ProposedCall[] = [];
  for (const field of fields) {
    const name = field.name.value;
    const read = schemaOf(schemas, name);
    // Which names are allowed is said by whoever checks calls.
    if (!read) calls.push({ function: name, parameters: {} });
    else {
      const checked = checkedField(field, document, read);
      if (typeof checked === 'string') return wrong(checked);
      calls.push({ function: name, parameters: checked });
    }
  }
  return { calls, findings: [] };
}

/** Fields of mutations at the top; fragments there are not read. */
export function fieldsOf({ definitions }: DocumentNode): FieldNode[] {
  const { Kind, OperationTypeNode } = graphql();
  return definitions
    .flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION && one.operation === OperationTypeNode.MUTATION ? [one] : [],
    )
    .flatMap(({ selectionSet }) => selectionSet.selections)
    .filter((one) => one.kind === Kind.FIELD);
}

/** The arguments, or what is wrong. */
export function checkedField(field: FieldNode, document: DocumentNode, { schema }: ReadSchema): Parameters | string {
  const { validate, getArgumentValues } = graphql();
  const type = schema.getMutationType()?.getFields()[field.name.value];
  if (!type) return `there is no mutation ${field.name.value}; names are written as in the schema.`;
  const alone = documentOf(document, field);
  const [error] = validate(schema, alone);
  if (error) return error.message;
  try {
    return plain(getArgumentValues(type, field)) as Parameters;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

/** This field alone, with the document's fragments and variables. */
export function documentOf(document: DocumentNode, field: FieldNode): DocumentNode {
  const { Kind } = graphql();
  const definitions = document.definitions.flatMap((one): DefinitionNode[] => {
    if (one.kind !== Kind.OPERATION_DEFINITION) return [one];
    if (!one.selectionSet.selections.includes(field)) return [];
    return [{ ...one, selectionSet: { ...one.selectionSet, selections: [field] } }];
  });
  return { ...document, definitions };
}

/** The library gives objects without a prototype. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/**
 * A call as the text of a mutation. It selects what is plain in the answer.
 * Undefined for a name that no schema has, or values that do not fit it.
 */
export function mutationText(
  schemas: readonly ReadSchema[],
  { function: name, parameters }: { readonly function: string; readonly parameters: Parameters },
): string | undefined {
  const field = schemaOf(schemas, name)?.schema.getMutationType()?.getFields()[name];
  if (!field) return undefined;
  const { Kind, OperationTypeNode, print } = graphql();
  const args = argumentsOf(field, parameters);
  if (!args) return undefined;
  const selectionSet = selectionOf(field);
  return print({
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.MUTATION,
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [
        {
          kind: Kind.FIELD,
          name: { kind: Kind.NAME, value: name },
          arguments: args,
          ...(selectionSet ? { selectionSet } : {}),
        },
      ],
    },
  });
}

function argumentsOf(field: GraphQLField<unknown, unknown>, parameters: Parameters) {
  const { Kind, astFromValue, coerceInputValue, isRequiredArgument } = graphql();
  if (field.args.some((argument) => isRequiredArgument(argument) && parameters[argument.name] === undefined))
    return undefined;
  try {
    return field.args.flatMap(({ name, type }) => {
      if (parameters[name] === undefined) return [];
      const value: unknown = coerceInputValue(parameters[name], type);
      const node = astFromValue(value, type);
      return node ? [{ kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value: node } as const] : [];
    });
  } catch {
    return undefined;
  }
}

/** All plain fields of the answer that need no arguments, or its type's name when it has none. */
function selectionOf(field: GraphQLField<unknown, unknown>): SelectionSetNode | undefined {
  const { Kind, getNamedType, isLeafType, isObjectType, isInterfaceType } = graphql();
  const type = getNamedType(field.type);
  if (isLeafType(type)) return undefined;
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const names = fields
    .filter((one) => isLeafType(getNamedType(one.type)) && one.args.length === 0)
    .map(({ name }) => name);
  return {
    kind: Kind.SELECTION_SET,
    selections: (names.length ? names : ['__typename']).map((value) => ({
      kind: Kind.FIELD,
      name: { kind: Kind.NAME, value },
    })),
  };
}
