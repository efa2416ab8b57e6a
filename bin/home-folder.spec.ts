import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fillFolder, prepareFolder } from './home-folder.ts';

const [first, second] = ['first', 'second'].map((name) => JSON.stringify([{ id: 'router', name }])) as [string, string];

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
    await writeFile(shippedFile(), first);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('copies the shipped flow once and leaves what people made of it alone', async () => {
    assert.deepEqual((await fill()).notes, []);
    assert.equal(await readFile(copy(), 'utf8'), first);
    await writeFile(copy(), '["mine"]');
    assert.deepEqual((await fill()).notes, []);
    assert.equal(await readFile(copy(), 'utf8'), '["mine"]');
  });

  it('says when the shipped flow is newer, and changes nothing', async () => {
    await fill();
    await writeFile(shippedFile(), second);
    const { notes } = await fill();
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /newer than your copy.*--fresh/);
    assert.equal(await readFile(copy(), 'utf8'), first);
  });

  it('says so of a copy that people have changed, and not of a flow of their own', async () => {
    await fill();
    await writeFile(copy(), JSON.stringify([{ id: 'router', name: 'mine' }, { id: 'more' }]));
    await writeFile(shippedFile(), second);
    assert.equal((await fill()).notes.length, 1);
    await writeFile(copy(), JSON.stringify([{ id: 'own' }]));
    assert.deepEqual((await fill()).notes, [], 'put in the place of the copy');
    await writeFile(copy(), second);
    await rm(path.join(path.dirname(copy()), '.shipped'));
    assert.deepEqual((await fill()).notes, [], 'put there before the first start');
  });

  it('takes the shipped flow when asked, and loses no earlier one', async () => {
    await fill();
    await writeFile(copy(), '["mine"]');
    await writeFile(shippedFile(), second);
    assert.match((await fill(true)).notes[0] ?? '', /yours is kept as .*flows\.json\.bak/);
    assert.equal(await readFile(copy(), 'utf8'), second);
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

  describe('refuses in words', () => {
    const refuses = (work: Promise<unknown>, text: RegExp) =>
      assert.rejects(work, (error: Error & { code?: string }) => {
        assert.equal(error.code, 'FOLKMOOT_START_REFUSED');
        assert.match(error.message, text);
        assert.match(error.message, /start again\.$/);
        return true;
      });
    const database = () => path.join(folder, 'home', 'node-red', 'folkmoot', 'folkmoot.sqlite');

    it('a file where a folder is needed', async () => {
      const file = path.join(folder, 'file');
      await writeFile(file, '');
      await refuses(prepareFolder(file), /file is a file, but a folder is needed: set FOLKMOOT_HOME to another/);
      await refuses(prepareFolder(path.join(file, 'a', 'home')), /needs a folder where a file is/);
    });

    it('a place where nobody makes folders, without trying for ever', async () => {
      await refuses(prepareFolder('/proc/folkmoot/home'), /The system lets nobody make \/proc\/folkmoot/);
    });

    it('a folder of somebody else', async () => {
      const place = path.join(folder, 'theirs');
      await mkdir(place);
      await chmod(place, 0o555);
      await chmod(folder, 0o755);
      // An administrator may write everywhere, and so has to become somebody else for this.
      const isAdministrator = process.geteuid?.() === 0;
      if (isAdministrator) process.seteuid?.(65_534);
      try {
        await refuses(prepareFolder(place), /You may not read and write .*theirs.*: set FOLKMOOT_HOME to a folder of/);
        await refuses(prepareFolder(path.join(place, 'home')), /You may not read and write .*theirs\/home/);
      } finally {
        if (isAdministrator) process.seteuid?.(0);
      }
    });

    it('a full disk', async () => {
      await prepareFolder(path.join(folder, 'home'));
      await symlink('/dev/full', path.join(folder, 'home', 'node-red', '.shipped'));
      await refuses(fill(), /The disk is full, so that .*home cannot be written: make room on it/);
    });

    it('a flow that cannot be read, unless the shipped one is asked for', async () => {
      await fill();
      for (const text of ['{"a', '', '{"a":1}']) {
        await writeFile(copy(), text);
        await refuses(fill(), /The flow in .*flows\.json cannot be read: .*npm start -- --fresh.* flows\.json\.bak/);
      }
      assert.equal((await fill(true)).notes.length, 1);
      assert.equal(await readFile(copy(), 'utf8'), first);
      assert.equal(await readFile(`${copy()}.bak`, 'utf8'), '{"a":1}');
    });

    it('a file that is no database where the home remembers, its own or one that the flow names', async () => {
      await fill();
      await mkdir(path.dirname(database()));
      await writeFile(database(), 'no database at all, whatever its name says');
      await refuses(fill(), /folkmoot\.sqlite, where the home keeps .* not a database.* move it away/);
      await rm(database());
      const storePath = path.join(folder, 'elsewhere');
      await mkdir(storePath);
      await writeFile(path.join(storePath, 'folkmoot.sqlite'), 'x'.repeat(5_000));
      await writeFile(copy(), JSON.stringify([{ type: 'folkmoot-backbone', storePath }]));
      await refuses(fill(), /elsewhere\/folkmoot\.sqlite.*move it away/);
    });
  });

  it('starts with an empty flow file where Node-RED has its copy of the last deploy', async () => {
    const { userDir } = await fill();
    await writeFile(copy(), '');
    await writeFile(path.join(userDir, '.flows.json.backup'), '[]');
    await fill();
  });
});
