/** The part of the store contract that is about logs. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { limits } from '../limits.ts';
import type { StoreBench } from './store-bench.contract.ts';
import type { LogEntry } from './store.ts';

const values = (entries: readonly LogEntry[]) => entries.map((entry) => entry.value);

export function logContract(bench: () => StoreBench, persists: boolean): void {
  describe('logs', () => {
    appending(bench, persists);
    logExpiry(bench);
  });
}

function appending(bench: () => StoreBench, persists: boolean): void {
  it('keeps the newest entries up to the cap, with indexes that never go back', async () => {
    const { store, key } = bench();
    let round = 0;
    const appends = fc.array(
      fc.record({ values: fc.array(fc.nat(), { maxLength: 4 }), cap: fc.integer({ min: 1, max: 5 }) }),
      { maxLength: 8 },
    );
    const reads = fc.record({ count: fc.nat({ max: 9 }), from: fc.integer({ min: -2, max: 30 }), length: fc.nat(9) });
    const property = fc.asyncProperty(appends, reads, async (steps, read) => {
      const log = key(`${(round += 1)}`);
      let model: { index: number; value: number }[] = [];
      let last = 0;
      for (const step of steps) {
        model.push(...step.values.map((value) => ({ index: (last += 1), value })));
        if (step.values.length) model = model.slice(-step.cap);
        assert.equal(await store.append(log, step.values, { cap: step.cap }), last);
      }
      assert.deepEqual(await store.readLast(log, read.count), read.count ? model.slice(-read.count) : []);
      const to = read.from + read.length;
      const inRange = model.filter(({ index }) => index >= read.from && index <= to);
      assert.deepEqual(await store.readRange(log, read.from, to), inRange);
    });
    await fc.assert(property, { seed: seed(), numRuns: repeats(1_200) });
  });

  it('keeps everything up to the limit of all logs when no cap is given', async () => {
    const { store, key } = bench();
    const batch = Array.from({ length: limits.logEntries }, (_, n) => n);
    await store.append(key('log'), batch);
    assert.equal(await store.append(key('log'), ['last']), limits.logEntries + 1);
    assert.deepEqual(await store.readRange(key('log'), 1, 2), [{ index: 2, value: 1 }]);
    assert.equal((await store.readLast(key('log'), Number.MAX_SAFE_INTEGER)).length, limits.logEntries);
  });

  it('gives every one of many appenders its own place', async () => {
    const { store, open, key } = bench();
    const other = persists ? await open() : store;
    const appends = Array.from({ length: 40 }, (_, n) => (n % 2 ? store : other).append(key('log'), [n, n]));
    assert.deepEqual(
      [...(await Promise.all(appends))].sort((a, b) => a - b),
      appends.map((_, n) => 2 * n + 2),
    );
    const kept = values(await store.readLast(key('log'), 100));
    for (let n = 0; n < kept.length; n += 2) assert.equal(kept[n], kept[n + 1]);
    assert.equal(new Set(kept).size, 40);
  });

  it('starts anew after a delete', async () => {
    const { store, key } = bench();
    await store.append(key('log'), ['a', 'b']);
    assert.equal(await store.deleteLog(key('log')), true);
    assert.equal(await store.deleteLog(key('log')), false);
    assert.deepEqual(await store.readLast(key('log'), 5), []);
    assert.equal(await store.append(key('log'), ['c']), 1);
  });

  it('gives nothing of an unknown log', async () => {
    const { store, key } = bench();
    assert.deepEqual(await store.readLast(key('nobody'), 5), []);
    assert.deepEqual(await store.readRange(key('nobody'), 1, 5), []);
    assert.equal(await store.append(key('nobody'), []), 0);
  });
}

function logExpiry(bench: () => StoreBench): void {
  it('expires as a whole, counted from its last append', async () => {
    const { store, key, passTime } = bench();
    await store.append(key('log'), ['a'], { expiresInMs: 1_000 });
    await passTime(700);
    await store.append(key('log'), ['b'], { expiresInMs: 1_000 });
    await passTime(700);
    assert.deepEqual(values(await store.readLast(key('log'), 5)), ['a', 'b']);
    await passTime(400);
    assert.deepEqual(await store.readLast(key('log'), 5), []);
    assert.deepEqual(await store.readRange(key('log'), 1, 5), []);
    assert.equal(await store.deleteLog(key('log')), false);
    assert.equal(await store.append(key('log'), ['c']), 1);
    assert.deepEqual(values(await store.readLast(key('log'), 5)), ['c']);
  });

  it('keeps the expiry that was set when an append names none', async () => {
    const { store, key, passTime } = bench();
    await store.append(key('log'), ['a'], { expiresInMs: 1_000 });
    await store.append(key('log'), ['b']);
    await passTime(1_100);
    assert.deepEqual(await store.readLast(key('log'), 5), []);
  });
}
