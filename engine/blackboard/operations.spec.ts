import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { isFolkmootError } from '../errors.ts';
import { graphqlLanguage, readSchema } from '../graphql/schema.ts';
import { createLanguage } from '../language/language.ts';
import type { Mutation } from '../moot.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { operate, type OperationInput } from './operations.ts';
import { loadBoard } from './stored-board.ts';

const spec = { description: 'x', risk: 'reversible', effect: true, repeatable: true, parameters: [] } as const;
const language = createLanguage([
  { ...spec, name: 'SetLight', category: 'lights', parameters: [{ name: 'on', type: 'boolean', required: true }] },
  { ...spec, name: 'MowLawn', category: 'garden' },
]);
const mutation = (id: string, run?: string, name = 'MowLawn'): Mutation => ({
  id,
  ...(run ? { run } : {}),
  function: name,
  parameters: {},
  risk: 'reversible',
});

function aBoard() {
  const store = createEmbeddedStore({ path: ':memory:', clock: fakeClock() });
  const act = (operation: OperationInput['operation'], more: Partial<OperationInput> = {}) =>
    operate(store, {
      operation,
      conversation: 'c1',
      moot: { v: 1 },
      payload: undefined,
      accepts: [],
      language,
      ...more,
    });
  const write = (mutations: readonly Mutation[], run?: string) =>
    act('write', { moot: { v: 1, mutations, ...(run ? { run } : {}) } });
  return { store, act, write };
}
const ids = (mutations: readonly Mutation[]) => mutations.map(({ id }) => id);

