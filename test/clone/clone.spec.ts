import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readReady } from '../../bin/ready.ts';
import { amicaClient } from '../amica-client.ts';
import { root } from '../structure/sources.ts';

const run = promisify(execFile);
/** Packages over a slow net, and the build. */
const firstStartMs = 10 * 60_000;

/** The path of a shell that knows nothing of this project. */
const hostPath = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .filter((folder) => folder !== '' && !folder.startsWith(path.join(root, 'node_modules')));

/** Folder of a Node.js 20 of this computer that has npm beside it. */
async function folderOfNode20(): Promise<string | undefined> {
  for (const folder of hostPath) {
    if (!existsSync(path.join(folder, 'npm'))) continue;
    const version = await run(path.join(folder, 'node'), ['--version']).then(
      ({ stdout }) => stdout,
      () => '',
    );
    if (version.startsWith('v20.')) return folder;
  }
  return undefined;
}

describe('a fresh clone on a computer with Node.js 20', function () {
  this.timeout(firstStartMs + 120_000);
  let folder: string;
  let node20: string | undefined;
  const clone = (): string => path.join(folder, 'clone');

  before(async () => {
    node20 = await folderOfNode20();
    folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-fresh-'));
    // As others get it: what is committed, and nothing of this folder.
    await run('git', ['clone', '--quiet', '--no-local', root, clone()]);
  });
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

  const npm = (words: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const own = Object.entries(process.env).filter(([name]) => !/^(npm_|FOLKMOOT_|NODE_OPTIONS)/.test(name));
    const child = spawn('npm', words, {
      cwd: clone(),
      env: { ...Object.fromEntries(own), PATH: [node20, ...hostPath].join(path.delimiter), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, output: () => output };
  };
  const until = async (child: ChildProcess, output: () => string, words: string): Promise<void> => {
    const end = Date.now() + firstStartMs;
    while (!output().includes(words)) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`It did not say "${words}":\n${output()}`);
      await pause(100);
    }
  };

  it('installs, builds, runs the home with npm start and answers a sentence', async function () {
    if (!node20) return this.skip();
    const home = path.join(folder, 'home');
    const { child, output } = npm(['start'], { PORT: '0', FOLKMOOT_MQTT_PORT: '0', FOLKMOOT_HOME: home });
    try {
      await until(child, output, 'Folkmoot ready');
      assert.match(output(), /Installing the packages \(npm ci\)[^]*Building …[^]*Folkmoot ready/);
      const ready = await readReady(home);
      const person = await amicaClient(ready?.mqtt ?? '');
      const id = await person.ask('turn the kitchen light on at 40 %');
      const end = Date.now() + 30_000;
      while (!person.parts(id).some((part) => part.isComplete) && Date.now() < end) await pause(20);
      await person.close();
      assert.match(person.parts(id).at(-1)?.message ?? '', /kitchen light on at 40/i);
    } finally {
      const ended = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGTERM');
      await ended;
    }
  });

  it('runs tests with npm test, without installing again', async function () {
    if (!node20) return this.skip();
    const { child, output } = npm(['test', '--', 'structure', 'rules'], { FOLKMOOT_SHARED: '/nonexistent' });
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 0, output());
    assert.doesNotMatch(output(), /Installing|Building/);
    assert.match(output().trimEnd(), /\n\d+ passed, 0 failed, 0 skipped$/);
  });
});
