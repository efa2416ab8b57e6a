/** What the checkpointer does over any store: through LangGraph's own graphs, with time that stands still. */
import assert from 'node:assert/strict';
import { Annotation, END, interrupt, START, StateGraph, Command } from '@langchain/langgraph';
import { fakeClock, type FakeClock } from '../clock.ts';
import { createCheckpointer, type CheckpointerOptions } from './checkpointer.ts';
import { rejectsWith } from './store-bench.contract.ts';
import type { StorePlace } from './store.contract.ts';
import type { Store } from './store.ts';

const State = Annotation.Root({
  request: Annotation<string>(),
  count: Annotation<number>(),
  done: Annotation<string[]>({ reducer: (old, added) => [...old, ...added], default: () => [] }),
});
const thread = { configurable: { thread_id: 'run-1' } };

/** @param makePlace A place of its own for each sentence; its time is moved together with the clock's. */
export function checkpointerContract(name: string, makePlace: (clock: FakeClock) => Promise<StorePlace>): void {
  describe(`the checkpointer over ${name}`, () => contractOf(makePlace));
}

function contractOf(makePlace: (clock: FakeClock) => Promise<StorePlace>): void {
  let clock: FakeClock;
  let place: StorePlace;
  let store: Store;
  beforeEach(async () => {
    clock = fakeClock();
    place = await makePlace(clock);
    store = await place.open();
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  const threeSteps = async (options: CheckpointerOptions = {}, on = store) =>
    new StateGraph(State)
      .addNode('first', () => ({ done: ['first'] }))
      .addNode('second', () => ({ done: ['second'] }))
      .addNode('third', () => ({ done: ['third'] }))
      .addEdge(START, 'first')
      .addEdge('first', 'second')
      .addEdge('second', 'third')
      .addEdge('third', END)
      .compile({ checkpointer: await createCheckpointer(on, { clock, ...options }) });

  /** Counts down from `count`, one step at a time. */
  const countdown = async (options: CheckpointerOptions = {}, eachStep?: () => Promise<void>) =>
    new StateGraph(State)
      .addNode('down', async ({ count }) => {
        await eachStep?.();
        return { count: count - 1 };
      })
      .addEdge(START, 'down')
      .addConditionalEdges('down', ({ count }) => (count > 0 ? 'down' : END))
      .compile({ checkpointer: await createCheckpointer(store, { clock, ...options }) });

  it('shows each step of a finished run through LangGraph’s own state history', async () => {
    const graph = await threeSteps();
    await graph.invoke({ request: 'mow the lawn' }, thread);
    const history = [];
    for await (const state of graph.getStateHistory(thread)) history.push(state);
    assert.deepEqual(
      history.map((state) => [state.next, (state.values as typeof State.State).done]),
      [
        [[], ['first', 'second', 'third']],
        [['third'], ['first', 'second']],
        [['second'], ['first']],
        [['first'], []],
        [['__start__'], []],
      ],
    );
  });

  for (const durability of ['sync', 'async', 'exit'] as const) {
    it(`finds the last state again with durability ${durability}`, async () => {
      await (await threeSteps()).invoke({ request: 'mow the lawn' }, { ...thread, durability });
      const state = await (await threeSteps()).getState(thread);
      assert.deepEqual(state.values, { request: 'mow the lawn', done: ['first', 'second', 'third'] });
      assert.deepEqual(state.next, []);
    });
  }

  it('stores a value that does not change once, not once for each step', async () => {
    const request = 'x'.repeat(10_000);
    await (await countdown({ keepPerThread: 40 })).invoke({ request, count: 30 }, { ...thread, recursionLimit: 50 });
    const records = await store.scan('folkmoot:{run-1}:ckpt:');
    const size = JSON.stringify(records).length;
    const holders = records.filter((record) => JSON.stringify(record.value).includes(request));
    // The input as such, and the channel that it became.
    assert.ok(holders.length <= 3, `${holders.length} of ${records.length} records hold it`);
    assert.ok(size < 30_000 + 40 * 4_000, `${size} bytes`);
  });

  it('keeps the newest checkpoints of a long run and nothing of the others', async () => {
    const graph = await countdown({ keepPerThread: 5 });
    await graph.invoke({ request: 'r', count: 60 }, { ...thread, recursionLimit: 100 });
    const records = await store.scan('folkmoot:{run-1}:ckpt:');
    const kind = (letter: string) => records.filter((record) => record.key.includes(`:ckpt:${letter}:`)).length;
    assert.ok(kind('c') >= 5 && kind('c') <= 6, `${kind('c')} checkpoints`);
    assert.ok(kind('w') <= 7, `${kind('w')} writes`);
    assert.ok(kind('b') <= 25, `${kind('b')} values`);
    const states = [];
    for await (const state of graph.getStateHistory(thread)) states.push(state.values as typeof State.State);
    assert.deepEqual(states.at(0), { request: 'r', count: 0, done: [] });
    assert.deepEqual(states.at(4), { request: 'r', count: 4, done: [] });
  });

  it('never cuts what a paused run waits with, however few are kept', async () => {
    const graph = new StateGraph(State)
      .addNode('one', () => ({ done: ['one'] }))
      .addNode('ask', () => ({ done: [interrupt<string, string>('which room?')] }))
      .addNode('beside', () => ({ done: ['beside'] }))
      .addEdge(START, 'one')
      .addEdge('one', 'ask')
      .addEdge('one', 'beside')
      .compile({ checkpointer: await createCheckpointer(store, { clock, keepPerThread: 1 }) });
    await graph.invoke({ request: 'turn on the light' }, thread);
    const state = await graph.getState(thread);
    assert.deepEqual(
      state.tasks.flatMap((task) => task.interrupts.map((one) => one.value as unknown)),
      ['which room?'],
    );
    const result = await graph.invoke(new Command({ resume: 'the kitchen' }), thread);
    assert.deepEqual([...result.done].sort(), ['beside', 'one', 'the kitchen']);
  });

  it('does not lose an old value while a slow run goes on for longer than it is kept', async () => {
    const hour = 3_600_000;
    const graph = await countdown({ expiryMs: 10 * hour }, () => place.passTime(3 * hour));
    const result = await graph.invoke({ request: 'slow', count: 12 }, { ...thread, recursionLimit: 30 });
    assert.equal(result.request, 'slow');
    await place.passTime(9.5 * hour);
    assert.deepEqual((await graph.getState(thread)).values, { request: 'slow', count: 0, done: [] });
    await place.passTime(hour);
    assert.deepEqual((await graph.getState(thread)).values, {});
    await place.passTime(5 * hour);
    assert.deepEqual(await store.scan('folkmoot:{run-1}:'), []);
  });

  it('goes on from an earlier step on another branch, with that branch’s values', async () => {
    const graph = await threeSteps();
    await graph.invoke({ request: 'a' }, thread);
    const states = [];
    for await (const state of graph.getStateHistory(thread)) states.push(state);
    const beforeThird = states.find((state) => state.next.includes('third'));
    const fork = await graph.updateState(beforeThird?.config ?? {}, { request: 'b' });
    assert.deepEqual((await graph.invoke(null, fork)).request, 'b');
    const old = await graph.getState(states[0]?.config ?? {});
    assert.equal((old.values as typeof State.State).request, 'a');
  });

  it('lets many runs save at once through two checkpointers and mixes none', async () => {
    const graphs = [await threeSteps(), await threeSteps()];
    const runs = Array.from({ length: 30 }, async (_, n) => {
      const config = { configurable: { thread_id: `ask:run/${n}` } };
      await graphs[n % 2]?.invoke({ request: `r${n}` }, config);
      return (await graphs[(n + 1) % 2]?.getState(config))?.values as typeof State.State;
    });
    const requests = (await Promise.all(runs)).map((state) => state.request);
    assert.deepEqual(
      requests,
      runs.map((_, n) => `r${n}`),
    );
  });

  it('keeps threads with strange and with very long names apart', async () => {
    const graph = await threeSteps();
    const names = ['a', 'a:ckpt:c', 'a}', '{a', '%7Da', 'ü '.repeat(300), 'ü '.repeat(301)];
    for (const name of names) await graph.invoke({ request: name }, { configurable: { thread_id: name } });
    for (const name of names) {
      const state = await graph.getState({ configurable: { thread_id: name } });
      assert.equal((state.values as typeof State.State).request, name);
    }
  });

  it('refuses a checkpoint that a newer program wrote', async () => {
    const graph = await threeSteps();
    await graph.invoke({ request: 'a' }, thread);
    const [record] = await store.scan<Record<string, unknown>>('folkmoot:{run-1}:ckpt:i');
    await store.put(record?.key ?? '', { ...record?.value, v: 2 });
    await rejectsWith('FOLKMOOT_STORE_NEWER', graph.getState(thread));
  });
}
