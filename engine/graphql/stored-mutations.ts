/** Mutations of a board file: texts of any schema, also of none that is known here. */
import type { ConstValueNode, DocumentNode, FieldNode, ValueNode } from 'graphql';
import { dataId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Mutation, Parameters, Risk, Value } from '../moot.ts';
import { graphql } from './graphql.ts';
import { checkedField, documentOf, fieldsOf } from './mutation-text.ts';
import { schemaOf } from './schema.ts';
import type { ReadSchema } from './schema.ts';

/**
 * One for each text, as application data; of a text with several fields, one for each of these. What fits a schema has
 * typed values and its risk. The rest has the values as they stand there, and nothing can act by it.
 */
export function storedMutations(texts: readonly string[], schemas: readonly ReadSchema[]): Mutation[] {
  const calls = texts.flatMap((text) => callsOf(text, schemas));
  return calls.map((call, index) => ({ id: dataId(call.function, call.parameters, index), ...call }));
}

type StoredCall = Omit<Mutation, 'id'>;

function callsOf(text: string, schemas: readonly ReadSchema[]): StoredCall[] {
  const document = parsed(text);
  const fields = document ? fieldsOf(document) : [];
  if (!document || !fields.length)
    return [{ function: nameIn(text), parameters: {}, risk: 'reversible', graphql: text }];
  return fields.map((field) => {
    const alone = fields.length === 1 ? text : graphql().print(documentOf(document, field));
    return { ...callOf(field, document, schemas), graphql: alone };
  });
}

function parsed(text: string): DocumentNode | undefined {
  try {
    return graphql().parse(text, { maxTokens: limits.graphqlTokens });
  } catch {
    return undefined;
  }
}

function callOf(field: FieldNode, document: DocumentNode, schemas: readonly ReadSchema[]) {
  const name = field.name.value;
  const read = schemaOf(schemas, name);
  const risk: Risk = read?.functions.find((spec) => spec.name === name)?.risk ?? 'reversible';
  const checked = read ? checkedField(field, document, read) : '';
  return { function: name, parameters: typeof checked === 'string' ? untyped(field) : checked, risk };
}

/** Variables have no value in a file, and null says nothing: both are left out. */
function untyped(field: FieldNode): Parameters {
  const values = (field.arguments ?? []).map(({ name, value }) => [name.value, valueOf(value)] as const);
  return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function valueOf(node: ValueNode): Value | undefined {
  const { Kind } = graphql();
  switch (node.kind) {
    case Kind.NULL:
    case Kind.VARIABLE:
      return undefined;
    case Kind.LIST:
      return node.values.flatMap((one) => valueOf(one) ?? []);
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.flatMap(({ name, value }) => {
          const read = valueOf(value);
          return read === undefined ? [] : [[name.value, read]];
        }),
      );
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    default:
      return node.value;
  }
}

/** The name that an unreadable text begins with. */
const nameIn = (text: string): string => /[{\s]([A-Za-z_]\w*)\s*\(/.exec(text)?.[1] ?? 'unreadable';

/** The text of a mutation for a file; a call without one is written with its values as they are. */
export function storedText({ graphql: text, function: name, parameters }: Mutation): string {
  if (text !== undefined) return text;
  const { Kind, OperationTypeNode, print } = graphql();
  const named = (value: string) => ({ kind: Kind.NAME, value }) as const;
  const args = Object.entries(parameters).map(
    ([key, value]) => ({ kind: Kind.ARGUMENT, name: named(key), value: nodeOf(value) }) as const,
  );
  return print({
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.MUTATION,
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [{ kind: Kind.FIELD, name: named(name), arguments: args }],
    },
  });
}

function nodeOf(value: Value): ConstValueNode {
  const { Kind } = graphql();
  if (Array.isArray(value)) return { kind: Kind.LIST, values: (value as readonly Value[]).map(nodeOf) };
  if (typeof value === 'object')
    return {
      kind: Kind.OBJECT,
      fields: Object.entries(value as Parameters).map(([name, one]) => ({
        kind: Kind.OBJECT_FIELD,
        name: { kind: Kind.NAME, value: name },
        value: nodeOf(one),
      })),
    };
  if (typeof value === 'boolean') return { kind: Kind.BOOLEAN, value };
  if (typeof value === 'number') return { kind: Number.isInteger(value) ? Kind.INT : Kind.FLOAT, value: String(value) };
  return { kind: Kind.STRING, value: String(value) };
}
