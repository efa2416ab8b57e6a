/**
 * The stamp of a build: a hash of everything that goes into `dist`. It is written last, so a build that broke off leaves
 * none, and whoever starts the home or the tests compares it to know whether the build is stale.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { inRoot } from './paths.mjs';

const stampFile = inRoot('dist', '.build', 'stamp');
const sourceFolders = ['engine', 'nodes', 'bin', 'icons'];
const sourceFiles = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/editor-page.mjs',
  'scripts/stamp.mjs',
];
const isIgnored = (name) => /\.(spec|contract)\.ts$/.test(name) || path.basename(name).startsWith('.');

async function filesBelow(folder) {
  const entries = await readdir(inRoot(folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** Hash of the sources of a build, as hex text. */
export async function sourceStamp() {
  const below = (await Promise.all(sourceFolders.map(filesBelow))).flat();
  const files = [...below, ...sourceFiles.map((name) => inRoot(name))].filter((name) => !isIgnored(name)).sort();
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(path.relative(inRoot(), file)).update('\0');
    hash.update(await readFile(file)).update('\0');
  }
  return hash.digest('hex');
}

/** The stamp of the build that lies in `dist`, or nothing. */
export async function builtStamp() {
  return readFile(stampFile, 'utf8').catch(() => undefined);
}

export async function isBuildFresh() {
  return (await builtStamp()) === (await sourceStamp());
}

export async function writeStamp(stamp) {
  await mkdir(path.dirname(stampFile), { recursive: true });
  await writeFile(stampFile, stamp);
}
