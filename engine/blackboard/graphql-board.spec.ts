import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { ownFiles, sharedFiles } from '../../test/shared-data.ts';
import { graphqlLanguage, readSchema } from '../graphql/schema.ts';
import { isFolkmootError } from '../errors.ts';
import { createBoard } from './board.ts';
import { exportBoard, importBoard } from './import-export.ts';

const language = graphqlLanguage([
  readSchema(`
    enum Kind { EATS FEEDS }
    input PumpInput { name: String!, depth: Int = 2, kind: Kind }
    type Pump { id: ID }
    type Mutation { addPump(input: PumpInput!): Pump  drain(pool: ID!): Int @critical }`),
]);
const addPump = 'mutation { addPump(input: {name: "P1", kind: EATS}) { id } }';
const file = (calls: readonly unknown[], more: object = {}) => ({
  blackboard: {
    format: 'graphql',
    internal_previously_generated_mutation_calls: calls,
    internal_previous_messages: [
      { role: 'user', message: 'add a pump' },
      { role: 'assistant', message: 'A pump.' },
    ],
    internal_newly_generated_messages: [{ role: 'assistant', message: 'A pump.' }],
    internal_user_data: '{"pumps": []}',
    ...more,
  },
  file_schema_version: '0.2',
});
const imported = (calls: readonly unknown[], more: object = {}, known?: typeof language) =>
  createBoard(importBoard(file(calls, more), known));
const callsOf = (board: ReturnType<typeof createBoard>) =>
  board.view().map((one) => [one.function, one.parameters, one.risk]);

