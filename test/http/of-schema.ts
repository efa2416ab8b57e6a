/** Values of a JSON Schema as OpenAPI files hold it, for property tests. */
import fc from 'fast-check';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly nullable?: boolean;
}

/** Names that code may stumble over. */
const names = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'end', 'chat', '', '\u0000', 'ä', '💡'),
);
const words = fc.oneof(
  { arbitrary: fc.string({ maxLength: 20 }), weight: 3 },
  { arbitrary: fc.string({ maxLength: 20, unit: 'binary' }), weight: 1 },
  {
    arbitrary: fc.constantFrom(
      '',
      'proceed',
      ' proceed ',
      'clean the deep end',
      'hello',
      'weather',
      'Pool Keeper',
      'x'.repeat(9_000),
    ),
    weight: 3,
  },
);
const extra = fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 });

/** @param schemas By name, for `$ref`. */
export function ofSchema(schema: Schema, schemas: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  const of = (inner: Schema) => ofSchema(inner, schemas);
  if (schema.$ref) return of(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(of));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      return words;
    case 'array':
      return fc.array(of(schema.items ?? {}), { maxLength: 3 });
    case 'object':
      return ofObject(schema, of);
    default:
      // `{ nullable: true }` alone is how these files write null.
      return fc.constant(null);
  }
}

function ofObject(schema: Schema, of: (inner: Schema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const known = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, of(inner)]));
  const value = fc.record(known, { requiredKeys: [...required] as never[] });
  if (typeof additionalProperties === 'object')
    return fc.tuple(value, fc.dictionary(names, of(additionalProperties), { maxKeys: 3 })).map(joined);
  if (additionalProperties === false) return value;
  return fc.tuple(extra, value).map(joined);
}

const joined = ([first, second]: readonly [object, object]): object => ({ ...first, ...second });
