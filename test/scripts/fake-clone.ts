/**
 * A small copy of this project with its real scripts and nothing else of it: npm, the build, mocha and the home are
 * stand-ins that note how they were called. So the scripts can be tried in seconds, from a bare clone on.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { root } from '../structure/sources.ts';

/** Notes its words; `ci` fills node_modules as the lock says, `install` adds what is optional. */
const npm = `
import { appendFileSync, chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const words = process.argv.slice(2);
appendFileSync(process.env.CALLS, 'npm ' + words.join(' ') + '\\n');
await new Promise((resolve) => setTimeout(resolve, Number(process.env.NPM_MS ?? 0)));
if (process.env.NPM_FAILS === words[0]) process.exit(1);
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const add = (name) => {
  mkdirSync('node_modules/' + name, { recursive: true });
  writeFileSync('node_modules/' + name + '/package.json', '{}');
};
if (words[0] === 'ci') {
  if (process.env.NPM_BRINGS_NODE !== 'no') {
    mkdirSync('node_modules/node/bin', { recursive: true });
    cpSync(process.env.NODE_STAND_IN, 'node_modules/node/bin/node');
    chmodSync('node_modules/node/bin/node', 0o755);
  }
  cpSync('outside/mocha.js', 'node_modules/mocha/bin/mocha.js');
  writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock));
}
if (words[0] === 'install') add('extra');
`;

const build = `
import { appendFileSync, existsSync } from 'node:fs';
import { sourceStamp, writeStamp } from './stamp.mjs';
appendFileSync(process.env.CALLS, 'build\\n');
if (existsSync('engine/broken.ts')) process.exit(1);
await writeStamp(await sourceStamp());
`;

/** Its last word says what the suite does. */
const mocha = `
import { writeFileSync } from 'node:fs';
const what = process.argv.at(-1).split(':');
const tell = (passed, failed, skipped) => writeFileSync(process.env.FOLKMOOT_REPORT, JSON.stringify({ passed, failed, skipped }));
if (what[0] === 'pass') tell(Number(what[1]), 0, 0);
if (what[0] === 'fail') { tell(1, 2, 0); console.log('what went wrong'); process.exit(2); }
if (what[0] === 'skip') { tell(1, 0, 1); console.log('skipped: a peer that is not there'); }
if (what[0] === 'crash') process.exit(134);
if (what[0] === 'lose') writeFileSync(process.env.FOLKMOOT_REPORT + '.progress', JSON.stringify({ at: 'a long way', failed: ['the one before: why'] }));
if (what[0] === 'hang' || what[0] === 'lose') setInterval(() => undefined, 1000);
if (what[0] === 'tell') { tell(0, 1, 0); console.log(['seed', process.env.FOLKMOOT_SEED, 'long', process.env.FOLKMOOT_LONG, process.env.PATH].join(' ')); process.exit(1); }
`;

/** Says where it is and stays until it is ended. */
const home = `
process.on('SIGTERM', () => { console.log('closing'); process.exit(7); });
if (process.argv.includes('--refuse')) process.exit(3);
setInterval(() => undefined, 1000);
console.log('Folkmoot ready ' + process.argv.slice(2).join(' '));
`;

const suites = [
  ['good', 'pass:3', 'short', 30],
  ['other', 'pass:4', 'short', 30],
  ['slow', 'pass:200', 'long', 30],
  ['bad', 'fail', 'long', 30],
  ['fallen', 'crash', 'long', 30],
  ['stuck', 'hang', 'long', 0.1],
  ['lost', 'lose', 'long', 0.15],
  ['peer', 'skip', 'long', 30],
  ['told', 'tell', 'long', 30],
].map(([name, glob, tier, limitSeconds]) => ({ name, globs: [glob], tier, limitSeconds }));

/** A host whose Node.js is 20, for a script that asks for the version. */
const asNode20 = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.11.0'}})`;

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export interface Running {
  readonly child: ChildProcess;
  output(): string;
  readonly ended: Promise<Ended>;
}

export interface RunOptions {
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the host is new enough. */
  readonly isNode20?: boolean;
}

export interface FakeClone {
  readonly folder: string;
  inside(...parts: readonly string[]): string;
  write(file: string, text: string): Promise<void>;
  /** What was called since the last look, without the flags of npm. */
  calls(): Promise<string[]>;
  /** Starts a script of the clone, such as `scripts/start.mjs`. */
  start(script: string, options?: RunOptions): Running;
  run(script: string, options?: RunOptions): Promise<Ended>;
  remove(): Promise<void>;
}

async function fill(folder: string): Promise<void> {
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  };
  await cp(path.join(root, 'scripts'), path.join(folder, 'scripts'), { recursive: true });
  const packages = { '': {}, 'node_modules/one': { version: '1.0.0' } };
  await Promise.all([
    write('package.json', JSON.stringify({ type: 'module', optionalDependencies: {} })),
    write('package-lock.json', JSON.stringify({ packages })),
    write('tsconfig.json', '{}'),
    write('tsconfig.build.json', '{}'),
    write('engine/one.ts', 'export const one = 1;\n'),
    write('nodes/two/two.ts', 'export const two = 2;\n'),
    write('icons/three.svg', '<svg/>'),
    write('bin/start.ts', home),
    write('scripts/build.mjs', build),
    write('test/suites.mjs', `export const suites = ${JSON.stringify(suites)};`),
    write('outside/npm-cli.js', npm),
    write('outside/package.json', '{ "type": "module" }'),
    write('outside/node', `#!/bin/sh\necho "node22 $*" >> "$CALLS"\nexec "${process.execPath}" "$@"\n`),
    write('outside/mocha.js', mocha),
    write(
      'ensure.mjs',
      `import { ensureInstalledAndBuilt } from './scripts/ensure.mjs';
       await ensureInstalledAndBuilt({ say: console.log }).then(
         (node) => console.log('goes on with ' + node),
         (error) => { console.log(error.message); process.exitCode = 1; });`,
    ),
  ]);
  await chmod(path.join(folder, 'outside', 'npm-cli.js'), 0o755);
  await symlink('npm-cli.js', path.join(folder, 'outside', 'npm'));
}

/** What npm and the suites of this project hand to their children is not what a person's shell has. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|FOLKMOOT_|NODE_OPTIONS|CI$)/.test(name)));

export async function fakeClone(): Promise<FakeClone> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-clone-'));
  const inside = (...parts: readonly string[]): string => path.join(folder, ...parts);
  await fill(folder);
  const callsFile = inside('outside', 'calls');
  const start = (script: string, { words = [], env = {}, isNode20 = false }: RunOptions = {}): Running => {
    const child = spawn(process.execPath, [...(isNode20 ? ['--import', asNode20] : []), inside(script), ...words], {
      cwd: folder,
      env: {
        ...cleanEnvironment(),
        PATH: inside('outside'),
        CALLS: callsFile,
        NODE_STAND_IN: inside('outside', 'node'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
    return { child, output: () => output, ended };
  };
  return {
    folder,
    inside,
    start,
    run: (script, options) => start(script, options).ended,
    async write(file, text) {
      await mkdir(path.dirname(inside(file)), { recursive: true });
      await writeFile(inside(file), text);
    },
    async calls() {
      const text = await readFile(callsFile, 'utf8').catch(() => '');
      await rm(callsFile, { force: true });
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.map((line) => line.replaceAll(/ --(?:no-audit|no-fund|include|loglevel)\S*/g, ''));
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
