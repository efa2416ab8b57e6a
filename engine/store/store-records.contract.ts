/** The part of the store contract that is about records, scans and transactions. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { rejectsWith, type StoreBench } from './store-bench.contract.ts';
import type { StoreChange } from './store.ts';

const jsonValue = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const keyText = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 8 })
  .filter((text) => !/[\p{Cc}\p{Cs}{}]/u.test(text));
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

export function recordContract(bench: () => StoreBench, persists: boolean): void {
  describe('records', () => basics(bench));
  describe('compare-and-set', () => compareAndSet(bench, persists));
  describe('expiry', () => expiry(bench));
  describe('scans', () => scans(bench));
  describe('transactions', () => transactions(bench));
  if (persists) describe('another connection', () => connections(bench));
}

function basics(bench: () => StoreBench): void {
  it('gives back any JSON value as it was put', async () => {
    const { store, key } = bench();
    let count = 0;
    const property = fc.asyncProperty(jsonValue, async (value) => {
      const at = key(`${(count += 1)}`);
      await store.put(at, value);
      assert.deepEqual(await store.get(at), { key: at, value, revision: 1 });
    });
    await fc.assert(property, { seed: seed(), numRuns: repeats(1_000) });
  });

  it('gives nothing for an unknown key', async () => {
    const { store, key } = bench();
    assert.equal(await store.get(key('nobody')), undefined);
    assert.equal(await store.delete(key('nobody')), false);
  });

  it('hands out copies and keeps a copy', async () => {
    const { store, key } = bench();
    const value = { list: [1] };
    await store.put(key('a'), value);
    value.list.push(2);
    (await store.get<typeof value>(key('a')))?.value.list.push(3);
    assert.deepEqual((await store.get(key('a')))?.value, { list: [1] });
  });

  it('counts revisions up with each put, and from one again after a delete', async () => {
    const { store, key } = bench();
    assert.deepEqual([await store.put(key('a'), 'x'), await store.put(key('a'), 'y')], [1, 2]);
    assert.equal(await store.delete(key('a')), true);
    assert.equal(await store.get(key('a')), undefined);
    assert.equal(await store.put(key('a'), 'z'), 1);
  });

  it('keeps a record and a log of one name apart', async () => {
    const { store, key } = bench();
    await store.put(key('a'), 'record');
    await store.append(key('b'), ['log']);
    assert.deepEqual(await store.readLast(key('a'), 1), []);
    assert.equal(await store.get(key('b')), undefined);
  });
}

function compareAndSet(bench: () => StoreBench, persists: boolean): void {
  it('puts only over the revision that is expected', async () => {
    const { store, key } = bench();
    await rejectsWith('FOLKMOOT_STORE_CONFLICT', store.put(key('a'), 'x', { expected: 1 }));
    assert.equal(await store.put(key('a'), 'x', { expected: 'absent' }), 1);
    await rejectsWith('FOLKMOOT_STORE_CONFLICT', store.put(key('a'), 'y', { expected: 'absent' }));
    await rejectsWith('FOLKMOOT_STORE_CONFLICT', store.put(key('a'), 'y', { expected: 2 }));
    assert.equal(await store.put(key('a'), 'y', { expected: 1 }), 2);
    assert.equal((await store.get(key('a')))?.value, 'y');
  });

  it('deletes only the revision that is expected', async () => {
    const { store, key } = bench();
    assert.equal(await store.delete(key('a'), 'absent'), false);
    await rejectsWith('FOLKMOOT_STORE_CONFLICT', store.delete(key('a'), 1));
    await store.put(key('a'), 'x');
    await rejectsWith('FOLKMOOT_STORE_CONFLICT', store.delete(key('a'), 'absent'));
    await rejectsWith('FOLKMOOT_STORE_CONFLICT', store.delete(key('a'), 2));
    assert.equal(await store.delete(key('a'), 1), true);
  });

  it('lets exactly one of many callers make a record', async () => {
    const { store, open, key } = bench();
    const other = persists ? await open() : store;
    const callers = Array.from({ length: 20 }, (_, n) => (n % 2 ? store : other));
    const puts = callers.map((caller, n) => caller.put(key('a'), n, { expected: 'absent' }));
    const won = (await Promise.allSettled(puts)).filter((put) => put.status === 'fulfilled');
    assert.equal(won.length, 1);
  });

  it('loses no count when many callers read, add and put', async () => {
    const { store, open, key } = bench();
    const other = persists ? await open() : store;
    const add = async (n: number) => {
      const caller = n % 2 ? store : other;
      for (;;) {
        const found = await caller.get<number>(key('sum'));
        const done = await caller
          .put(key('sum'), (found?.value ?? 0) + 1, { expected: found?.revision ?? 'absent' })
          .catch(() => undefined);
        if (done !== undefined) return;
      }
    };
    await Promise.all(Array.from({ length: 25 }, (_, n) => add(n)));
    assert.deepEqual(await store.get(key('sum')), { key: key('sum'), value: 25, revision: 25 });
  });
}

function expiry(bench: () => StoreBench): void {
  it('forgets a record when its time has passed, and not before', async () => {
    const { store, key, passTime } = bench();
    await store.put(key('a'), 'x', { expiresInMs: 1_000 });
    assert.equal(typeof (await store.get(key('a')))?.expiresAt, 'number');
    await passTime(900);
    assert.equal((await store.get(key('a')))?.value, 'x');
    await passTime(200);
    assert.equal(await store.get(key('a')), undefined);
    assert.deepEqual(await store.scan(key('')), []);
    assert.equal(await store.delete(key('a')), false);
  });

  it('treats an expired record as absent for compare-and-set', async () => {
    const { store, key, passTime } = bench();
    await store.put(key('a'), 'x', { expiresInMs: 1_000 });
    await store.put(key('b'), 'x', { expiresInMs: 1_000 });
    await passTime(1_100);
    await rejectsWith('FOLKMOOT_STORE_CONFLICT', store.put(key('a'), 'y', { expected: 1 }));
    await rejectsWith('FOLKMOOT_STORE_CONFLICT', store.delete(key('a'), 1));
    assert.equal(await store.put(key('a'), 'y', { expected: 'absent' }), 1);
    assert.equal(await store.put(key('b'), 'y'), 1);
  });

  it('renews the time with each put, and keeps for ever what is put without one', async () => {
    const { store, key, passTime } = bench();
    await store.put(key('a'), 'x', { expiresInMs: 1_000 });
    await store.put(key('b'), 'x', { expiresInMs: 1_000 });
    await passTime(700);
    await store.put(key('a'), 'y', { expiresInMs: 1_000 });
    await store.put(key('b'), 'y');
    await passTime(700);
    assert.equal((await store.get(key('a')))?.value, 'y');
    assert.deepEqual(await store.get(key('b')), { key: key('b'), value: 'y', revision: 2 });
  });
}

function scans(bench: () => StoreBench): void {
  it('finds exactly the keys of a prefix, in order, page by page', async () => {
    const { store, key } = bench();
    let round = 0;
    const property = fc.asyncProperty(
      fc.uniqueArray(keyText, { maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 2 }).filter((text) => !/[\p{Cc}\p{Cs}{}]/u.test(text)),
      fc.integer({ min: 1, max: 4 }),
      async (names, prefix, limit) => {
        const base = key(`${(round += 1)}:`);
        for (const name of names) await store.put(base + name, name);
        const expected = names.filter((name) => name.startsWith(prefix)).sort(byCodePoint);
        const found: string[] = [];
        for (let after: string | undefined; ;) {
          const page = await store.scan<string>(base + prefix, { limit, ...(after === undefined ? {} : { after }) });
          assert.ok(page.length <= limit);
          found.push(...page.map((record) => record.value));
          after = page.at(-1)?.key;
          if (after === undefined) break;
        }
        assert.deepEqual(found, expected);
      },
    );
    await fc.assert(property, { seed: seed(), numRuns: repeats(1_200) });
  });

  it('takes no sign of the prefix as a wildcard', async () => {
    const { store, key } = bench();
    for (const name of ['a*b', 'axb', 'a%b', 'a_b', 'a[x]b', 'a?b']) await store.put(key(name), name);
    for (const name of ['a*', 'a%', 'a_', 'a[x]', 'a?'])
      assert.deepEqual(
        (await store.scan(key(name))).map((record) => record.value),
        [`${name}b`],
      );
  });
}

function transactions(bench: () => StoreBench): void {
  it('changes records and logs together', async () => {
    const { store, key } = bench();
    await store.put(key('gone'), 1);
    await store.transaction([
      { kind: 'put', key: key('a'), value: 'x', expected: 'absent' },
      { kind: 'delete', key: key('gone'), expected: 1 },
      { kind: 'append', log: key('log'), values: ['one', 'two'] },
      { kind: 'put', key: key('a'), value: 'y', expected: 1 },
    ]);
    assert.equal((await store.get(key('a')))?.value, 'y');
    assert.equal(await store.get(key('gone')), undefined);
    assert.equal((await store.readLast(key('log'), 5)).length, 2);
  });

  it('leaves everything as it was when one expectation is not so', async () => {
    const { store, key } = bench();
    const property = fc.asyncProperty(fc.nat({ max: 3 }), async (place) => {
      await store.put(key('a'), 'old');
      const before = await store.get(key('a'));
      const changes: StoreChange[] = [
        { kind: 'put', key: key('a'), value: 'new' },
        { kind: 'put', key: key('b'), value: 'new' },
        { kind: 'append', log: key('log'), values: ['new'] },
      ];
      changes.splice(place, 0, { kind: 'put', key: key('c'), value: 1, expected: 99 });
      await rejectsWith('FOLKMOOT_STORE_CONFLICT', store.transaction(changes));
      assert.deepEqual(await store.get(key('a')), before);
      assert.equal(await store.get(key('b')), undefined);
      assert.deepEqual(await store.readLast(key('log'), 5), []);
    });
    await fc.assert(property, { seed: seed(), numRuns: repeats(160) });
  });

  it('lets one of two transactions with the same expectation win, whole', async () => {
    const { store, key } = bench();
    const mine = (who: string): StoreChange[] => [
      { kind: 'put', key: key('lock'), value: who, expected: 'absent' },
      { kind: 'append', log: key('log'), values: [who, who] },
    ];
    const all = await Promise.allSettled(['a', 'b', 'c'].map((who) => store.transaction(mine(who))));
    assert.equal(all.filter((one) => one.status === 'fulfilled').length, 1);
    const winner = (await store.get(key('lock')))?.value;
    assert.deepEqual(
      (await store.readLast(key('log'), 9)).map((entry) => entry.value),
      [winner, winner],
    );
  });

  it('does nothing for no changes', async () => {
    await bench().store.transaction([]);
  });
}

function connections(bench: () => StoreBench): void {
  it('sees at once what the first one put', async () => {
    const { store, open, key } = bench();
    const other = await open();
    await store.put(key('a'), 'x', { expiresInMs: 60_000 });
    await other.append(key('log'), ['one']);
    assert.deepEqual(await other.get(key('a')), await store.get(key('a')));
    assert.equal(await store.append(key('log'), ['two']), 2);
  });

  it('finds everything after all were closed', async () => {
    const { store, open, key } = bench();
    await store.put(key('a'), 'x', { expiresInMs: 60_000 });
    await store.append(key('log'), ['one', 'two'], { cap: 1 });
    const before = await store.get(key('a'));
    await store.close();
    const later = await open();
    assert.deepEqual(await later.get(key('a')), before);
    assert.deepEqual(await later.readLast(key('log'), 5), [{ index: 2, value: 'two' }]);
  });
}
