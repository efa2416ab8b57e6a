import assert from 'node:assert/strict';
import { partOfSchemas } from './part-of-schema.ts';
import { graphqlLanguage, readSchema, schemasOf } from './schema.ts';

const app = `
  enum Kind { TEXT NUMBER }
  interface Named { name: String! }
  input FieldInput { name: String!, kind: Kind = TEXT }
  input FormInput { page: String!, fields: [FieldInput!]! }
  input ColourInput { red: Int, hue: Hue }
  enum Hue { WARM COLD }
  type Page implements Named { name: String!, colour: Int }
  type Query { pages: [Named!]! }
  type Mutation {
    addPage(name: String!): Page
    "Adds a form"
    addForm(input: FormInput!): Page
    paint(input: ColourInput!): Int
  }`;
const partOf = (...names: string[]) =>
  partOfSchemas(graphqlLanguage([readSchema(app)]).graphql ?? { schemas: [] }, names);

describe('the part of a schema that an agent is shown', () => {
  it('has its mutations with all that they need, and the queries', () => {
    const [text = ''] = partOf('addForm').schemas;
    for (const word of ['"Adds a form"', 'addForm(', 'FormInput', 'FieldInput', 'enum Kind', 'type Query', 'type Page'])
      assert.ok(text.replaceAll('"""', '"').includes(word), `${word} is not in ${text}`);
    for (const word of ['addPage', 'paint', 'ColourInput', 'Hue']) assert.ok(!text.includes(word), `${word} is in it`);
    const [schema] = schemasOf(partOf('addForm'));
    assert.deepEqual(
      schema?.functions.map(({ name }) => name),
      ['addForm'],
    );
    assert.equal(schema?.hasData, true);
  });

  it('is read once for each set of mutations, in whatever order', () => {
    const language = { schemas: [app] };
    assert.equal(partOfSchemas(language, ['addPage', 'paint']), partOfSchemas(language, ['paint', 'addPage']));
    assert.notEqual(partOfSchemas(language, ['paint']), partOfSchemas(language, ['addPage']));
  });

  it('is the whole where the roots have names of their own, and nothing where there is nothing of it', () => {
    const own = 'schema { query: Q mutation: M } type Q { a: Int } type M { b: Int, c: Int }';
    const later = `${app} extend type Mutation { clear: Int }`;
    const none = 'type Mutation { other: Int }';
    assert.deepEqual(partOfSchemas({ schemas: [own, later, none] }, ['addPage']).schemas, [own, later]);
  });
});
