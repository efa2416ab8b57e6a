import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryIndexContract } from './memory-index.contract.ts';
import { openVectraIndex } from './vectra-index.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'memory-index-'));
const clear = (folder: string) => rmSync(folder, { recursive: true, force: true });
const inFolder = (folder: string) => openVectraIndex({ folder, embedId: 'three', dimensions: 3 });

memoryIndexContract('the vectra index in a folder', {
  persists: true,
  makePlace: async () => {
    const folder = newFolder();
    return {
      open: async () => inFolder(join(folder, 'memory')),
      remove: async () => clear(folder),
    };
  },
});

memoryIndexContract('the vectra index in memory', {
  persists: false,
  makePlace: async () => {
    const made = openVectraIndex({ embedId: 'three', dimensions: 3 });
    let isFirst = true;
    return {
      // Another user of a place without a name is the same index with a close of its own.
      open: async () => {
        if (isFirst) {
          isFirst = false;
          return made;
        }
        let closed = false;
        const open = () => (closed ? openClosed() : made);
        return {
          add: (entries) => open().add(entries),
          remove: (ids) => open().remove(ids),
          query: (query) => open().query(query),
          rebuild: (entries) => open().rebuild(entries),
          ids: () => open().ids(),
          close: async () => void (closed = true),
        };
      },
      remove: async () => undefined,
    };
  },
});

/** An index whose every call says that it is closed. */
function openClosed() {
  const index = openVectraIndex({ embedId: 'three', dimensions: 3 });
  void index.close();
  return index;
}

describe('the vectra index and its file', () => {
  let folder: string;
  beforeEach(() => void (folder = newFolder()));
  afterEach(() => clear(folder));
  const file = () => join(folder, 'three.json');
  const a = { id: 'a', vector: [1, 0, 0], subject: 'anna' };

  it('begins anew when the file was cut off or holds something else', async () => {
    for (const spoil of [
      () => truncateSync(file(), 20),
      () => writeFileSync(file(), 'nonsense'),
      () => writeFileSync(file(), '{"version":1,"metadata_config":{},"items":[{"id":"x","vector":[1],"norm":1}]}'),
    ]) {
      const before = inFolder(folder);
      await before.add([a]);
      await before.close();
      spoil();
      const after = inFolder(folder);
      assert.deepEqual([...(await after.ids())], []);
      await after.add([a]);
      assert.deepEqual([...(await after.ids())], ['a']);
      await after.close();
    }
  });

  it('touches no other file of its folder, and leaves none half written', async () => {
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    const index = inFolder(folder);
    await index.rebuild([a]);
    await index.close();
    assert.deepEqual(readdirSync(folder).sort(), ['mine.txt', 'three.json']);
    assert.equal(readFileSync(join(folder, 'mine.txt'), 'utf8'), 'mine');
  });

  it('writes once for many changes that come together', async () => {
    const index = inFolder(folder);
    await index.add([a]);
    let writes = 0;
    let seen = readFileSync(file(), 'utf8');
    await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        await index.add([{ ...a, id: `n${at}` }]);
        const now = readFileSync(file(), 'utf8');
        if (now !== seen) writes += 1;
        seen = now;
      }),
    );
    assert.equal(writes, 1);
    await index.close();
  });

  it('says which folder cannot be used', async () => {
    writeFileSync(join(folder, 'file'), '');
    const index = inFolder(join(folder, 'file', 'memory'));
    await assert.rejects(index.add([a]), new RegExp(`The memory index in ${folder}.*failed`));
    assert.equal(existsSync(join(folder, 'file', 'memory')), false);
    await index.close();
  });
});