describe('a blackboard file of a team that works with GraphQL', () => {
  it('comes out as it went in, its texts letter for letter', () => {
    assert.deepEqual(exportBoard(imported([addPump], {}, language)), file([addPump]));
    assert.deepEqual(exportBoard(imported([])), file([]));
  });

  it('has mutations with typed values where the schemas know them, and as they stand where not', () => {
    const strange = 'mutation { addPump(input: {name: "P2", kind: RIDES, size: [1, 2.5, null]}, x: $y) { id } }';
    const board = imported([addPump, strange, 'mutation { drain(pool: 7) }', 'mutation { lift }'], {}, language);
    assert.deepEqual(callsOf(board), [
      ['addPump', { input: { name: 'P1', kind: 'EATS', depth: 2 } }, 'reversible'],
      ['addPump', { input: { name: 'P2', kind: 'RIDES', size: [1, 2.5] } }, 'reversible'],
      ['drain', { pool: '7' }, 'critical'],
      ['lift', {}, 'reversible'],
    ]);
    assert.deepEqual([board.data, board.messages().length, board.newMessages().length], ['{"pumps": []}', 2, 1]);
  });

  it('keeps texts that nobody can read, and takes one with several mutations apart', () => {
    const texts = ['mutation { addPump(input: ', 'not GraphQL', 'mutation { a: drain(pool: 1) b: drain(pool: 2) }'];
    const board = imported(texts, {}, language);
    assert.deepEqual(
      callsOf(board).map(([name]) => name),
      ['addPump', 'unreadable', 'drain', 'drain'],
    );
    const { blackboard } = exportBoard(board);
    assert.ok(blackboard.format === 'graphql');
    assert.deepEqual(
      blackboard.internal_previously_generated_mutation_calls.map((text) => text.replace(/\s+/g, ' ')),
      [...texts.slice(0, 2), 'mutation { a: drain(pool: 1) }', 'mutation { b: drain(pool: 2) }'],
    );
  });

  it('is read in camelCase and nested twice, too', () => {
    const text = JSON.stringify(file([addPump]).blackboard).replace(
      /"(internal[a-z_]+)":/g,
      (_, name: string) => `"${name.replace(/_([a-z])/g, (__, letter: string) => letter.toUpperCase())}":`,
    );
    const board = JSON.parse(text) as object;
    for (const one of [board, { blackboard: board }, { blackboard: { format: 'graphql', blackboard: board } }])
      assert.deepEqual(exportBoard(createBoard(importBoard(one))), file([addPump]));
  });

  it('that is wrong is refused in words', () => {
    const wrong: [readonly unknown[], object, RegExp][] = [
      [[5], {}, /no text/],
      [['x'.repeat(9_000)], {}, /no text of at most 8000/],
      [[addPump], { internal_user_data: { pumps: [] } }, /data is no text/],
      [[addPump], { internal_previously_generated_mutation_calls: 'x' }, /not a list/],
      [Array(1_001).fill(addPump), {}, /more than 1000 mutations/],
    ];
    for (const [calls, more, words] of wrong)
      assert.throws(
        () => imported(calls, more),
        (error: unknown) => isFolkmootError(error, 'FOLKMOOT_BAD_INPUT') && words.test(error.message),
      );
  });

  it('is written for a board that holds data or a mutation with a text, and only for such a one', () => {
    const board = createBoard();
    const made = { id: 'a', function: 'MowLawn', parameters: { area: 'back', tags: ['x'], deep: { a: 1 } } };
    board.write([{ ...made, risk: 'reversible' }]);
    assert.equal(exportBoard(board).blackboard.format, 'function_call');
    board.write([{ ...made, id: 'b', risk: 'reversible', graphql: addPump }]);
    const { blackboard } = exportBoard(board);
    assert.ok(blackboard.format === 'graphql');
    const [plain = '', text] = blackboard.internal_previously_generated_mutation_calls;
    assert.equal(text, addPump);
    assert.equal(plain.replace(/\s+/g, ' '), 'mutation { MowLawn(area: "back", tags: ["x"], deep: {a: 1}) }');
    const other = createBoard();
    other.setText('');
    assert.equal(exportBoard(other).blackboard.format, 'graphql');
  });

  it('loses its mutations and what was new when data is set, and all when it is cleared', () => {
    const board = imported([addPump]);
    board.setText('{"pumps": [1]}');
    assert.deepEqual([board.data, board.view(), board.newMessages()], ['{"pumps": [1]}', [], []]);
    assert.equal(board.messages().length, 2);
    assert.equal(createBoard(board.state()).data, '{"pumps": [1]}');
    board.clear();
    assert.deepEqual([board.data, board.messages()], [undefined, []]);
    assert.equal(exportBoard(board).blackboard.format, 'function_call');
  });

  it('whatever it holds, it comes out as it went in', () => {
    const message = fc.record(
      { role: fc.constantFrom('user', 'assistant'), message: fc.string() },
      { noNullPrototype: true },
    );
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean());
    const call = fc
      .tuple(fc.constantFrom('addPump', 'drain', 'lift'), fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), value))
      .map(([name, args]) => {
        const list = Object.entries(args).map(([key, one]) => `${key}: ${JSON.stringify(one)}`);
        return `mutation {\n  ${name}${list.length ? `(${list.join(', ')})` : ''} { id }\n}`;
      });
    const boards = fc.record({
      calls: fc.array(fc.oneof(call, fc.string()), { maxLength: 6 }),
      messages: fc.array(message, { maxLength: 6 }),
      since: fc.nat(6),
      data: fc.string(),
    });
    fc.assert(
      fc.property(boards, ({ calls, messages, since, data }) => {
        const given = file(calls, {
          internal_previous_messages: messages,
          internal_newly_generated_messages: messages.slice(since).filter(({ role }) => role === 'assistant'),
          internal_user_data: data,
        });
        assert.deepEqual(exportBoard(createBoard(importBoard(JSON.stringify(given), language))), given);
      }),
      { seed: seed(), numRuns: repeats(500) },
    );
  });

  it('of the other programs loads with its exact counts, and comes out as it went in', () => {
    const files = { ...ownFiles('boards', '.graphql.json'), ...sharedFiles('gpt-maa', '.graphql.json') };
    const counts = { 'star-wars-1': [23, 8, 6], 'aquarium-1': [3, 4, 2] };
    for (const [name, text] of Object.entries(files)) {
      const { blackboard, ...rest } = exportBoard(createBoard(importBoard(text)));
      assert.deepEqual({ blackboard, ...rest }, JSON.parse(text), name);
      assert.ok(blackboard.format === 'graphql');
      const { internal_previously_generated_mutation_calls: calls } = blackboard;
      const { internal_previous_messages: messages, internal_newly_generated_messages: fresh } = blackboard;
      const expected = counts[name.replace('.graphql.json', '') as keyof typeof counts];
      if (expected) assert.deepEqual([calls.length, messages.length, fresh.length], expected, name);
    }
  });
});
