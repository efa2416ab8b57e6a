import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkCall } from '../language/check-call.ts';
import type { Parameters } from '../moot.ts';
import { acceptedName, callsOneOf } from './accepted-names.ts';
import { askApplicationData, readApplicationData } from './application-data.ts';
import { mutationText, readMutations } from './mutation-text.ts';
import { graphqlLanguage, languageOfSchema, readSchema } from './schema.ts';

const world = readSchema(`
  enum Terrain { MOUNTAIN MARSH }
  input CreatureInput { name: String!, terrain: Terrain!, age: Int = 1, tags: [String!] }
  type Creature { name: String!, terrain: Terrain!, age: Int, friends: [Creature!] }
  type Query { creatures(terrain: Terrain): [Creature!]!, title: String }
  type Mutation {
    "Adds a creature"
    addCreature(input: CreatureInput!): Creature
    removeAll(sure: Boolean!): Int @critical @category(name: "danger") @sentence(text: "all gone")
  }`);
const alone = readSchema('type Mutation { addPlant(name: String!): Plant } type Plant { name: String }');
const schemas = [world, alone];
const creature = 'mutation { addCreature(input: { name: "Wolf", terrain: MOUNTAIN }) { name } }';
const read = (...texts: string[]) => readMutations(texts, schemas);

describe('a GraphQL schema', () => {
  it('becomes functions: what they need, may hold, risk and are called', () => {
    const language = graphqlLanguage(schemas);
    const [add, remove] = language.functions;
    assert.deepEqual(
      language.functions.map(({ name }) => name),
      ['addCreature', 'removeAll', 'addPlant'],
    );
    assert.equal(add?.description, 'Adds a creature');
    assert.deepEqual([remove?.risk, remove?.category, remove?.sentence], ['critical', 'danger', 'all gone']);
    assert.deepEqual(add?.parameters, [
      {
        name: 'input',
        required: true,
        type: 'object',
        fields: [
          { name: 'name', required: true, type: 'string' },
          { name: 'terrain', required: true, type: 'string', allowedValues: ['MOUNTAIN', 'MARSH'] },
          { name: 'age', required: false, type: 'integer' },
          { name: 'tags', required: false, type: 'list', items: { type: 'string' } },
        ],
      },
    ]);
  });

  it('that can’t be used is refused with the line', () => {
    const fails = (text: string, words: RegExp) =>
      assert.throws(() => readSchema(text), { code: 'FOLKMOOT_LANGUAGE_INVALID', message: words });
    fails('type Mutation {\n  addPlant(name: Strong): Int\n}', /Unknown type “Strong” \(line 2\)/);
    fails('type Mutation { add(: Int }', /line 1/);
    assert.throws(() => languageOfSchema(' '), { message: /no GraphQL schema yet/ });
    assert.throws(() => languageOfSchema('type Query { a: Int }'), { message: /no mutations/ });
    fails('x'.repeat(100_001), /longer than 100000/);
  });
});

describe('mutations as text', () => {
  it('are read with their values typed and defaults filled', () => {
    assert.deepEqual(read(creature, 'mutation { addPlant(name: "Grass") { name } }'), {
      calls: [
        { function: 'addCreature', parameters: { input: { name: 'Wolf', terrain: 'MOUNTAIN', age: 1 } } },
        { function: 'addPlant', parameters: { name: 'Grass' } },
      ],
      findings: [],
    });
  });

  it('may hold several fields', () => {
    const { calls } = read('mutation Two { a: addPlant(name: "A") { name } b: addPlant(name: "B") { name } }');
    assert.deepEqual(
      calls.map(({ parameters }) => parameters['name']),
      ['A', 'B'],
    );
  });

  it('that are wrong give a finding and no call', () => {
    const wrong = (text: string, words: RegExp) => {
      const { calls, findings } = read(text);
      assert.deepEqual(calls, []);
      assert.match(findings.join(), words);
    };
    wrong('mutation { addCreature(input: { name: "Wolf", terrain: SEA }) { name } }', /SEA/);
    wrong('mutation { addCreature(input: { terrain: MARSH }) { name } }', /name.*required/);
    wrong('mutation { addCreature(input: { name: "W", terrain: MARSH }) { wings } }', /wings/);
    wrong('mutation { addCreature(input:', /Syntax Error/);
    wrong('query { title }', /holds no mutation/);
    wrong(`mutation { addPlant(name: "${'x'.repeat(9_000)}") { name } }`, /longer than/);
    wrong('mutation { ADDPLANT(name: "x") { name } }', /written as in the schema/);
  });

  it('of a name that no schema has is told as a call that does not exist', () => {
    const { calls } = read('mutation { burnAll { id } }');
    const checked = checkCall(graphqlLanguage(schemas), { function: 'burnAll', parameters: {}, ...calls[0] });
    assert.ok(!checked.ok && checked.problem === 'not allowed');
  });

  it('are cut at their cap, and it is told', () => {
    const many = Array.from({ length: 60 }, () => 'mutation { addPlant(name: "A") { name } }');
    assert.equal(read(...many).calls.length, 50);
    assert.match(read(...many).findings.join(), /10 were left out/);
  });

  it('whatever a call holds, its text is read as the same call', () => {
    const call = fc.record(
      {
        name: fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== ''),
        terrain: fc.constantFrom('MOUNTAIN', 'MARSH'),
        age: fc.integer({ min: -1000, max: 1000 }),
        tags: fc.array(fc.string(), { maxLength: 4 }),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(call, (input) => {
        const parameters = { input } as Parameters;
        const text = mutationText(schemas, { function: 'addCreature', parameters }) ?? '';
        assert.deepEqual(read(text), { calls: [{ function: 'addCreature', parameters }], findings: [] });
      }),
    );
  });

  it('whatever comes as text, nothing is thrown and nothing is both good and bad', () => {
    const pieces = fc.constantFrom(
      'mutation',
      '{',
      '}',
      '(',
      ')',
      'addPlant',
      'name:',
      '"x"',
      '$a',
      '...F',
      ' ',
      'query',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (list) => {
        const { calls, findings } = read(list.join(' '));
        return (calls.length === 0) === findings.length > 0;
      }),
    );
  });

  it('are not written for values that do not fit', () => {
    assert.equal(mutationText(schemas, { function: 'addPlant', parameters: {} }), undefined);
    assert.equal(mutationText(schemas, { function: 'noSuch', parameters: {} }), undefined);
    assert.equal(
      mutationText(schemas, { function: 'removeAll', parameters: { sure: true } })?.replace(/\s+/g, ' '),
      'mutation { removeAll(sure: true) }',
    );
  });
});

