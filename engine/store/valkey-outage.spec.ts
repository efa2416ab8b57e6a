/** The store on Valkey while its server comes and goes. */
import assert from 'node:assert/strict';
import { startValkeyBench, type ValkeyBench } from '../../test/valkey-place.ts';
import { startWire, type TestWire } from '../../test/valkey-wire.ts';
import { fakeClock, type FakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { rejectsWith } from './store-bench.contract.ts';
import type { Store, StoreState } from './store.ts';
import { createValkeyStore, type ValkeyStoreOptions } from './valkey.ts';

/** Resolves when the store's connection is so. */
function stateIs(store: Store, wanted: StoreState): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const stop = store.link?.onState((state, reason) => {
    if (state === wanted) resolve(reason);
  });
  return promise.finally(stop);
}

describe('the store on Valkey without its server', function () {
  this.timeout(20_000);
  let bench: ValkeyBench;
  let wire: TestWire;
  let clock: FakeClock;
  let store: Store;
  before(async () => void (bench = await startValkeyBench({ persists: true })));
  after(() => bench.stop());
  beforeEach(async () => {
    wire = await startWire(bench.server.port);
    clock = fakeClock();
  });
  afterEach(async () => {
    await store.close();
    await wire.stop();
    assert.equal(clock.waiting, 0);
  });

  const url = () => `redis://127.0.0.1:${wire.port}`;
  const open = (more: Partial<ValkeyStoreOptions> = {}) => {
    store = createValkeyStore(bench.options({ url: url(), clock, ...more }));
    return store;
  };

  it('waits for a server that comes after it, and says how things are', async () => {
    wire.cut(true);
    open();
    const put = store.put('k', 'v');
    assert.match((await stateIs(store, 'down')) ?? '', new RegExp(`^redis://127.0.0.1:${wire.port}: the connection`));
    wire.mend();
    assert.equal(await put, 1);
    assert.equal(store.link?.state, 'up');
  });

  it('fails in words when it does not come in time, and sooner the next time', async () => {
    wire.cut(true);
    open({ reconnectMinMs: 10_000 });
    await stateIs(store, 'down');
    const failed = (work: Promise<unknown>) => work.then(String, (error: Error) => error.message);
    const first = failed(store.get('k'));
    await clock.advance(limits.storeDeadlineMs - 1);
    const second = failed(store.put('k', 1));
    await clock.advance(1);
    assert.match(
      await first,
      /^The store at redis:\/\/127.0.0.1:\d+ cannot be reached: .*Check that the Valkey server/,
    );
    await clock.advance(limits.storeDeadlineMs - 1);
    assert.match(await second, /cannot be reached/);
    const third = store.transaction([{ kind: 'put', key: 'k', value: 1 }]);
    third.catch(() => undefined);
    await clock.advance(limits.storeLostWaitMs);
    await rejectsWith('FOLKMOOT_STORE_LOST', third);
  });

  it('makes a change once whose answer was lost with the connection', async () => {
    open();
    const [a, log] = ['folkmoot:{x}:a', 'folkmoot:{x}:log'];
    await store.put(a, 0);
    const isLost = wire.loseNextAnswer();
    const put = store.put(a, 1, { expected: 1 });
    await isLost;
    assert.equal(await put, 2);
    const isLostToo = wire.loseNextAnswer();
    const made = store.transaction([
      { kind: 'append', log, values: ['one', 'two'] },
      { kind: 'delete', key: a, expected: 2 },
    ]);
    await isLostToo;
    await made;
    assert.deepEqual(
      (await store.readLast(log, 9)).map(({ value }) => value),
      ['one', 'two'],
    );
    assert.equal(await store.get(a), undefined);
  });

  it('loses and doubles nothing while the connection breaks again and again under load', async () => {
    open({ clock: fakeClock() });
    const log = 'folkmoot:{load}:log';
    const count = 600;
    let done = 0;
    const lane = async (n: number) => {
      for (let i = 0; i < count / 20; i += 1) {
        await store.append(log, [`${n}/${i}`]);
        done += 1;
        // The other lanes are in the middle of theirs.
        if (done % 100 === 50) wire.cut();
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, n) => lane(n)));
    const kept = (await store.readLast<string>(log, 2 * count)).map(({ value }) => value);
    assert.equal(kept.length, count);
    assert.equal(new Set(kept).size, count);
    assert.ok(wire.connects.length >= 3, `${wire.connects.length} connections`);
  });

  it('keeps every acknowledged change when the server is killed, and goes on when it is back', async () => {
    open();
    const log = 'folkmoot:{kill}:log';
    let acknowledged = 0;
    let isOver = false;
    let told = { goal: Infinity, resolve: () => undefined as void };
    const reached = (goal: number) => new Promise<void>((resolve) => void (told = { goal, resolve }));
    const writing = (async () => {
      while (!isOver) {
        acknowledged = await store.append(log, [acknowledged + 1]);
        if (acknowledged >= told.goal) told.resolve();
      }
    })();
    for (let round = 0; round < 2; round += 1) {
      const goal = acknowledged + 20;
      await reached(goal);
      await bench.server.kill();
      await stateIs(store, 'down');
      await bench.server.restart();
      await stateIs(store, 'up');
    }
    isOver = true;
    await writing;
    const kept = (await store.readLast<number>(log, 10_000)).map(({ value }) => value);
    assert.deepEqual(
      kept,
      Array.from({ length: acknowledged }, (_, n) => n + 1),
    );
  });

  it('does not wait for ever for a server that hangs, and takes another connection', async () => {
    open();
    await store.put('k', 1);
    const end = wire.stall();
    const get = store.get('k');
    get.catch(() => undefined);
    await clock.advance(limits.storeDeadlineMs);
    await assert.rejects(get, /took too long to answer/);
    end();
    assert.equal((await store.get('k'))?.value, 1);
    assert.equal(wire.connects.length, 2);
  });

  it('never connects twice within its shortest pause, however the connection fails', async () => {
    wire.cut(true);
    open({ reconnectMinMs: 40, reconnectMaxMs: 100 });
    await wire.connected(6);
    wire.mend();
    await store.put('k', 1);
    for (let n = 0; n < 3; n += 1) {
      wire.cut();
      await store.get('k');
    }
    const gaps = wire.connects.slice(1).map((at, n) => at - (wire.connects[n] ?? 0));
    assert.ok(Math.min(...gaps) >= 39, `${gaps.map(Math.round).join(', ')} ms`);
  });

  it('lets what is under way end when it is closed', async () => {
    open();
    await store.put('k', 0);
    const puts = Array.from({ length: 50 }, (_, n) => store.put('k', n));
    await store.close();
    assert.equal((await Promise.all(puts)).at(-1), 51);
    open();
    wire.cut(true);
    const late = store.put('k', 1);
    late.catch(() => undefined);
    await store.close();
    await rejectsWith('FOLKMOOT_STORE_FAILED', late);
  });
});
