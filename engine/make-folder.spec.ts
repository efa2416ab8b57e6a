import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fakeClock } from './clock.ts';
import { makeFolder } from './make-folder.ts';
import { createEmbeddedStore } from './store/embedded.ts';

describe('a folder that is made where it is missing', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-folder-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('comes with those above it, for its owner only where that is wanted, and may be there', async () => {
    const deep = path.join(folder, 'a', 'b');
    makeFolder(deep, 0o700);
    makeFolder(deep, 0o700);
    for (const one of [deep, path.dirname(deep)]) assert.equal((await stat(one)).mode & 0o777, 0o700, one);
  });

  it('is told in the system’s words when it can not be, and never tried for ever', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    assert.throws(() => makeFolder(file), { code: 'EEXIST' });
    assert.throws(() => makeFolder(path.join(file, 'x', 'y')), { code: 'ENOTDIR' });
    assert.throws(() => makeFolder('/proc/folkmoot/x'), { code: 'ENOENT' });
  });

  it('says which store could not be opened', async () => {
    const open = async () => createEmbeddedStore({ path: '/proc/folkmoot', clock: fakeClock() }).get('k');
    await assert.rejects(open, {
      code: 'FOLKMOOT_STORE_FAILED',
      message: /The store in \/proc\/folkmoot could not be/,
    });
  });
});
