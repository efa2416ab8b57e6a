/**
 * Makes a fresh clone ready: installs the modules and builds when they are missing or stale, and says so. Plain
 * JavaScript for Node 18 and later without any package, for it runs before there are any.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inRoot, root } from './paths.mjs';
import { isBuildFresh } from './stamp.mjs';

const installedStamp = inRoot('node_modules', '.folkmoot-lock');
const lowestNode = [22, 13];
/** Longest wait for another start that installs or builds. */
const waitForOtherMs = 20 * 60_000;

const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));
const hashOf = (text) => createHash('sha256').update(text).digest('hex');

/** Path of a Node.js that is new enough. @throws in words when there is none. */
export function nodePath() {
  const own = inRoot('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(own)) return own;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > lowestNode[0] || (major === lowestNode[0] && minor >= lowestNode[1]);
  if (isNewEnough) return process.execPath;
  throw new Error(
    `Node.js ${lowestNode.join('.')} or later is needed, and the package "node" that brings it is missing.`,
  );
}

/** Path of npm's own program, so that it can be run by another Node.js than the host's. @throws in words without npm. */
export function npmProgram() {
  const given = process.env.npm_execpath;
  if (given && existsSync(given) && /npm-cli\.c?js$/.test(given)) return given;
  const names = process.platform === 'win32' ? ['npm.cmd'] : ['npm'];
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of names) {
      const found = path.join(folder, name);
      if (!existsSync(found)) continue;
      const cli =
        process.platform === 'win32' ? path.join(folder, 'node_modules/npm/bin/npm-cli.js') : realpathSync(found);
      if (/npm-cli\.c?js$/.test(cli)) return cli;
    }
  }
  throw new Error('npm was not found. It comes with Node.js: install that, then start again.');
}

function run(command, args, what) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${what} failed; the lines above say why.`)),
    );
  });
}

/** True when what lies in node_modules is what the lock names; packages of other systems may be missing. */
async function isInstalled() {
  const lockText = await readFile(inRoot('package-lock.json'), 'utf8');
  if ((await readFile(installedStamp, 'utf8').catch(() => '')) === hashOf(lockText)) return true;
  const hidden = await readJson(inRoot('node_modules', '.package-lock.json')).catch(() => undefined);
  if (!hidden) return false;
  const isThere = ([name, entry]) =>
    name === '' ||
    entry.optional ||
    entry.devOptional ||
    entry.peer ||
    entry.link ||
    hidden.packages?.[name]?.version === entry.version;
  return Object.entries(JSON.parse(lockText).packages).every(isThere);
}

async function missingOptional() {
  const { optionalDependencies = {} } = await readJson(inRoot('package.json'));
  return Object.keys(optionalDependencies).filter((name) => !existsSync(inRoot('node_modules', name, 'package.json')));
}

/**
 * npm under an older Node.js leaves optional packages out that want Node 22, so npm is run again under that one. If one
 * cannot be had at all, the home runs without it.
 */
async function addOptional(npm, say) {
  const missing = await missingOptional();
  if (!missing.length) return;
  say(`Adding ${missing.join(' and ')} under Node.js 22 …`);
  await run(nodePath(), [npm, 'install', '--no-save', ...quiet], 'Adding optional packages').catch((error) =>
    say(`${error.message} Going on without.`),
  );
}

const quiet = ['--no-audit', '--no-fund', '--include=dev', '--include=optional', '--loglevel=error'];

async function install(say) {
  const npm = npmProgram();
  if (!(await isInstalled())) {
    say('Installing the packages (npm ci); the first time this takes a minute or two …');
    await run(process.execPath, [npm, 'ci', ...quiet], 'Installing');
  }
  await addOptional(npm, say);
  await writeFile(installedStamp, hashOf(await readFile(inRoot('package-lock.json'), 'utf8')));
}

const isStampFresh = async () =>
  (await readFile(installedStamp, 'utf8').catch(() => '')) ===
  hashOf(await readFile(inRoot('package-lock.json'), 'utf8'));

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Outside of the folder, because installing empties node_modules. */
const lockFile = () => {
  const owner = os.userInfo().uid;
  return path.join(os.tmpdir(), `folkmoot-${owner}-${hashOf(realpathSync(root)).slice(0, 16)}.lock`);
};

async function takeLock(file) {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  // A file that is still empty is being written; after a few seconds its writer is gone.
  const age =
    Date.now() -
    (await stat(file).then(
      (found) => found.mtimeMs,
      () => Date.now(),
    ));
  if (holder ? !isAlive(holder) : age > 5_000) await rm(file, { force: true });
  return false;
}

/** Runs `work` while no other start of this clone does the same. */
async function alone(say, work) {
  const file = lockFile();
  const until = Date.now() + waitForOtherMs;
  for (let told = false; !(await takeLock(file)); told = true) {
    if (!told) say('Another start is installing or building here; waiting for it …');
    if (Date.now() > until)
      throw new Error(`Another start seems to hang. If none runs, delete ${file} and start again.`);
    await pause(500);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Installs and builds if needed, one process at a time.
 * @param options `say`: gets one line for each thing that takes long.
 * @returns path of the Node.js to go on with. @throws in words when installing or building fails.
 */
export async function ensureInstalledAndBuilt({ say = () => {} } = {}) {
  if ((await isStampFresh()) && (await isBuildFresh())) return nodePath();
  return alone(say, async () => {
    if (!(await isStampFresh())) await install(say);
    if (!(await isBuildFresh())) {
      say('Building …');
      await run(nodePath(), [inRoot('scripts', 'build.mjs')], 'Building');
    }
    return nodePath();
  });
}
