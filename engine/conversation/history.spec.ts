import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import type { RunResult } from '../plan/run-request.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { Store } from '../store/store.ts';
import { createConversations } from './conversation.ts';
import { createHistory, type History } from './history.ts';

const result = (text: string, payload: string, more: object = {}) =>
  ({ request: { text, conversation: 'c1', user: 'ana', ...more }, payload }) as unknown as RunResult;

describe('the history of a conversation', () => {
  let store: Store;
  let history: History;
  beforeEach(() => {
    const clock = fakeClock();
    store = createEmbeddedStore({ path: ':memory:', clock });
    history = createHistory(createConversations(store, clock));
  });
  afterEach(() => store.close());
  const lines = () => history.lines({ text: 'next', conversation: 'c1' });

  it('gives what was asked and answered, oldest first', async () => {
    await history.keep(result('turn on the light', 'In which room?'), 'router');
    await history.keep(result('the kitchen', ''), 'router');
    assert.deepEqual(await lines(), [
      { role: 'user', text: 'turn on the light' },
      { role: 'assistant', text: 'In which room?' },
      { role: 'user', text: 'the kitchen' },
    ]);
  });

  it('keeps nothing of events, and nothing twice of what the reply desk keeps', async () => {
    await history.keep(result('it is dark', 'on', { event: [] }), 'router');
    await history.keep(result('hello', 'hi', { request: { id: 'm1', via: 'amica' } }), 'router');
    assert.deepEqual(await lines(), []);
  });

  it('is empty where there is no conversation', async () => {
    assert.deepEqual(await history.lines({ text: 'x' }), []);
  });
});
