import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { ownFiles, sharedFiles } from '../../test/shared-data.ts';
import type { ForeignCall } from '../foreign/foreign-call.ts';
import { createLanguage } from '../language/language.ts';
import type { Mutation, Parameters } from '../moot.ts';
import { createBoard } from './board.ts';
import { exportBoard, importBoard } from './import-export.ts';
import type { ForeignBoard } from './import-export.ts';

const ending = '.function_call.json';
const files = { ...ownFiles('boards', ending), ...sharedFiles('gpt-maa', ending) };

/** Functions, messages, new messages and new functions of each file, as counted in it. */
const counts: Readonly<Record<string, readonly number[]>> = {
  'gallery-1': [1, 1, 0, 1],
  'greenhouse-1': [4, 4, 1, 1],
  'robots-1': [4, 2, 0, 0],
  'ship-1': [3, 3, 0, 0],
  'a-team-1': [10, 7, 5, 10],
  'alien-1': [16, 6, 5, 16],
  'lotr-1': [23, 8, 6, 23],
  'mow-lawn-1': [8, 6, 0, 0],
  'ullysses-1': [21, 6, 5, 21],
};

const written = (file: unknown) => exportBoard(createBoard(importBoard(file))).blackboard as ForeignBoard;

/** All parameters that are objects, wrapped as the client in TypeScript does to get them past its serialiser. */
const wrapped = (board: object): unknown =>
  JSON.parse(JSON.stringify(board), (name, value: unknown) =>
    name === 'parameters' ? { additionalData: value } : value,
  );

/** Names of fields as the client in TypeScript has them; names of parameters stay as they are. */
function camelCase({ format, ...lists }: ForeignBoard): object {
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const renamed = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [camel(name), inner as unknown]));
  const all = Object.entries(lists).map(([name, list]) => [camel(name), (list as object[]).map(renamed)] as const);
  return { format, ...Object.fromEntries(all) };
}

/** The same board in each form that stored files have (seed-contracts.md B1). */
function formsOf(board: ForeignBoard): Readonly<Record<string, unknown>> {
  const file = (blackboard: unknown) => ({ blackboard, file_schema_version: '0.2' });
  const twice = (inner: unknown) => file({ format: 'function_call', blackboard: inner });
  return {
    'snake_case, once': file(board),
    'camelCase, once': file(camelCase(board)),
    'camelCase, twice': twice(camelCase(board)),
    'snake_case, additionalData': file(wrapped(board)),
    'camelCase, twice, additionalData': twice(wrapped(camelCase(board))),
    'of a request over HTTP': board,
  };
}

const text = fc.string({ unit: 'binary', maxLength: 40 });
const parameterName = fc.oneof(text, fc.constantFrom('allowed_terrain', 'additionalData', 'agent_name'));
const foreignCall: fc.Arbitrary<ForeignCall> = fc.record(
  {
    agent_name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    function_name: fc.oneof(fc.constantFrom('AddCreature', 'MowLawn'), text),
    parameters: fc.dictionary(parameterName, text, { maxKeys: 4, noNullPrototype: true }),
  },
  { noNullPrototype: true },
);
const foreignMessage: fc.Arbitrary<ForeignBoard['internal_previous_messages'][number]> = fc.record(
  { role: fc.constantFrom('user' as const, 'assistant' as const), message: text },
  { noNullPrototype: true },
);

/** As the Python program fills it: what is new stands at the end of the whole lists too, the person's words aside. */
const foreignBoard: fc.Arbitrary<ForeignBoard> = fc
  .record({
    calls: fc.array(foreignCall, { maxLength: 6 }),
    messages: fc.array(foreignMessage, { maxLength: 6 }),
    newCalls: fc.nat(6),
    newMessages: fc.nat(6),
  })
  .map(({ calls, messages, newCalls, newMessages }) => ({
    format: 'function_call',
    internal_previously_generated_functions: calls,
    internal_previous_messages: messages,
    internal_newly_generated_messages: messages.slice(newMessages).filter(({ role }) => role === 'assistant'),
    internal_newly_generated_functions: calls.slice(newCalls),
  }));

