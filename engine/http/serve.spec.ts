import assert from 'node:assert/strict';
import { callsBody, planBody } from '../../test/http/pool.ts';
import { fakeClock } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { AskAnswer } from '../moot.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { createAgentStore } from './agent-store.ts';
import { createBoardSessions } from './board-sessions.ts';
import type { ForeignBoard } from './bodies.ts';
import type { HttpRequest } from './endpoint.ts';
import { failedBoard } from './generate-function-calls.ts';
import { createServe } from './serve.ts';
import type { ServeOptions } from './serve.ts';

const board = failedBoard(callsBody);
const answered = (body: unknown): AskAnswer => ({
  ...{ status: 'answered', payload: { body, failedSteps: [], notes: [] }, mutations: [] },
});
const failed = (status: AskAnswer['status'], code = 'FOLKMOOT_MODEL_FAILED'): AskAnswer => ({
  ...{ status, payload: null, mutations: [], error: { code, message: 'The model is away.' } },
});

function place(more: Partial<ServeOptions> = {}) {
  const clock = fakeClock();
  const store = createEmbeddedStore({ path: ':memory:', clock });
  const problems: string[] = [];
  const kept = { store, house: 'home', owner: 'serve', clock };
  const serve = createServe({
    ...{ clock, requestsPerMinute: 1_000, onLoopback: () => true, onProblem: (text) => problems.push(text) },
    rules: { authentication: 'none', user: '', password: '', token: '', submitToken: '' },
    sessions: async () => createBoardSessions({ ...kept, expiresInMs: 60_000 }),
    agents: async () => createAgentStore(kept),
    heldBack: async () => undefined,
    ask: async () => answered(board),
    ...more,
  });
  const ask = (body: unknown = callsBody, headers: HttpRequest['headers'] = {}, endpoint = 'generate_function_calls') =>
    serve({
      ...{ method: 'POST', endpoint, rest: '', client: '127.0.0.1', signal: new AbortController().signal },
      headers: { host: 'localhost', ...headers },
      body: async () => ({ bytes: Buffer.from(JSON.stringify(body)) }),
    });
  return { ask, problems, clock, store };
}

describe('the HTTP endpoints', () => {
  it('answer with the board as it was, and words, when whoever proposes fails, is too slow or goes away', async () => {
    for (const status of ['failed', 'timeout', 'refused'] as const) {
      const { ask, problems } = place({ ask: async () => failed(status) });
      const blackboard = {
        internal_previously_generated_functions: [{ agent_name: 'A', function_name: 'F', parameters: {} }],
      };
      const answer = await ask({ ...callsBody, blackboard });
      assert.deepEqual([answer.status, answer.headers['X-Folkmoot-Failed-Steps']], [200, 'plan']);
      const told = answer.body as ForeignBoard;
      assert.deepEqual(
        told.internal_previously_generated_functions,
        blackboard.internal_previously_generated_functions,
      );
      assert.deepEqual(told.internal_newly_generated_functions, []);
      assert.equal(told.internal_newly_generated_messages.length, 1);
      assert.deepEqual(problems, ['The model is away.']);
      assert.equal((await ask(planBody, {}, 'generate_plan')).status, 500);
    }
    const none = place({ ask: async () => failed('failed', 'FOLKMOOT_NO_AGENTS') });
    assert.equal((await none.ask()).status, 500);
  });

  it('answer 503 in words while the house is paused, and when what is remembered can’t be reached', async () => {
    const paused = await place({ heldBack: async () => 'The house is paused.' }).ask();
    assert.deepEqual([paused.status, paused.body], [503, { detail: 'The house is paused.' }]);
    const sessions = () => Promise.reject(folkmootError('FOLKMOOT_STORE_LOST', 'It is away.'));
    const { ask, problems } = place({ sessions });
    assert.equal((await ask()).status, 200);
    assert.equal((await ask(callsBody, { 'x-folkmoot-session': 'new' })).status, 503);
    assert.equal(problems.length, 1);
  });

  it('work on a number of requests at once, refuse more, and go on with the next', async () => {
    const answers: ((answer: AskAnswer) => void)[] = [];
    const { ask } = place({ ask: () => new Promise((resolve) => answers.push(resolve)) });
    const first = Array.from({ length: limits.httpInWork }, () => ask());
    while (answers.length < limits.httpInWork) await new Promise((resolve) => setImmediate(resolve));
    const refused = await ask();
    assert.deepEqual([refused.status, refused.headers['Retry-After']], [429, '1']);
    answers.forEach((end) => end(answered(board)));
    for (const answer of await Promise.all(first)) assert.equal(answer.status, 200);
    const next = ask();
    while (answers.length === limits.httpInWork) await new Promise((resolve) => setImmediate(resolve));
    answers.at(-1)?.(answered(board));
    assert.equal((await next).status, 200);
  });

  it('let one of two requests of a session at once go on, and refuse the other', async () => {
    const answers: ((answer: AskAnswer) => void)[] = [];
    let isHeld = false;
    const { ask } = place({
      ask: async () => (isHeld ? new Promise((resolve) => answers.push(resolve)) : answered(board)),
    });
    const id = (await ask(callsBody, { 'x-folkmoot-session': 'new' })).headers['X-Folkmoot-Session'] ?? '';
    isHeld = true;
    const both = [1, 2].map(() => ask(callsBody, { 'x-folkmoot-session': id }));
    while (answers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    answers.forEach((end) => end(answered(board)));
    assert.deepEqual((await Promise.all(both)).map(({ status }) => status).sort(), [200, 409]);
  });

  it('begin no more sessions than there may be, until some have ended', async () => {
    const { ask, clock, store } = place();
    for (let n = 0; n < limits.httpSessions; n += 1)
      await store.put(`folkmoot:{home}:http-session-list:serve:${n}`, { v: 1 }, { expiresInMs: 60_000 });
    assert.equal((await ask(callsBody, { 'x-folkmoot-session': 'new' })).status, 429);
    await clock.advance(60_001);
    assert.equal((await ask(callsBody, { 'x-folkmoot-session': 'new' })).status, 200);
  });
});
