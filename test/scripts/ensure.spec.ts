import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fakeClone, type FakeClone } from './fake-clone.ts';

const script = 'ensure.mjs';
const buildCalls = (clone: FakeClone): string[] => [`node22 ${clone.inside('scripts', 'build.mjs')}`, 'build'];

describe('what npm start and npm test do first', function () {
  this.timeout(20_000);
  let clone: FakeClone;
  beforeEach(async () => {
    clone = await fakeClone();
  });
  afterEach(() => clone.remove());

  const made = async (): Promise<FakeClone> => {
    await clone.run(script);
    await clone.calls();
    return clone;
  };
  const lockWith = (version: string): string =>
    JSON.stringify({ packages: { '': {}, 'node_modules/one': { version } } });

  it('installs and builds a fresh clone, saying so', async () => {
    const { code, output } = await clone.run(script);
    assert.match(
      output,
      /^Installing the packages \(npm ci\).*\nBuilding …\ngoes on with .*node_modules\/node\/bin\/node\n$/,
    );
    assert.equal(code, 0);
    assert.deepEqual(await clone.calls(), ['npm ci', ...buildCalls(clone)]);
  });

  it('says and does nothing where nothing is to do', async () => {
    await made();
    const { output } = await clone.run(script);
    assert.match(output, /^goes on with \S+\n$/);
    assert.deepEqual(await clone.calls(), []);
  });

  it('installs again when the lock names other packages', async () => {
    await made();
    await clone.write('package-lock.json', lockWith('2.0.0'));
    assert.match((await clone.run(script)).output, /^Installing/);
    assert.deepEqual(await clone.calls(), ['npm ci']);
  });

  it('leaves modules alone that are what the lock names', async () => {
    await made();
    await clone.write('package-lock.json', `${lockWith('1.0.0')}\n`);
    assert.match((await clone.run(script)).output, /^goes on with/);
    assert.deepEqual(await clone.calls(), []);
  });

  it('installs again when the modules were deleted', async () => {
    await made();
    await rm(clone.inside('node_modules'), { recursive: true });
    assert.match((await clone.run(script)).output, /^Installing/);
    assert.deepEqual(await clone.calls(), ['npm ci']);
  });

  it('builds again when a source changed, came or went, or the build was deleted', async () => {
    await made();
    const changes: (() => Promise<void>)[] = [
      () => clone.write('engine/one.ts', 'export const one = 11;\n'),
      () => clone.write('nodes/two/new.ts', 'export const more = 1;\n'),
      () => rm(clone.inside('nodes', 'two', 'new.ts')),
      () => rm(clone.inside('dist'), { recursive: true }),
    ];
    for (const change of changes) {
      await change();
      assert.match((await clone.run(script)).output, /^Building …\ngoes on/);
      assert.deepEqual(await clone.calls(), buildCalls(clone));
    }
    await clone.write('engine/one.spec.ts', 'a spec is in no build');
    await clone.run(script);
    assert.deepEqual(await clone.calls(), []);
  });

  it('tells in words what failed, and tries again the next time', async () => {
    const install = await clone.run(script, { env: { NPM_FAILS: 'ci' } });
    assert.deepEqual(
      [install.code, install.output.split('\n').at(-2)],
      [1, 'Installing failed; the lines above say why.'],
    );
    await clone.write('engine/broken.ts', '');
    const build = await clone.run(script);
    assert.deepEqual([build.code, build.output.split('\n').at(-2)], [1, 'Building failed; the lines above say why.']);
    await rm(clone.inside('engine', 'broken.ts'));
    assert.match((await clone.run(script)).output, /^Building …\ngoes on/);
    const without = await clone.run(script, { env: { PATH: '/nowhere' } });
    assert.equal(without.code, 0, 'npm is looked for only when it is needed');
    await rm(clone.inside('node_modules'), { recursive: true });
    assert.match((await clone.run(script, { env: { PATH: '/nowhere' } })).output, /npm was not found/);
  });

  it('lets one of two at once do the work, and the other wait for it', async () => {
    const env = { NPM_MS: '1500' };
    const both = await Promise.all([clone.run(script, { env }), clone.run(script, { env })]);
    assert.deepEqual(await clone.calls(), ['npm ci', ...buildCalls(clone)]);
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
    );
    const [waiting, ...others] = both.filter(({ output }) => output.includes('waiting for it'));
    assert.match(
      waiting?.output ?? '',
      /^Another start is installing or building here; waiting for it …\ngoes on with/,
    );
    assert.equal(others.length, 0);
  });

  it('does not wait for one that is gone', async () => {
    const place = createHash('sha256').update(realpathSync(clone.folder)).digest('hex').slice(0, 16);
    const lock = path.join(os.tmpdir(), `folkmoot-${os.userInfo().uid}-${place}.lock`);
    await writeFile(lock, '4194305');
    const { code } = await clone.run(script);
    assert.equal(code, 0);
    assert.deepEqual(await clone.calls(), ['npm ci', ...buildCalls(clone)]);
    assert.ok(!existsSync(lock));
  });

  it('goes on under the Node.js 22 that was installed where the host has 20', async () => {
    const { output } = await clone.run(script, { isNode20: true });
    assert.ok(output.endsWith(`goes on with ${clone.inside('node_modules', 'node', 'bin', 'node')}\n`), output);
    assert.deepEqual((await clone.calls()).slice(1), buildCalls(clone), 'and builds under it');
  });

  it('refuses in words where there is no Node.js that is new enough', async () => {
    const { code, output } = await clone.run(script, { isNode20: true, env: { NPM_BRINGS_NODE: 'no' } });
    assert.equal(code, 1);
    assert.match(output, /Node\.js 22\.13 or later is needed/);
    const newer = await clone.run(script, { env: { NPM_BRINGS_NODE: 'no' } });
    assert.ok(newer.output.endsWith(`goes on with ${process.execPath}\n`), newer.output);
  });

  it('adds under Node.js 22 what npm left out for the host, or goes on without', async () => {
    await clone.write('package.json', JSON.stringify({ type: 'module', optionalDependencies: { extra: '1' } }));
    const failed = await clone.run(script, { isNode20: true, env: { NPM_FAILS: 'install' } });
    assert.match(failed.output, /Adding extra under Node\.js 22 …\n.*Going on without/);
    assert.equal(failed.code, 0);
    await rm(clone.inside('node_modules'), { recursive: true });
    await clone.calls();
    await clone.run(script, { isNode20: true });
    const [first, second, third] = await clone.calls();
    assert.equal(first, 'npm ci');
    assert.match(second ?? '', /^node22 .*npm-cli\.js install --no-save$/);
    assert.equal(third, 'npm install --no-save');
  });

  it('takes the npm that called it, not the first one on the path', async () => {
    await mkdir(clone.inside('elsewhere'));
    await writeFile(clone.inside('elsewhere', 'npm'), '');
    const env = { PATH: clone.inside('elsewhere'), npm_execpath: clone.inside('outside', 'npm-cli.js') };
    assert.equal((await clone.run(script, { env })).code, 0);
    assert.equal((await clone.calls())[0], 'npm ci');
  });
});
