import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { createBoardSessions } from './board-sessions.ts';

describe('sessions of a server with memory (P24)', () => {
  it('are opened by nobody but the user who began them', async () => {
    const store = createEmbeddedStore({ path: ':memory:', clock: fakeClock() });
    const sessions = createBoardSessions({ store, house: 'h', owner: 'serve', expiresInMs: 60_000 });
    const { id, state, save } = await sessions.begin('anna');
    await save({ ...state, boards: { function_call: { hers: true } } });
    const seen = await Promise.all(['anna', 'ben', '', 'anna:x'].map((user) => sessions.open(id, user)));
    assert.deepEqual(
      seen.map((one) => one?.state.boards),
      [{ function_call: { hers: true } }, undefined, undefined, undefined],
    );
    await store.close();
  });
});
