import assert from 'node:assert/strict';
import { aHouse, aLedger, call, language, light, states } from '../../test/red/apply-house.ts';
import type { Mutation } from '../moot.ts';
import { freshStart } from './fresh-start.ts';
import { checkedRows } from './rows.ts';

const rows = checkedRows([{ kind: 'category', target: 'lights' }, { kind: 'else' }]);
const board = [light('a'), call('b', 'TakeWaste'), call('c', 'ProduceCutGrass')];
const again = (message: string, more: object = {}, all: readonly Mutation[] = board) =>
  freshStart({ message, board: all, moot: {}, language, rows, ...more });

describe('a fresh start', () => {
  it('runs what is on the board once more for each message that asks for it, and never twice for one', async () => {
    const house = aHouse();
    await house.report(board);
    house.sent.length = 0;
    for (const message of ['first', 'first', 'second', 'first']) await house.report([...again(message)]);
    const each = ['0 SetLight {"room":"kitchen","brightness":40}', '1 TakeWaste {}'];
    assert.deepEqual(house.sent, [...each, ...each]);
    // What was done before stays done.
    await house.report(board);
    assert.equal(house.sent.length, 4);
  });

  it('counts for people what was done again, and names what is not meant to be done twice', async () => {
    const { payload, lines } = await aHouse().report([...again('m')]);
    const text = '2 things from before were done again.\nNot meant to be done twice, and done again: Waste taken away.';
    assert.equal(payload, text);
    assert.deepEqual(
      lines.map(({ again: of, state }) => [of, state]),
      [
        ['a', 'applied'],
        ['b', 'applied'],
        ['c', 'board only'],
      ],
    );
    const one = await aHouse().report([...again('m', {}, [light('a')])]);
    assert.equal(one.payload, 'One thing from before was done again.');
  });

  it('does nothing critical again, whatever its row says, and names it; what is new runs as the row says', async () => {
    const doors = [{ kind: 'else', runWithoutAsking: true }];
    const house = aHouse({ rows: doors });
    const board = [call('a', 'OpenDoor'), light('b')];
    const fresh = { ...call('new', 'OpenDoor'), run: 'r9' };
    const { lines, payload } = await house.report([...again('m', { moot: { run: 'r9', mutations: [fresh] } }, board)]);
    assert.deepEqual(
      lines.map(({ function: name, state, reason }) => [name, state, reason]),
      [
        ['OpenDoor', 'refused', 'It is done only when somebody asks for it.'],
        ['SetLight', 'applied', undefined],
        ['OpenDoor', 'applied', undefined],
      ],
    );
    assert.deepEqual(
      house.sent.map((line) => line.split(' ')[1]),
      ['SetLight', 'OpenDoor'],
    );
    assert.equal(
      payload,
      'One thing from before was done again.\nNot done: Door open. It is done only when somebody asks for it.\nDoor open.',
    );
  });

  it('after a crash sends again only what may be repeated, and says what nobody knows', async () => {
    const first = aHouse();
    first.onSend.call = (_row, { function: name }) => {
      if (name === 'TakeWaste') first.ledger.effects.mark = () => new Promise(() => undefined);
    };
    const mutations = [...again('m', {}, [...board, light('d', 'hall')])];
    first.take(mutations).catch(() => undefined);
    await first.clock.advance(0);
    assert.equal(first.sent.length, 2);
    const ledger = aLedger();
    for (const [key, value] of first.ledger.known) ledger.known.set(key, value);
    // Nobody knows of the waste whether it was taken: it was sent, and that was written down.
    const waste = mutations.find(({ function: name }) => name === 'TakeWaste');
    ledger.known.set(waste?.id ?? '', { state: 'sent' });
    const second = aHouse({ store: first.store, ledger });
    const done = second.apply.resume((report) => second.resumed.push(report));
    await second.clock.advance(1000);
    await done;
    assert.deepEqual(second.sent, [
      '0 SetLight {"room":"kitchen","brightness":40}',
      '0 SetLight {"room":"hall","brightness":40}',
    ]);
    assert.deepEqual(second.resumed.map(states), [['applied', 'unknown', 'board only', 'applied']]);
    // The same message, should it come once more, is over.
    await second.report(mutations);
    assert.equal(second.sent.length, 2);
  });

  it('puts the new commands of a run behind the earlier ones, with the ids that they have', () => {
    const fresh = { ...light('new', 'hall'), run: 'r9' };
    const all = again('m', { moot: { run: 'r9', mutations: [fresh] } }, [...board, fresh]);
    assert.deepEqual(
      all.map(({ again: of }) => of),
      ['a', 'b', 'c', undefined],
    );
    assert.deepEqual(all.at(-1), fresh);
  });

  it('takes a list that was read from a board for what it is, and never repeats a repetition', () => {
    const first = again('m', { moot: { mutations: board } }, []);
    assert.deepEqual(
      first.map(({ again: of }) => of),
      ['a', 'b', 'c'],
    );
    assert.equal(new Set([...first, ...again('n')].map(({ id }) => id)).size, 6);
    assert.deepEqual(again('m', {}, [...first]), []);
  });

  it('leaves to others what has no row here, and keeps what is gone from the language to say so', () => {
    const only = checkedRows([{ kind: 'function', target: 'SetLight' }]);
    const names = again('m', { rows: only }, [...board, call('x', 'EraseDisk')]).map(({ function: name }) => name);
    assert.deepEqual(names, ['SetLight', 'ProduceCutGrass', 'EraseDisk']);
  });
});
