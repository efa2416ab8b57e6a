import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { startValkeyBench, type ValkeyBench } from '../../test/valkey-place.ts';
import { keyPart } from './keys.ts';
import { rejectsWith } from './store-bench.contract.ts';
import { storeContract } from './store.contract.ts';
import type { Store } from './store.ts';
import { createValkeyStore, type ValkeyStoreOptions } from './valkey.ts';

describe('on a Valkey server', () => {
  let bench: ValkeyBench;
  let stores: Store[];
  before(async () => void (bench = await startValkeyBench()));
  after(() => bench.stop());
  beforeEach(async () => {
    stores = [];
    await bench.client.flushall();
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
  });
  const open = (more: Partial<ValkeyStoreOptions> = {}): Store => {
    const store = createValkeyStore(bench.options({ house: 'home', ...more }));
    stores.push(store);
    return store;
  };

  storeContract('the store on Valkey', { persists: true, makePlace: () => bench.makePlace() });

  describe('its keys', () => {
    it('carry the house and, as hash tag, the owner’s id', async () => {
      const store = open({ house: 'Müller: {1}' });
      await store.transaction([
        { kind: 'put', key: 'folkmoot:{run-1}:run', value: { v: 1 } },
        { kind: 'append', log: 'folkmoot:{run-1}:log', values: ['a'] },
      ]);
      await store.put('other', 1);
      const names = (await bench.client.keys('*')).map((name) => name.replace(/:did:(\{[^}]*\}):.*/, ':did:$1'));
      const house = 'folkmoot:Müller%3A %7B1%7D';
      const expected = [':did:{=other}', ':did:{run-1}', ':index:{=other}', ':index:{run-1}', ':log:{run-1}:log'];
      assert.deepEqual(names.sort(), [...expected, ':{=other}other', ':{run-1}:run'].map((end) => house + end).sort());
    });

    it('keep two houses apart, whatever they are called', async () => {
      const houses = ['a', 'b', 'a:log', 'log', 'index', '{a}', 'a%3Alog', keyPart('{a}')];
      const opened = houses.map((house) => open({ house }));
      for (const [n, store] of opened.entries()) {
        await store.put('folkmoot:{x}:k', n);
        await store.put('plain', n);
        await store.append('folkmoot:{x}:l', [n]);
      }
      for (const [n, store] of opened.entries()) {
        assert.deepEqual(
          (await store.scan('')).map(({ key, value }) => [key, value]),
          [
            ['folkmoot:{x}:k', n],
            ['plain', n],
          ],
        );
        assert.deepEqual(await store.readLast('folkmoot:{x}:l', 9), [{ index: 1, value: n }]);
        await store.delete('folkmoot:{x}:k');
      }
    });

    it('say whose a key is that another program uses for something else', async () => {
      const store = open({ sharedLogs: ['conversation:'] });
      await bench.client.set('conversation:c', 'mine');
      await assert.rejects(store.append('conversation:c', [1]), /conversation:c at .* is no list: another program/);
      assert.equal(await bench.client.get('conversation:c'), 'mine');
    });
  });

  describe('scans', () => {
    it('through all owners find the same as through one, in order, page by page', async () => {
      const tag = fc.constantFrom('a', 'ab', 'b', 'a:b', 'ü', '%7D');
      const anyKey = fc
        .tuple(tag, fc.constantFrom('', ':', ':k', ':k:1', ':{x}', 'z'), fc.constantFrom('tagged', 'plain', 'other'))
        .map(([id, rest, kind]) =>
          kind === 'tagged' ? `folkmoot:{${id}}${rest}` : kind === 'plain' ? id + rest : `x{${id}}${rest}`,
        );
      const prefix = fc.constantFrom(
        '',
        'folkmoot:{',
        'folkmoot:{a',
        'folkmoot:{a}',
        'folkmoot:{a}:',
        'x',
        'x{a}',
        'a',
      );
      let house = 0;
      const property = fc.asyncProperty(
        fc.uniqueArray(anyKey, { maxLength: 12 }),
        prefix,
        fc.integer({ min: 1, max: 4 }),
        async (names, start, limit) => {
          const store = createValkeyStore(bench.options({ house: `h${(house += 1)}` }));
          for (const name of names) await store.put(name, name);
          const found: string[] = [];
          for (let after: string | undefined; ;) {
            const page = await store.scan(start, { limit, ...(after === undefined ? {} : { after }) });
            found.push(...page.map(({ key }) => key));
            after = page.at(-1)?.key;
            if (after === undefined) break;
          }
          const wanted = names.filter((name) => name.startsWith(start));
          assert.deepEqual(
            found,
            wanted.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
          );
          await store.close();
        },
      );
      await fc.assert(property, { seed: seed(), numRuns: repeats(600) });
    });
  });

  describe('what has expired', () => {
    const index = 'folkmoot:home:index:{x}';

    it('leaves the index when it is read or when others are written', async () => {
      const store = open();
      for (let n = 0; n < 20; n += 1) await store.put(`folkmoot:{x}:${n}`, n, { expiresInMs: 1_000 });
      await store.put('folkmoot:{x}:kept', 1);
      await bench.passTime(1_001);
      assert.equal(await bench.client.zcard(index), 21);
      for (let n = 0; n < 200; n += 1) await store.put(`folkmoot:{x}:new${n}`, n);
      assert.ok((await bench.client.zcard(index)) < 205);
      assert.equal((await store.scan('folkmoot:{x}')).length, 201);
      assert.equal(await bench.client.zcard(index), 201);
    });

    it('leaves nothing on the server when all of it was to expire', async () => {
      const store = open();
      await store.put('folkmoot:{x}:a', 1, { expiresInMs: 5_000 });
      await store.put('folkmoot:{x}:b', 1, { expiresInMs: 9_000 });
      await store.put('folkmoot:{x}:c', 1, { expiresInMs: 1_000 });
      await store.append('folkmoot:{x}:l', [1], { expiresInMs: 9_000 });
      await bench.passTime(8_000);
      assert.deepEqual(
        (await store.scan('folkmoot:{x}')).map(({ key }) => key),
        ['folkmoot:{x}:b'],
      );
      await bench.passTime(60_000);
      assert.deepEqual(await bench.client.keys('*'), []);
    });
  });

  describe('an address', () => {
    it('that is none is refused in words, without its password', () => {
      for (const url of ['', 'localhost:6379', 'http://x', 'mqtt://x', 'redis://'])
        assert.throws(() => createValkeyStore({ url, house: 'h' }), { code: 'FOLKMOOT_BAD_SETTING' });
      assert.throws(
        () => createValkeyStore({ url: 'http://u:secret@x', house: 'h' }),
        (error: Error) => !error.message.includes('secret'),
      );
    });

    it('may name a database', async () => {
      const store = open({ url: `${bench.server.url}/3` });
      await store.put('k', 1);
      assert.deepEqual(await bench.client.keys('*'), []);
      assert.equal((await store.get('k'))?.value, 1);
    });
  });

  it('refuses what the server has no room for, in words, and keeps what was there', async () => {
    const store = open();
    await store.put('k', 'old');
    await bench.client.config('SET', 'maxmemory', '1');
    await rejectsWith('FOLKMOOT_STORE_FAILED', store.put('k', 'new'));
    await assert.rejects(store.append('l', ['x']), /maxmemory/);
    await bench.client.config('SET', 'maxmemory', '0');
    assert.equal((await store.get('k'))?.value, 'old');
    assert.equal(await store.put('k', 'new'), 2);
  });
});
