import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { sampleLanguage } from '../../test/language/agents.ts';
import { isFolkmootError } from '../errors.ts';
import { mutationId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Mutation } from '../moot.ts';
import { createBoard, emptyBoard } from './board.ts';
import type { BoardChange } from './board.ts';

const made = (name: string, area: string, run = 'r1', index = 0): Mutation => ({
  id: mutationId(run, 's1', name, { area }, index),
  run,
  step: 's1',
  agent: 'lawn-mower',
  function: name,
  parameters: { area },
  risk: 'reversible',
});
const mow = made('MowLawn', 'back');
const grass = made('ProduceCutGrass', 'back');

describe('a blackboard', () => {
  it('keeps mutations in order, each id once', () => {
    const board = createBoard();
    assert.equal(board.write([mow, grass]).length, 2);
    assert.deepEqual(board.write([grass, mow]), []);
    assert.deepEqual(board.view(), [mow, grass]);
    assert.equal(board.revision, 2);
  });

  it('shows each agent only what it accepts', () => {
    const board = createBoard();
    board.write([mow, grass, made('ProduceCutGrass', 'front', 'r2')]);
    assert.deepEqual(board.view({ accepts: sampleLanguage.resolve(['category:lawn-waste']) }).length, 2);
    assert.deepEqual(board.view({ accepts: ['ProduceCutGrass'], run: 'r1' }), [grass]);
    assert.deepEqual(board.view({ accepts: [] }), []);
    assert.equal(board.view({ most: 1 })[0]?.run, 'r2');
  });

  it('shows exactly what is accepted, in order, of whatever is on it', () => {
    const names = ['MowLawn', 'ProduceCutGrass', 'CollectWaste', 'mowlawn'];
    const entries = fc.array(fc.record({ name: fc.constantFrom(...names), run: fc.constantFrom('r1', 'r2') }));
    fc.assert(
      fc.property(entries, fc.subarray(names), fc.option(fc.nat(8), { nil: undefined }), (list, accepts, most) => {
        const board = createBoard();
        const all = board.write(list.map(({ name, run }, index) => made(name, 'back', run, index)));
        assert.equal(all.length, list.length);
        const accepted = all.filter((one) => accepts.includes(one.function));
        assert.deepEqual(board.view({ accepts }), accepted);
        assert.deepEqual(
          board.view({ accepts, run: 'r1' }),
          accepted.filter(({ run }) => run === 'r1'),
        );
        if (most) assert.deepEqual(board.view({ accepts, most }), accepted.slice(-most));
        const [seen, others] = [board.view({ accepts }), names.filter((name) => !accepts.includes(name))];
        assert.equal(seen.length + board.view({ accepts: others }).length, all.length);
      }),
      { seed: seed(), numRuns: repeats(1_000) },
    );
  });

  it('tells new from previous; a request makes all previous', () => {
    const board = createBoard();
    board.say([{ role: 'user', text: 'mow' }]);
    board.write([mow]);
    assert.deepEqual([board.newly(), board.previously(), board.newMessages().length], [[mow], [], 1]);
    board.beginRequest();
    board.write([grass]);
    assert.deepEqual([board.newly(), board.previously(), board.newMessages().length], [[grass], [mow], 0]);
    assert.equal(board.messages().length, 1);
  });

  it('takes application data as mutations without run and agent; messages stay', () => {
    const board = createBoard();
    board.say([{ role: 'user', text: 'hello' }]);
    board.write([mow]);
    const foreign = { function: 'AddCreature', parameters: { age: '55', tags: ['a'], none: null } };
    const data = board.setData([{ function: 'MowLawn', parameters: { area: 'Front' } }, foreign], sampleLanguage);
    assert.deepEqual(
      data.map((one) => [one.function, one.parameters, one.run, one.agent]),
      [
        ['MowLawn', { area: 'front' }, undefined, undefined],
        ['AddCreature', { age: '55', tags: '["a"]' }, undefined, undefined],
      ],
    );
    assert.deepEqual(board.newly(), []);
    assert.equal(board.messages().length, 1);
    board.clear();
    assert.deepEqual([board.view(), board.messages()], [[], []]);
  });

  it('gives and takes copies', () => {
    const own = structuredClone(mow) as { parameters: { area: string } } & Mutation;
    const board = createBoard();
    const [written] = board.write([own]);
    own.parameters.area = 'changed';
    for (const copy of [written, board.view()[0], board.state().mutations[0]])
      (copy?.parameters as { area: string }).area = 'changed too';
    assert.deepEqual(board.view(), [mow]);
    const state = board.state();
    createBoard(state).write([grass]);
    assert.deepEqual(board.view(), [mow]);
  });

  it('tells watchers of changes, filtered, until they end or throw', () => {
    const board = createBoard();
    const all: BoardChange[] = [];
    const some: BoardChange[] = [];
    const end = board.watch((change) => all.push(change));
    board.watch((change) => some.push(change), ['ProduceCutGrass']);
    let thrown = 0;
    board.watch(() => {
      thrown += 1;
      throw new Error('broken');
    });
    board.write([mow, grass]);
    board.say([{ role: 'assistant', text: 'done' }]);
    end();
    board.clear();
    assert.deepEqual(
      all.map(({ kind, revision }) => [kind, revision]),
      [
        ['mutation', 1],
        ['mutation', 2],
        ['message', 3],
      ],
    );
    assert.deepEqual(
      some.map(({ kind }) => kind),
      ['mutation', 'message', 'cleared'],
    );
    assert.equal(thrown, 1);
  });

  it('has caps: the oldest fall off and are counted', () => {
    const board = createBoard();
    const many = Array.from({ length: limits.boardMutations + 5 }, (_, n) => made('MowLawn', 'back', 'r1', n));
    board.write(many);
    board.say(Array.from({ length: limits.boardMessages + 2 }, () => ({ role: 'user' as const, text: 'x' })));
    assert.equal(board.view().length, limits.boardMutations);
    assert.equal(board.newly().length, limits.boardMutations);
    assert.equal(board.view().at(-1)?.id, many.at(-1)?.id);
    assert.equal(board.dropped, 7);
    for (let count = 0; count < limits.boardWatchers; count += 1) board.watch(() => undefined);
    assert.throws(
      () => board.watch(() => undefined),
      (error) => isFolkmootError(error, 'FOLKMOOT_LIMIT'),
    );
  });

  it('is the same after its state went through JSON', () => {
    const step = fc.oneof(
      fc.record({ write: fc.array(fc.nat(20), { maxLength: 4 }) }),
      fc.record({ say: fc.string() }),
      fc.constant({ begin: true }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const board = createBoard(emptyBoard);
        for (const one of steps) {
          if ('write' in one) board.write(one.write.map((n) => made('MowLawn', 'back', 'r1', n)));
          else if ('say' in one) board.say([{ role: 'user', text: one.say }]);
          else board.beginRequest();
        }
        const again = createBoard(JSON.parse(JSON.stringify(board.state())) as typeof emptyBoard);
        assert.deepEqual(again.state(), board.state());
        assert.deepEqual([again.newly(), again.previously()], [board.newly(), board.previously()]);
      }),
      { seed: seed(), numRuns: repeats(1_000) },
    );
  });
});
