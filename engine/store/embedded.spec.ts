import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { repeats, seed } from '../../test/red/tier.ts';
import { fakeClock } from '../clock.ts';
import { createEmbeddedStore } from './embedded.ts';
import { rejectsWith } from './store-bench.contract.ts';
import { storeContract } from './store.contract.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'folkmoot-store-'));

storeContract('the embedded store in a file', {
  persists: true,
  makePlace: async () => {
    const clock = fakeClock();
    const path = newFolder();
    return {
      open: async () => createEmbeddedStore({ path, clock }),
      passTime: (ms) => clock.advance(ms),
      remove: async () => rmSync(path, { recursive: true, force: true }),
    };
  },
});

storeContract('the embedded store in memory', {
  persists: false,
  makePlace: async () => {
    const clock = fakeClock();
    return {
      open: async () => createEmbeddedStore({ path: ':memory:', clock }),
      passTime: (ms) => clock.advance(ms),
      remove: async () => undefined,
    };
  },
});

describe('the embedded store', () => {
  let path: string;
  beforeEach(() => void (path = newFolder()));
  afterEach(() => rmSync(path, { recursive: true, force: true }));

  it('makes a missing folder and file that only their owner may read', async () => {
    const folder = join(path, 'deep', 'store');
    await createEmbeddedStore({ path: folder }).close();
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, 'folkmoot.sqlite')).mode & 0o777, 0o600);
  });

  it('refuses a file of a newer program, in words', async () => {
    await createEmbeddedStore({ path }).close();
    const db = new DatabaseSync(join(path, 'folkmoot.sqlite'));
    db.exec('UPDATE schema_version SET version = 99');
    db.close();
    await rejectsWith('FOLKMOOT_STORE_NEWER', (async () => createEmbeddedStore({ path }))());
  });

  it('says which folder cannot be opened', () => {
    const folder = join(path, 'file', 'store');
    writeFileSync(join(path, 'file'), '');
    assert.throws(
      () => createEmbeddedStore({ path: folder }),
      new RegExp(`The store in ${folder} could not be opened`),
    );
  });

  it('clears expired rows away, some at a time, when it writes', async () => {
    const clock = fakeClock();
    const store = createEmbeddedStore({ path, clock });
    for (let n = 0; n < 600; n += 1) await store.put(`key:${n}`, n, { expiresInMs: 1_000 });
    await store.append('log', [1, 2, 3], { expiresInMs: 1_000 });
    const rows = () => {
      const db = new DatabaseSync(join(path, 'folkmoot.sqlite'));
      const count = 'SELECT (SELECT count(*) FROM records) AS records, (SELECT count(*) FROM log_entries) AS entries';
      const found = db.prepare(count).get();
      db.close();
      return { ...found };
    };
    await clock.advance(61_000);
    await store.put('other', 1);
    assert.deepEqual(rows(), { records: 101, entries: 0 });
    await clock.advance(61_000);
    await store.put('other', 2);
    assert.deepEqual(rows(), { records: 1, entries: 0 });
    await store.close();
  });

  it('writes over what was deleted: the file does not grow for ever, and shrinks when much of it is free', async () => {
    const clock = fakeClock();
    const store = createEmbeddedStore({ path, clock });
    const pages = () => {
      const db = new DatabaseSync(join(path, 'folkmoot.sqlite'));
      const found = db.prepare('PRAGMA page_count').get() as { page_count: number };
      db.close();
      return found.page_count;
    };
    const round = async (letter: string) => {
      for (let n = 0; n < 300; n += 1) await store.put(`${letter}:${n}`, 'x'.repeat(20_000), { expiresInMs: 1_000 });
    };
    await round('a');
    const first = pages();
    for (const letter of ['b', 'c', 'd']) {
      await clock.advance(61_000);
      await store.put('sweep', letter);
      await round(letter);
    }
    assert.ok(pages() <= first * 1.1, `${pages()} pages after ${first}`);
    for (let n = 0; n < 3; n += 1) {
      await clock.advance(61_000);
      await store.put('sweep', n);
    }
    assert.ok(pages() <= first - 256, `${pages()} pages after ${first}`);
    await store.close();
  });

  it('drops spare records, soonest to expire first, when it holds more than it may, and nothing else', async () => {
    const clock = fakeClock();
    const store = createEmbeddedStore({ path, clock, mostBytes: 1_000_000 });
    const fill = async (from: number, to: number) => {
      for (let n = from; n < to; n += 1) {
        await store.put(`run:${n}:spare`, 'x'.repeat(2_000), { expiresInMs: 900_000 + n });
        await store.put(`run:${n}:kept`, n, { expiresInMs: 800_000 });
      }
    };
    await fill(0, 700);
    await clock.advance(61_000);
    await store.put('sweep', 1);
    assert.equal(await store.get('run:499:spare'), undefined);
    assert.equal((await store.get('run:500:spare'))?.revision, 1);
    assert.equal((await store.get('run:0:kept'))?.value, 0);
    await clock.advance(61_000);
    await store.put('sweep', 2);
    assert.equal((await store.get('run:500:spare'))?.revision, 1);
    await store.close();
  });
});

describe('the embedded store and processes', function () {
  this.timeout(60_000);
  let path: string;
  beforeEach(() => void (path = newFolder()));
  afterEach(() => rmSync(path, { recursive: true, force: true }));

  const script = new URL('./embedded.child.ts', import.meta.url).pathname;
  const start = (...args: string[]) =>
    spawn(process.execPath, [script, path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });

  it('keeps every acknowledged write when a process is killed, again and again', async function () {
    this.timeout(repeats(200) * 3_000);
    let acknowledged = 0;
    for (let round = 0; round < repeats(200); round += 1) {
      const stopAt = acknowledged + 20 + ((seed() * (round + 7)) % 180);
      const child = start('write', String(acknowledged));
      const exit = once(child, 'exit');
      for await (const line of createInterface({ input: child.stdout })) {
        acknowledged = Number(line);
        if (acknowledged === stopAt) child.kill('SIGKILL');
      }
      await exit;
      const store = createEmbeddedStore({ path });
      const sum = await store.get<number>('folkmoot:{count}:sum');
      const [last] = await store.readLast<number>('folkmoot:{count}:log', 1);
      assert.ok(acknowledged >= stopAt);
      assert.ok((sum?.value ?? 0) >= acknowledged, `lost: ${sum?.value ?? 0} of ${acknowledged}, seed ${seed()}`);
      assert.equal(last?.value, sum?.value, `torn, seed ${seed()}`);
      assert.equal(last?.index, sum?.value, `torn, seed ${seed()}`);
      acknowledged = sum?.value ?? 0;
      await store.close();
    }
  });

  it('lets two processes write one file without losing a count', async () => {
    const children = [start('add', '150'), start('add', '150')];
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
    assert.deepEqual(codes, [0, 0]);
    const store = createEmbeddedStore({ path });
    assert.equal((await store.get('folkmoot:{count}:sum'))?.value, 300);
    assert.equal((await store.readLast('folkmoot:{count}:log', 1))[0]?.index, 300);
    await store.close();
    const db = new DatabaseSync(join(path, 'folkmoot.sqlite'));
    assert.deepEqual({ ...db.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
    db.close();
  });

  it('says nothing on standard error, such as a warning about SQLite', async () => {
    const child = spawn(process.execPath, [script, path, 'add', '1'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let heard = '';
    child.stderr.on('data', (text: Buffer) => (heard += text.toString()));
    await once(child, 'close');
    assert.equal(heard.replaceAll(/.*(type stripping|--trace-warnings).*\n/gi, ''), '');
  });
});