const sketches = createLanguage([
  {
    ...{ name: 'Sketch', description: '', category: 'c', risk: 'reversible', effect: true, repeatable: true },
    parameters: [
      { name: 'title', type: 'string', required: true },
      { name: 'width', type: 'integer', required: true },
      { name: 'weight', type: 'number', required: true },
      { name: 'framed', type: 'boolean', required: true },
      { name: 'colours', type: 'list', required: true, items: { type: 'string' } },
      { name: 'place', type: 'object', required: true, fields: [{ name: 'room', type: 'string', required: true }] },
    ],
  },
]);
const sketch: fc.Arbitrary<Parameters> = fc.record({
  title: fc.constantFrom('sea', '12', 'true', '["a"]', 'two\nlines'),
  width: fc.integer(),
  weight: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  framed: fc.boolean(),
  colours: fc.array(fc.constantFrom('red', 'light, blue', '"'), { minLength: 1, maxLength: 3 }),
  place: fc.record({ room: fc.constantFrom('hall', '{}') }, { noNullPrototype: true }),
});

describe('files of blackboards', () => {
  for (const [name, expected] of Object.entries(counts)) {
    const file = files[`${name}${ending}`];
    if (file === undefined) continue;
    it(`hold what is in them: ${name}, ${expected.join(' · ')} (65, 66)`, () => {
      const { format, ...lists } = written(file);
      assert.equal(format, 'function_call');
      assert.deepEqual(
        Object.values(lists).map((list: readonly unknown[]) => list.length),
        expected,
      );
      if (file.includes('internal_previous_messages'))
        assert.deepEqual({ blackboard: written(file), file_schema_version: '0.2' }, JSON.parse(file));
    });
  }

  it('are all counted here', () => {
    assert.deepEqual(
      Object.keys(files).filter((name) => !(name.slice(0, -ending.length) in counts)),
      [],
    );
  });

  it('come out in the one form in which Python reads them, whichever form they come in (65, 66)', () => {
    fc.assert(
      fc.property(foreignBoard, (board) => {
        for (const [form, file] of Object.entries(formsOf(board))) {
          assert.deepEqual(written(file), board, form);
          assert.deepEqual(written(JSON.stringify(file)), board, `${form}, as text`);
        }
      }),
      { seed: seed(), numRuns: repeats(200) },
    );
  });

  it('bring a board of ours back with its types, agents, order, and what was new (65)', () => {
    const request = fc.record({ calls: fc.array(sketch, { maxLength: 3 }), talk: fc.array(text, { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 4 }), fc.option(sketch), (requests, data) => {
        const board = createBoard();
        if (data) board.setData([{ function: 'Sketch', parameters: data }], sketches);
        requests.forEach(({ calls, talk }, at) => {
          board.beginRequest();
          board.say([{ role: 'user', text: `request ${at}` }]);
          board.say(talk.map((words) => ({ role: 'assistant', text: words })));
          board.write(calls.map((parameters, index) => mutation(`${at}.${index}`, parameters)));
        });
        const again = createBoard(importBoard(JSON.stringify(exportBoard(board)), sketches));
        const seen = (list: readonly Mutation[]) => list.map((one) => [one.agent, one.function, one.parameters]);
        assert.deepEqual(seen(again.view()), seen(board.view()));
        assert.deepEqual(seen(again.newly()), seen(board.newly()));
        assert.deepEqual(again.messages(), board.messages());
        assert.deepEqual(exportBoard(again), exportBoard(board));
      }),
      { seed: seed(), numRuns: repeats(200) },
    );
  });
});

const mutation = (id: string, parameters: Parameters): Mutation => ({
  ...{ id, agent: 'painter', function: 'Sketch', parameters, risk: 'reversible' },
});