describe('application data', () => {
  const snapshot = {
    creatures: [
      { name: 'Wolf', terrain: 'MOUNTAIN', friends: [{ name: 'Owl', terrain: 'MARSH' }] },
      { name: 'Frog', terrain: 'MARSH' },
    ],
  };
  const data = (value: unknown) => readApplicationData(JSON.stringify(value), schemas);
  const refused = (value: unknown, words: RegExp) =>
    assert.throws(() => data(value), { code: 'FOLKMOOT_BAD_INPUT', message: words });

  it('that fits the schema is a snapshot', () => {
    assert.equal(data(snapshot).kind, 'snapshot');
    assert.equal(data({}).kind, 'snapshot');
  });

  it('that does not fit is refused with the path', () => {
    refused({ creatures: [{ name: 'Wolf' }] }, /creatures\.0\.terrain is missing/);
    refused({ creatures: [{ name: 'Wolf', terrain: 'SEA' }] }, /creatures\.0\.terrain is “SEA”, not of type Terrain/);
    refused(
      { creatures: [{ name: 'W', terrain: 'MARSH', age: 'old' }] },
      /creatures\.0\.age is “old”, not of type Int/,
    );
    refused({ creatures: [{ name: 'W', terrain: 'MARSH', wings: 2 }] }, /creatures\.0\.wings is no field of Creature/);
    refused({ creatures: { name: 'W' } }, /creatures is no list/);
    refused({ creatures: [null] }, /creatures\.0 is missing/);
    refused({ planets: [] }, /planets is no field of Query/);
    refused([], /the whole is no object/);
    assert.throws(() => readApplicationData('{"creatures": [}', schemas), { message: /application data is not JSON/ });
  });

  it('that nobody can check is passed on as it is', () => {
    assert.deepEqual(readApplicationData('three wolves', schemas), { kind: 'text', text: 'three wolves' });
    assert.deepEqual(readApplicationData('{"a":1}', [alone]), { kind: 'text', text: '{"a":1}' });
    assert.deepEqual(readApplicationData(' ', schemas), { kind: 'none' });
  });

  it('answers queries; arguments filter', () => {
    const found = data(snapshot);
    assert.ok(found.kind === 'snapshot');
    const ask = (query: string) => JSON.parse(askApplicationData(query, found)) as unknown;
    assert.deepEqual(ask('{ creatures(terrain: MARSH) { name } }'), { creatures: [{ name: 'Frog' }] });
    assert.deepEqual(ask('{ creatures { friends { name } } title }'), {
      creatures: [{ friends: [{ name: 'Owl' }] }, { friends: null }],
      title: null,
    });
  });

  it('refuses a query that is none of the schema', () => {
    const found = data(snapshot);
    assert.ok(found.kind === 'snapshot');
    for (const [query, words] of [
      ['{ planets }', /planets/],
      ['mutation { addCreature(input: { name: "x", terrain: MARSH }) { name } }', /no query/],
      ['{', /Syntax Error/],
    ] as const)
      assert.throws(() => askApplicationData(query, found), { code: 'FOLKMOOT_BAD_INPUT', message: words });
  });
});

describe('the filter of gpt-multi-atomic-agents', () => {
  it('takes the first mutation of each text, and only of texts that say "type Mutation {" once', () => {
    const names = [
      'type Mutation { addCreature(input: A): B  removeCreature(id: ID): B }',
      'type Mutation {\n  addVegetation (input: A): B }',
      'type Mutation { relate_2(a: Int): B }',
      'type Mutation{ hidden(a: Int): B }',
      'type Mutation { a(b: C): D } type Mutation { e(f: G): H }',
      'type Query { creatures: [B] }',
    ].map(acceptedName);
    assert.deepEqual(names, ['addCreature', 'addVegetation', 'relate_2', undefined, undefined, undefined]);
  });

  it('lets through what calls one of the names, directly or after a space', () => {
    const names = ['addCreature', 'addVegetation'];
    const calls = [
      'mutation { addCreature(input: {}) { id } }',
      'mutation { addCreature (input: {}) { id } }',
      'mutation { addVegetation(input: {}) { id } }',
      'mutation { x: addVegetation (input: {}) { id } }',
      'mutation { removeCreature(id: 1) { id } }',
      'mutation { addCreature  (input: {}) { id } }',
      'mutation { addCreature { id } }',
      'query { creatures { id } }',
    ];
    assert.equal(calls.filter((text) => callsOneOf(text, names)).length, 4);
  });
});
