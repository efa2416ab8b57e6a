import assert from 'node:assert/strict';
import { isFolkmootError } from '../errors.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { Store } from '../store/store.ts';
import { createBoard } from './board.ts';
import { boardKey, loadBoard, saveBoard, updateBoard } from './stored-board.ts';

describe('a board in the store', () => {
  let store: Store;
  beforeEach(() => {
    store = createEmbeddedStore({ path: ':memory:' });
  });
  afterEach(() => store.close());

  it('is loaded as it was saved; a conversation without one has an empty one', async () => {
    const first = await loadBoard(store, 'talk');
    assert.deepEqual([first.board.view(), first.expected], [[], 'absent']);
    first.board.setData([{ function: 'MowLawn', parameters: { area: 'back' } }]);
    await saveBoard(store, 'talk', first.board, first.expected);
    const second = await loadBoard(store, 'talk');
    assert.deepEqual(second.board.state(), first.board.state());
    assert.deepEqual((await loadBoard(store, 'other')).board.view(), []);
  });

  it('is not overwritten by who read an older one; an update is done again', async () => {
    const { board } = await loadBoard(store, 'talk');
    await saveBoard(store, 'talk', createBoard(), 'absent');
    await assert.rejects(saveBoard(store, 'talk', board, 'absent'), (error) =>
      isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT'),
    );
    const say = (n: number) => updateBoard(store, 'talk', (one) => one.say([{ role: 'user', text: `${n}` }]));
    await Promise.all([1, 2, 3, 4].map(say));
    assert.equal((await loadBoard(store, 'talk')).board.messages().length, 4);
  });

  it('of a newer version is refused', async () => {
    await store.put(boardKey('talk'), { v: 2 });
    await assert.rejects(loadBoard(store, 'talk'), (error) => isFolkmootError(error, 'FOLKMOOT_STORE_NEWER'));
  });

  it('has a key that is allowed, whatever the conversation is called', async () => {
    assert.equal(boardKey('talk-1'), 'folkmoot:{talk-1}:board');
    for (const odd of ['x'.repeat(5_000), 'a}b{', '\u0000', '']) {
      await saveBoard(store, odd, createBoard());
      assert.ok(boardKey(odd).length < 512);
    }
  });
});
