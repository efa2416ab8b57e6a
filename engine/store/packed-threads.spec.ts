import assert from 'node:assert/strict';
import { Annotation, END, interrupt, START, StateGraph, Command } from '@langchain/langgraph';
import { fakeClock, type FakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { createCheckpointer, packThread } from './checkpointer.ts';
import { createEmbeddedStore } from './embedded.ts';
import { createPackedThreads } from './packed-threads.ts';
import type { Store } from './store.ts';

const State = Annotation.Root({
  request: Annotation<string>(),
  done: Annotation<string[]>({ reducer: (old, added) => [...old, ...added], default: () => [] }),
});
const thread = { configurable: { thread_id: 'run-1' } };

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('the saved steps of an ended run', () => {
  let clock: FakeClock;
  let store: Store;
  beforeEach(() => {
    clock = fakeClock();
    store = createEmbeddedStore({ path: ':memory:', clock });
  });
  afterEach(() => store.close());

  const ended = async () => {
    const checkpointer = await createCheckpointer(store, { clock });
    const graph = new StateGraph(State)
      .addNode('first', () => ({ done: ['first'] }))
      .addNode('second', () => ({ done: ['second'] }))
      .addNode('third', () => ({ done: ['third'] }))
      .addEdge(START, 'first')
      .addEdge('first', 'second')
      .addEdge('second', 'third')
      .addEdge('third', END)
      .compile({ checkpointer });
    await graph.invoke({ request: 'mow the lawn '.repeat(20) }, thread);
    return { checkpointer, graph };
  };
  const records = () => store.scan('folkmoot:{run-1}:');
  const size = async () => JSON.stringify(await records()).length;

  it('are one record of less than a fifth of the size, with the same history', async () => {
    const { checkpointer, graph } = await ended();
    const history = async () => JSON.parse(JSON.stringify(await allOf(graph.getStateHistory(thread)))) as unknown[];
    const [before, large] = [await history(), await size()];
    await packThread(checkpointer, 'run-1');
    assert.equal((await records()).length, 1);
    assert.ok((await size()) < large / 5, `${await size()} of ${large}`);
    assert.deepEqual(await history(), before);
    assert.equal(before.length, 5);
    assert.deepEqual((await graph.getState(thread)).next, []);
    const listed = (await allOf(checkpointer.list({}))).map(({ config }) => String(config.configurable?.['thread_id']));
    assert.deepEqual(listed, Array(5).fill('run-1'));
  });

  it('are whole again when somebody goes on with them, and packed once more afterwards', async () => {
    const { checkpointer, graph } = await ended();
    const count = (await records()).length;
    await packThread(checkpointer, 'run-1');
    await packThread(checkpointer, 'run-1');
    const [, beforeThird] = await allOf(graph.getStateHistory(thread));
    const fork = await graph.updateState(beforeThird?.config ?? {}, { request: 'b' });
    assert.ok((await records()).length > count);
    assert.deepEqual(await graph.invoke(null, fork), { request: 'b', done: ['first', 'second', 'third'] });
    await packThread(checkpointer, 'run-1');
    assert.equal((await records()).length, 1);
    assert.equal(((await graph.getState(thread)).values as typeof State.State).request, 'b');
  });

  it('go on from a question that was packed by mistake', async () => {
    const checkpointer = await createCheckpointer(store, { clock });
    const graph = new StateGraph(State)
      .addNode('ask', () => ({ done: [interrupt<string, string>('which room?')] }))
      .addEdge(START, 'ask')
      .compile({ checkpointer });
    await graph.invoke({ request: 'light' }, thread);
    await packThread(checkpointer, 'run-1');
    assert.deepEqual((await graph.invoke(new Command({ resume: 'the kitchen' }), thread)).done, ['the kitchen']);
  });

  it('are gone with their thread, and after their time', async () => {
    const { checkpointer, graph } = await ended();
    await packThread(checkpointer, 'run-1');
    await clock.advance(limits.checkpointExpiryMs + 1);
    assert.deepEqual(await records(), []);
    await graph.invoke({ request: 'x' }, thread);
    await packThread(checkpointer, 'run-1');
    await checkpointer.deleteThread('run-1');
    assert.deepEqual(await records(), []);
  });

  it('stay as they are when somebody writes at that moment', async () => {
    await store.put('folkmoot:{run-1}:ckpt:c::1', { v: 1, thread: 'run-1' });
    const busy: Store = {
      ...store,
      async transaction(changes) {
        await store.put('folkmoot:{run-1}:ckpt:c::1', { v: 1, thread: 'run-1', more: true });
        await store.transaction(changes);
      },
    };
    await createPackedThreads(busy, 1_000).pack('run-1');
    assert.deepEqual(
      (await records()).map(({ key }) => key),
      ['folkmoot:{run-1}:ckpt:c::1'],
    );
  });
});
