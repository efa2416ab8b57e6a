import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import type { Mutation, Outcome } from '../moot.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { Store } from '../store/store.ts';
import { createGather, type Gathered } from './gather.ts';

const mutation = (id: string): Mutation => ({ id, run: 'r1', function: 'MowLawn', parameters: {}, risk: 'reversible' });

function aGather(
  settings: { store?: Store; clock?: ReturnType<typeof fakeClock>; over?: Record<string, Outcome> } = {},
) {
  const clock = settings.clock ?? fakeClock();
  const store = settings.store ?? createEmbeddedStore({ path: ':memory:', clock });
  const told: Gathered[] = [];
  const gather = createGather({
    store,
    owner: 'board1',
    clock,
    deadlineMs: 10_000,
    outcomeOf: async (run) => settings.over?.[run],
    emit: (gathered) => told.push(gathered),
  });
  const kept = async () => (await store.scan('folkmoot:{board1}:')).length;
  const part = (id: string, run = 'r1') => gather.take(run, [mutation(id)], { payload: id });
  return {
    clock,
    store,
    gather,
    told,
    kept,
    part,
    ids: () => told.map((one) => one.mutations.map(({ id }) => id).join()),
  };
}

describe('gathering a team', () => {
  it('tells once when the run ends, with what its agents sent last', async () => {
    const { clock, gather, part, ids, told, kept } = aGather();
    await part('a');
    await part('b');
    gather.ended('r1', 'done');
    await clock.advance(50);
    await part('b');
    await part('c');
    assert.deepEqual(ids(), []);
    await clock.advance(100);
    assert.deepEqual(ids(), ['a,b,c']);
    assert.deepEqual([told[0]?.outcome, told[0]?.message], ['done', { payload: 'c' }]);
    assert.equal(await part('d'), false);
    gather.ended('r1', 'done');
    await clock.advance(60_000);
    assert.equal(told.length, 1);
    assert.deepEqual([await kept(), clock.waiting], [0, 0]);
  });
  it('tells at its deadline when the run does not end', async () => {
    const { clock, part, told } = aGather();
    await part('a');
    await clock.advance(5_000);
    await part('b');
    await clock.advance(4_999);
    assert.equal(told.length, 0);
    await clock.advance(1);
    assert.deepEqual([told.length, told[0]?.outcome], [1, undefined]);
  });
  it('keeps runs apart and passes over runs that it did not see', async () => {
    const { clock, gather, part, ids } = aGather();
    await Promise.all([part('a'), part('x', 'r2'), part('b')]);
    gather.ended('r3', 'done');
    gather.ended('r2', 'done');
    await clock.advance(100);
    assert.deepEqual(ids(), ['x']);
    await clock.advance(10_000);
    assert.deepEqual(ids(), ['x', 'a,b']);
  });
  it('tells a run that had ended before its first part came', async () => {
    const { clock, part, ids } = aGather({ over: { r1: 'done' } });
    await part('a');
    await clock.advance(100);
    assert.deepEqual(ids(), ['a']);
  });
  it('goes on after a restart: until the deadline, or at once when the run is over', async () => {
    const first = aGather();
    await first.part('a');
    await first.part('x', 'r2');
    await first.gather.close(false);
    assert.equal(first.clock.waiting, 0);
    const second = aGather({ store: first.store, clock: first.clock, over: { r2: 'cancelled' } });
    await second.gather.resume();
    await second.part('b');
    await second.clock.advance(100);
    assert.deepEqual(second.ids(), ['x']);
    assert.equal(second.told[0]?.outcome, 'cancelled');
    await second.clock.advance(9_900);
    assert.deepEqual(second.ids(), ['x', 'a,b']);
    assert.deepEqual([first.told.length, await second.kept()], [0, 0]);
  });
  it('leaves nothing behind when it is removed', async () => {
    const { clock, gather, part, kept } = aGather();
    await part('a');
    await gather.close(true);
    assert.deepEqual([await kept(), clock.waiting], [0, 0]);
    assert.equal(await part('b'), false);
  });
  it('gathers a bounded number of runs', async () => {
    const { gather, part, told } = aGather();
    for (let index = 0; index < 210; index += 1) await part('a', `run${index}`);
    assert.deepEqual([gather.open, told.length], [200, 10]);
    await gather.close(true);
  });
});
