import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { nodeNames, readJson } from '../structure/sources.ts';
import { root, startNodeRed, type RunningNodeRed } from '../support/node-red.ts';

const run = promisify(execFile);
const facts = readJson('package.json') as {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};
const example = readJson('examples/1 - one sentence, one lamp.json') as Record<string, unknown>[];

/** Packs the project as npm would publish it. @returns the files in it, and where it lies. */
async function pack(folder: string): Promise<{ tarball: string; files: string[] }> {
  const npm = process.env['npm_execpath'];
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = npm
    ? await run(process.execPath, [npm, ...args], { cwd: root, maxBuffer: 16_000_000 })
    : await run('npm', args, { cwd: root, maxBuffer: 16_000_000 });
  const told = JSON.parse(stdout) as unknown;
  // npm 10 gives a list, later ones an object by name.
  const [entry] = Object.values(told as object) as { filename: string; files: { path: string }[] }[];
  assert.ok(entry);
  return { tarball: path.join(folder, entry.filename), files: entry.files.map((file) => file.path) };
}

/**
 * What `npm install` does with the tarball, without a network: it is unpacked, and beside it lie the packages that it
 * names, and no others. What it needs and doesn't name is not found.
 */
async function install(tarball: string, userDir: string): Promise<void> {
  const modules = path.join(userDir, 'node_modules');
  const target = path.join(modules, facts.name);
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  for (const name of Object.keys({ ...facts.dependencies, ...facts.optionalDependencies })) {
    await mkdir(path.dirname(path.join(modules, name)), { recursive: true });
    await symlink(path.join(root, 'node_modules', name), path.join(modules, name), 'dir');
  }
}

interface NodeSet {
  readonly module: string;
  readonly types: readonly string[];
  readonly enabled: boolean;
  readonly err?: unknown;
}

describe('the packed package', function () {
  this.timeout(90_000);
  let folder: string;
  let files: string[];
  let nodeRed: RunningNodeRed;

  before(async function () {
    this.timeout(150_000);
    folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-pack-'));
    const packed = await pack(folder);
    files = packed.files;
    // The debug nodes speak to the log, where this spec listens.
    const flows = example.map((node) => (node['type'] === 'debug' ? { ...node, console: true } : node));
    nodeRed = await startNodeRed({ flows, prepare: (userDir) => install(packed.tarball, userDir) });
  });
  after(async () => {
    await nodeRed?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('holds what each node needs', () => {
    const needed = nodeNames().flatMap((name) => [
      `dist/nodes/${name}/${name}.js`,
      `dist/nodes/${name}/${name}.html`,
      `dist/nodes/${name}/locales/en-US/${name}.json`,
      `dist/nodes/router/icons/folkmoot-${name}.svg`,
    ]);
    needed.push('package.json', 'README.md', 'LICENSE', 'dist/engine/index.js', 'dist/nodes/asks-look/asks-look.html');
    needed.push('examples/1 - one sentence, one lamp.json');
    assert.deepEqual(
      needed.filter((file) => !files.includes(file)),
      [],
    );
  });

  it('holds no tests, sources, caches or pictures', () => {
    const surplus =
      /\.(?:spec|contract)\.|\.editor\.ts$|^test\/|^bin\/|^node_modules\/|\/\.build\/|\.png$|^\.|\.ts$(?<!\.d\.ts)/;
    assert.deepEqual(
      files.filter((file) => surplus.test(file)),
      [],
    );
  });

  it('brings all its nodes into a bare Node-RED', async () => {
    const answer = await fetch(`${nodeRed.url}/nodes`, { headers: { accept: 'application/json' } });
    const sets = ((await answer.json()) as NodeSet[]).filter((set) => set.module === facts.name);
    assert.deepEqual(
      sets.filter((set) => set.err !== undefined || !set.enabled),
      [],
    );
    const types = sets.flatMap((set) => set.types).sort();
    assert.deepEqual(
      types,
      nodeNames()
        .map((name) => `folkmoot-${name}`)
        .sort(),
    );
  });

  it('runs an example there', async () => {
    const inject = example.find((node) => node['type'] === 'inject' && String(node['payload']).includes('40 %'));
    const answer = await fetch(`${nodeRed.url}/inject/${String(inject?.['id'])}`, { method: 'POST' });
    assert.equal(answer.status, 200);
    const until = Date.now() + 30_000;
    while (!/kitchen light on at 40/i.test(nodeRed.log()) && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.match(nodeRed.log(), /room: 'kitchen', state: 'on', brightness: 40/);
    assert.match(nodeRed.log(), /kitchen light on at 40/i);
  });
});
