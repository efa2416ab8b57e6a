import assert from 'node:assert/strict';
import { fakeClock, type FakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { OpenQuestions } from '../plan/run-ports.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { Store } from '../store/store.ts';
import { createQuestions } from './questions.ts';

const question = { request: 'turn on the light', question: 'In which room?' };
const other = { request: 'mow', question: 'Which lawn?' };
const ana = (conversation: string) => ({ text: 'x', conversation, user: 'ana', topic: 'chat' });

describe('open questions', () => {
  let clock: FakeClock;
  let store: Store;
  let questions: OpenQuestions;
  beforeEach(() => {
    clock = fakeClock();
    store = createEmbeddedStore({ path: ':memory:', clock });
    questions = createQuestions(store, 'here');
  });
  afterEach(() => store.close());

  it('are answered once in their conversation', async () => {
    await questions.open(ana('c1'), question);
    assert.deepEqual(await questions.take({ text: 'x', conversation: 'c1' }), question);
    assert.equal(await questions.take({ text: 'x', conversation: 'c1' }), undefined);
  });

  it('are given to one of two answers that come at once', async () => {
    await questions.open(ana('c1'), question);
    const taken = await Promise.all([questions.take(ana('c1')), questions.take(ana('c1'))]);
    assert.equal(taken.filter(Boolean).length, 1);
  });

  it('are found for the same user on the same topic in another conversation', async () => {
    await questions.open(ana('c1'), question);
    assert.equal(await questions.take({ ...ana('c2'), user: 'ben' }), undefined);
    assert.equal(await questions.take({ ...ana('c2'), topic: 'elsewhere' }), undefined);
    assert.deepEqual(await questions.take(ana('c2')), question);
  });

  it('are not guessed at when two are open', async () => {
    await questions.open(ana('c1'), question);
    await questions.open(ana('c2'), other);
    assert.equal(await questions.take(ana('c3')), undefined);
    assert.deepEqual(await questions.take(ana('c2')), other);
    assert.deepEqual(await questions.take(ana('c3')), question);
  });

  it('are withdrawn when the person was never asked, and no other one in their place', async () => {
    const of = (id: string) => ({ ...ana('c1'), request: { id, via: 'amica' as const } });
    await questions.open(of('r1'), question);
    await questions.withdraw('c1', 'r2');
    await questions.withdraw('c2', 'r1');
    assert.deepEqual(await questions.take(ana('c1')), question);
    await questions.open(of('r3'), other);
    await questions.withdraw('c1', 'r3');
    assert.equal(await questions.take(ana('c1')), undefined);
    assert.equal(await questions.take(ana('c2')), undefined);
    await questions.withdraw('c1', 'r3');
  });

  it('close by themselves after five minutes', async () => {
    await questions.open(ana('c1'), question);
    await clock.advance(limits.questionOpenMs);
    assert.equal(await questions.take(ana('c1')), undefined);
  });
});
