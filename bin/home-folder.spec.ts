import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fillFolder, prepareFolder } from './home-folder.ts';

describe('the folder of a home', () => {
  let folder = '';
  const shippedFile = () => path.join(folder, 'shipped.json');
  const copy = () => path.join(folder, 'home', 'node-red', 'flows.json');
  const fill = async (isFresh = false) => {
    await prepareFolder(path.join(folder, 'home'));
    return fillFolder(path.join(folder, 'home'), { shippedFile: shippedFile(), isFresh });
  };
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-folder-'));
    await writeFile(shippedFile(), '["first"]');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('copies the shipped flow once and leaves what people made of it alone', async () => {
    assert.deepEqual((await fill()).notes, []);
    assert.equal(await readFile(copy(), 'utf8'), '["first"]');
    await writeFile(copy(), '["mine"]');
    assert.deepEqual((await fill()).notes, []);
    assert.equal(await readFile(copy(), 'utf8'), '["mine"]');
  });

  it('says when the shipped flow is newer, and changes nothing', async () => {
    await fill();
    await writeFile(shippedFile(), '["second"]');
    const { notes } = await fill();
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /newer than your copy.*--fresh/);
    assert.equal(await readFile(copy(), 'utf8'), '["first"]');
  });

  it('takes the shipped flow when asked, and loses no earlier one', async () => {
    await fill();
    await writeFile(copy(), '["mine"]');
    await writeFile(shippedFile(), '["second"]');
    assert.match((await fill(true)).notes[0] ?? '', /yours is kept as .*flows\.json\.bak/);
    assert.equal(await readFile(copy(), 'utf8'), '["second"]');
    assert.equal(await readFile(`${copy()}.bak`, 'utf8'), '["mine"]');
    await writeFile(copy(), '["mine again"]');
    await fill(true);
    assert.equal(await readFile(`${copy()}.bak`, 'utf8'), '["mine"]');
    assert.equal(await readFile(`${copy()}.bak2`, 'utf8'), '["mine again"]');
    assert.deepEqual((await fill()).notes, []);
  });

  it('makes a secret of its own that only its owner may read, and keeps it', async () => {
    const first = await fill();
    const second = await fill();
    assert.match(first.credentialSecret, /^[0-9a-f]{64}$/);
    assert.equal(second.credentialSecret, first.credentialSecret);
    const { mode } = await stat(path.join(first.userDir, 'credential-secret'));
    assert.equal(mode & 0o777, 0o600);
    const names = await readdir(first.userDir);
    assert.ok(names.includes('flows.json'));
  });

  it('refuses in words where it cannot be made', async () => {
    await writeFile(path.join(folder, 'file'), '');
    await assert.rejects(prepareFolder(path.join(folder, 'file', 'home')), /FOLKMOOT_HOME\) cannot be made/);
  });
});
