import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { lockHome } from './home-lock.ts';

describe('the lock of a home', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is had by one only, until it is released', async () => {
    const lock = await lockHome(folder);
    await assert.rejects(lockHome(folder), /A Folkmoot already runs in .* Two cannot share one home\./);
    lock.release();
    (await lockHome(folder)).release();
  });

  it('says which file is in the way when it cannot be opened', async () => {
    await writeFile(path.join(folder, 'lock.sqlite'), 'no database at all, whatever its name says');
    await assert.rejects(
      lockHome(folder),
      /The file .*lock\.sqlite cannot be used .*: delete it, nothing is kept in it/,
    );
    await assert.rejects(lockHome(path.join(folder, 'gone')), /gone\/lock\.sqlite cannot be used \(unable to open/);
  });
});
