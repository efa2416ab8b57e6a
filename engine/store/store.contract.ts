/** What every adapter of the store port does. An adapter's spec calls `storeContract` with a way to open it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { limits } from '../limits.ts';
import { rejectsWith, type StoreBench } from './store-bench.contract.ts';
import { logContract } from './store-logs.contract.ts';
import { recordContract } from './store-records.contract.ts';
import type { Store } from './store.ts';

/** One empty place to store in, made anew for each sentence. */
export interface StorePlace {
  /** Opens the store; every call gives one more connection to the same data. */
  open(): Promise<Store>;
  /** Lets time pass for expiries. */
  passTime(ms: number): Promise<void>;
  /** Takes the place away, after the stores were closed. */
  remove(): Promise<void>;
}

export interface StoreContractOptions {
  makePlace(): Promise<StorePlace>;
  /** Whether a second connection, now or after a restart, finds the data. */
  readonly persists: boolean;
}

export function storeContract(name: string, options: StoreContractOptions): void {
  describe(`${name} keeps the store contract`, () => {
    let place: StorePlace;
    let stores: Store[];
    let bench: StoreBench;

    beforeEach(async () => {
      place = await options.makePlace();
      stores = [];
      const open = async () => {
        const store = await place.open();
        stores.push(store);
        return store;
      };
      const tag = randomUUID();
      const key = (...parts: readonly string[]) => [`folkmoot:{${tag}}`, ...parts].join(':');
      bench = { store: await open(), open, passTime: (ms) => place.passTime(ms), key };
    });

    afterEach(async () => {
      for (const store of stores) await store.close();
      await place.remove();
    });

    recordContract(() => bench, options.persists);
    logContract(() => bench, options.persists);
    limitContract(() => bench);
  });
}

function limitContract(bench: () => StoreBench): void {
  describe('limits', () => {
    const badKeys = ['', 'x'.repeat(513), 'new\nline', 'nul\u0000', 'half \ud800'];

    for (const key of badKeys) {
      it(`refuses the key ${JSON.stringify(key.slice(0, 12))} everywhere`, async () => {
        const { store } = bench();
        await rejectsWith('FOLKMOOT_STORE_VALUE', store.get(key));
        await rejectsWith('FOLKMOOT_STORE_VALUE', store.put(key, 1));
        await rejectsWith('FOLKMOOT_STORE_VALUE', store.delete(key));
        await rejectsWith('FOLKMOOT_STORE_VALUE', store.append(key, [1]));
        await rejectsWith('FOLKMOOT_STORE_VALUE', store.readLast(key, 1));
        await rejectsWith('FOLKMOOT_STORE_VALUE', store.readRange(key, 1, 2));
        await rejectsWith('FOLKMOOT_STORE_VALUE', store.deleteLog(key));
        await rejectsWith('FOLKMOOT_STORE_VALUE', store.transaction([{ kind: 'put', key, value: 1 }]));
      });
    }

    it('takes a key of 512 characters', async () => {
      const { store } = bench();
      await store.put('k'.repeat(512), 1);
      assert.equal((await store.get('k'.repeat(512)))?.value, 1);
    });

    it('refuses what JSON cannot hold and what is too large, and keeps the old value', async () => {
      const { store, key } = bench();
      const circle: unknown[] = [];
      circle.push(circle);
      await store.put(key('a'), 'old');
      for (const value of [undefined, () => 1, Symbol('s'), 10n, circle, 'ü'.repeat(limits.storeValueBytes / 2)]) {
        await rejectsWith('FOLKMOOT_STORE_VALUE', store.put(key('a'), value));
        await rejectsWith('FOLKMOOT_STORE_VALUE', store.append(key('log'), ['fine', value]));
      }
      assert.equal((await store.get(key('a')))?.value, 'old');
      assert.deepEqual(await store.readLast(key('log'), 5), []);
    });

    it('refuses a transaction over two owners or over 1000 changes', async () => {
      const { store, key } = bench();
      const put = (k: string) => ({ kind: 'put', key: k, value: 1 }) as const;
      await rejectsWith('FOLKMOOT_STORE_VALUE', store.transaction([put(key('a')), put('folkmoot:{other}:a')]));
      const many = Array.from({ length: 1_001 }, (_, i) => put(key(`n${i}`)));
      await rejectsWith('FOLKMOOT_STORE_VALUE', store.transaction(many));
      assert.deepEqual(await store.scan(key('')), []);
      await store.transaction(many.slice(0, 1_000));
      assert.equal((await store.scan(key(''))).length, 1_000);
    });

    it('refuses every call once it is closed, and closes twice without harm', async () => {
      const { store, key } = bench();
      await store.close();
      await store.close();
      await rejectsWith('FOLKMOOT_STORE_FAILED', store.get(key('a')));
      await rejectsWith('FOLKMOOT_STORE_FAILED', store.put(key('a'), 1));
      await rejectsWith('FOLKMOOT_STORE_FAILED', store.delete(key('a')));
      await rejectsWith('FOLKMOOT_STORE_FAILED', store.scan(''));
      await rejectsWith('FOLKMOOT_STORE_FAILED', store.append(key('a'), [1]));
      await rejectsWith('FOLKMOOT_STORE_FAILED', store.readLast(key('a'), 1));
      await rejectsWith('FOLKMOOT_STORE_FAILED', store.transaction([{ kind: 'put', key: key('a'), value: 1 }]));
    });
  });
}