describe('operations on a board', () => {
  it('writes commands once and gives what the run has on it, with each change', async () => {
    const { act, write } = aBoard();
    await write([mutation('a', 'r1')], 'r1');
    const second = await write([mutation('b', 'r2'), mutation('b', 'r2'), mutation('a', 'r1')], 'r2');
    assert.deepEqual(ids(second.mutations), ['b']);
    assert.deepEqual(second.changes, [
      { kind: 'mutation', revision: 2, mutation: mutation('b', 'r2'), conversation: 'c1' },
    ]);
    assert.deepEqual(ids((await act('read')).mutations), ['a', 'b']);
  });
  it('lets words go on when a run brings no commands', async () => {
    const { act } = aBoard();
    const asked = await act('write', { moot: { v: 1, run: 'r1', mutations: [] }, payload: 'Which room?' });
    assert.deepEqual([asked.payload, asked.mutations], ['Which room?', []]);
  });
  it('tells new from previous by the run', async () => {
    const { store, write } = aBoard();
    await write([mutation('a', 'r1')], 'r1');
    await write([mutation('b', 'r2')], 'r2');
    await write([mutation('c', 'r2')], 'r2');
    const { board } = await loadBoard(store, 'c1');
    assert.deepEqual([ids(board.previously()), ids(board.newly())], [['a'], ['b', 'c']]);
  });
  it('takes data of other programs as commands without run, typed where the language knows them', async () => {
    const { act } = aBoard();
    const { mutations } = await act('write', { payload: { function: 'SetLight', parameters: { on: 'true' } } });
    assert.deepEqual(
      mutations.map(({ parameters, run }) => [parameters, run]),
      [[{ on: true }, undefined]],
    );
  });
  it('reads only what is accepted, by name and by category', async () => {
    const { act, write } = aBoard();
    await write([mutation('a'), mutation('b', undefined, 'SetLight'), mutation('c', undefined, 'Foreign')]);
    const read = async (...accepts: string[]) => ids((await act('read', { accepts })).mutations);
    assert.deepEqual(await read('category:garden'), ['a']);
    assert.deepEqual(await read('SetLight', 'Foreign'), ['b', 'c']);
    assert.deepEqual(await read('category:pool'), []);
  });
  it('exports as text, clears, and imports the text back', async () => {
    const { act, write } = aBoard();
    await write([mutation('a', 'r1'), mutation('b', 'r1', 'SetLight')], 'r1');
    const { payload } = await act('export');
    assert.equal(typeof payload, 'string');
    const cleared = await act('clear');
    assert.deepEqual([cleared.payload, cleared.changes.map(({ kind }) => kind)], [[], ['cleared']]);
    assert.deepEqual((await act('read')).mutations, []);
    const imported = await act('import', { payload });
    assert.deepEqual(
      imported.mutations.map((one) => one.function),
      ['MowLawn', 'SetLight'],
    );
    assert.deepEqual(
      imported.changes.map(({ kind, revision }) => [kind, revision]),
      [['data', 4]],
    );
    await act('import', { payload: Buffer.from(String(payload)), conversation: 'c2' });
    assert.equal((await act('read', { conversation: 'c2' })).mutations.length, 2);
  });
  it('keeps what does not fit the language, and notes how much that is and why', async () => {
    const { act } = aBoard();
    const calls = [
      { function_name: 'SetLight', parameters: { on: 'true' } },
      { function_name: 'SetLight', parameters: { on: '<UNKNOWN>' } },
      { function_name: 'AddPump', parameters: {} },
    ];
    const payload = { blackboard: { internal_previously_generated_functions: calls } };
    const { mutations, note } = await act('import', { payload });
    assert.deepEqual(
      mutations.map(({ parameters }) => parameters),
      [{ on: true }, { on: '<UNKNOWN>' }, {}],
    );
    assert.match(note ?? '', /^2 of 3 commands .* The first: .*SetLight.*<UNKNOWN>/);
    assert.match((await act('data', { payload: [{ function: 'AddPump' }] })).note ?? '', /^1 of 1 .*AddPump/);
    const unknown = createLanguage([]);
    assert.equal((await act('import', { payload, language: unknown })).note, undefined);
    const [good] = calls;
    const fine = { blackboard: { internal_previously_generated_functions: [good] } };
    assert.equal((await act('import', { payload: fine })).note, undefined);
  });

  it('sets application data in place of all commands: calls of a program, or a text', async () => {
    const { act, write } = aBoard();
    await write([mutation('a', 'r1')], 'r1');
    const calls = await act('data', { payload: [{ function: 'SetLight', parameters: { on: 'true' } }] });
    assert.deepEqual(
      calls.mutations.map((one) => [one.function, one.parameters, one.run]),
      [['SetLight', { on: true }, undefined]],
    );
    const text = await act('data', { payload: Buffer.from('three wolves') });
    assert.deepEqual([text.payload, text.data, text.mutations], ['three wolves', 'three wolves', []]);
    assert.deepEqual(
      text.changes.map(({ kind, revision }) => [kind, revision]),
      [['data', 3]],
    );
    const read = await act('read');
    assert.deepEqual([read.data, read.mutations], ['three wolves', []]);
    assert.equal((await act('clear')).data, undefined);
    assert.equal((await act('read')).data, undefined);
  });
  it('checks application data by the schema, refuses it with the path, and changes nothing then', async () => {
    const { act } = aBoard();
    const schema =
      'type Pump { depth: Int! } type Query { pumps: [Pump!]! } type Mutation { addPump(depth: Int): Pump }';
    const how = { language: graphqlLanguage([readSchema(schema)]) };
    const good = { pumps: [{ depth: 2 }] };
    assert.equal((await act('data', { ...how, payload: good })).data, JSON.stringify(good));
    const refused = (payload: unknown, message: RegExp) =>
      assert.rejects(act('data', { ...how, payload }), { code: 'FOLKMOOT_BAD_INPUT', message });
    await refused({ pumps: [{ depth: 'deep' }] }, /pumps\.0\.depth is “deep”, not of type Int/);
    await refused('x'.repeat(200_001), /200001 characters; 200000 are the most/);
    assert.equal((await act('read', how)).data, JSON.stringify(good));
    const { payload } = await act('export', how);
    await act('clear');
    assert.equal((await act('import', { ...how, payload })).data, JSON.stringify(good));
  });
  it('refuses what it cannot read, and changes nothing', async () => {
    const { act, write } = aBoard();
    await write([mutation('a')]);
    const bad = [undefined, 'text', [{ function: 5 }], [{ function: 'A', parameters: [] }], [null]];
    for (const payload of bad)
      await assert.rejects(act('write', { payload }), (error) => isFolkmootError(error, 'FOLKMOOT_BAD_INPUT'));
    for (const payload of ['{', 5, undefined])
      await assert.rejects(act('import', { payload }), (error) => isFolkmootError(error, 'FOLKMOOT_BAD_INPUT'));
    assert.deepEqual(ids((await act('read')).mutations), ['a']);
  });
  it('keeps boards of conversations apart, also when several write at once', async () => {
    const { act } = aBoard();
    await Promise.all(
      ['x', 'y'].flatMap((conversation) =>
        [1, 2, 3].map((n) =>
          act('write', { conversation, moot: { v: 1, mutations: [mutation(`${conversation}${n}`)] } }),
        ),
      ),
    );
    assert.deepEqual(ids((await act('read', { conversation: 'x' })).mutations).sort(), ['x1', 'x2', 'x3']);
  });
});
