import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import type { RunResult } from '../plan/run-request.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { Store } from '../store/store.ts';
import { createConversations, type Conversations } from './conversation.ts';
import { createHistory, type History } from './history.ts';
import { createTurns } from './turns.ts';

let runs = 0;
const result = (text: string, payload: string, more: object = {}) =>
  ({
    run: `r${(runs += 1)}`,
    request: { text, conversation: 'c1', user: 'ana', ...more },
    payload,
  }) as unknown as RunResult;

describe('the history of a conversation', () => {
  let store: Store;
  let conversations: Conversations;
  let history: History;
  beforeEach(() => {
    const clock = fakeClock();
    store = createEmbeddedStore({ path: ':memory:', clock });
    conversations = createConversations(store, clock);
    history = createHistory(conversations, createTurns(conversations, clock));
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

  it('has not what is being asked, also where it is kept already or a Java agent keeps its whole prompt', async () => {
    const request = { text: 'turn it off', conversation: 'c1', user: 'ana' };
    await history.keep(result('turn it off', 'It is off.'), 'router');
    await history.begin('run', request);
    const before = [
      { role: 'user', text: 'turn it off' },
      { role: 'assistant', text: 'It is off.' },
    ];
    assert.deepEqual(await history.lines(request), before);
    await conversations.append('c1', [
      { messageType: 'AGENT_MESSAGE', source: 'keeper', executionRequests: [{ toolName: 'Look' }] },
      { messageType: 'TOOL_EXECUTION', source: 'Look', text: 'on', executionRequests: [{ toolName: 'Look' }] },
    ]);
    assert.deepEqual(await history.lines(request), before);
    const prompt = 'You help.\n\nRespond to the following user message:\n\nand on again\n';
    await conversations.append('c1', [{ messageType: 'USER_MESSAGE', source: 'ben', text: prompt }]);
    assert.deepEqual((await history.lines({ ...request, user: 'ben', text: 'and on again' })).length, 3);
    assert.deepEqual((await history.lines({ ...request, text: 'next' })).at(-1), {
      role: 'user',
      text: 'and on again',
    });
  });

  it('begins anew when a person started over', async () => {
    await history.keep(result('mow the lawn', 'Shall I?'), 'router');
    await history.keep(result('no - start over', 'What shall I do?'), 'router');
    await history.keep(result('hello', 'Hi.'), 'router');
    assert.deepEqual(await lines(), [
      { role: 'assistant', text: 'What shall I do?' },
      { role: 'user', text: 'hello' },
      { role: 'assistant', text: 'Hi.' },
    ]);
  });

  it('is empty where there is no conversation', async () => {
    assert.deepEqual(await history.lines({ text: 'x' }), []);
  });
});
