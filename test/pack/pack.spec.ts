import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { npmProgram } from '../../scripts/ensure.mjs';
import { nodeNames, readJson } from '../structure/sources.ts';
import { root, startNodeRed, type RunningNodeRed } from '../red/node-red.ts';

const run = promisify(execFile);
/** Seconds from npm's cache; longer where each package comes over the net. */
const installMs = 120_000;
const facts = readJson('package.json') as {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
};
const example = readJson('examples/1 - one sentence, one lamp.json') as Record<string, unknown>[];

const npm = (args: readonly string[], cwd: string): Promise<{ stdout: string }> =>
  // Under the Node.js that runs this, which is new enough; the host's may not be.
  run(process.execPath, [npmProgram(), ...args], { cwd, maxBuffer: 16_000_000, timeout: installMs });

/** Packs the project as npm would publish it. @returns the files in it, and where it lies. */
async function pack(folder: string): Promise<{ tarball: string; files: string[] }> {
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root);
  const told = JSON.parse(stdout) as unknown;
  // npm 10 gives a list, later ones an object by name.
  const [entry] = Object.values(told as object) as { filename: string; files: { path: string }[] }[];
  assert.ok(entry);
  return { tarball: path.join(folder, entry.filename), files: entry.files.map((file) => file.path) };
}

/** What people do in their user directory; what the package needs and doesn't name is not found there. */
async function install(tarball: string, userDir: string): Promise<void> {
  await npm(['install', tarball, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], userDir);
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
    this.timeout(2 * installMs);
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
    needed.push('dist/nodes/sidebar/sidebar.js', 'dist/nodes/sidebar/sidebar.html');
    needed.push('dist/nodes/sidebar/locales/en-US/sidebar.json', 'dist/nodes/router/icons/folkmoot-sidebar.svg');
    needed.push('examples/1 - one sentence, one lamp.json', 'dist/bin/folkmoot.js', 'dist/bin/commands/chat.js');
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

  it('is installed by npm with what it needs, and nothing of the clone', async () => {
    const installed = path.join(nodeRed.userDir, 'node_modules');
    for (const name of [facts.name, ...Object.keys(facts.dependencies)]) {
      assert.ok((await lstat(path.join(installed, name))).isDirectory(), `${name} is no folder of its own`);
    }
    const home = JSON.parse(await readFile(path.join(nodeRed.userDir, 'package.json'), 'utf8')) as typeof facts;
    assert.deepEqual(Object.keys(home.dependencies), [facts.name]);
  });

  it('brings the program folkmoot', async () => {
    const program = path.join(nodeRed.userDir, 'node_modules', '.bin', 'folkmoot');
    const { stdout } = await run(process.execPath, [program, 'chat', '--help']);
    assert.match(stdout, /^folkmoot chat/);
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

  it('is a library: the program of its page is well typed, and runs to what the page says', async () => {
    const page = await readFile(path.join(root, 'docs', 'library.md'), 'utf8');
    const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
    const file = path.join(nodeRed.userDir, 'garden.mts');
    await writeFile(file, program);
    const { stdout } = await run(process.execPath, [file], { timeout: 30_000 });
    assert.deepEqual(stdout.trim().split('\n'), [
      'mowing the front',
      'CollectWaste at the front',
      'lawn-mower, waste-disposer 2 0',
    ]);
    const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const types = ['--types', 'node', '--typeRoots', path.join(root, 'node_modules', '@types')];
    const strict = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext', ...types];
    await run(process.execPath, [compiler, ...strict, file], { cwd: nodeRed.userDir });
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
