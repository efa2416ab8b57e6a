/** The folder of a home: the user directory of Node-RED with a copy of the shipped flow, and a secret of its own. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readFlow, type FlowNode } from './flow-file.ts';
import { tryDatabases } from './home-database.ts';
import { inWords } from './refusal.ts';
import { makeWritable } from './writable-folder.ts';

export interface HomeFolder {
  readonly folder: string;
  readonly userDir: string;
  readonly flowFile: string;
  /** Node-RED encrypts credentials with it. */
  readonly credentialSecret: string;
  /** Sentences for people about what was done with the flow. */
  readonly notes: readonly string[];
}

const flowFile = 'flows.json';
/** Which shipped flow was taken. */
const hashFile = '.shipped';
const newer = 'The shipped flow is newer than your copy. "npm start -- --fresh" takes it and keeps yours as .bak.';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Blank when there is none; one that can't be read must not be taken for a missing one and written anew. */
async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Takes the rights of everybody else away, if they have any: some disks know no rights, and some can only be read. */
async function keepToOwner(file: string): Promise<void> {
  const { mode } = await stat(file);
  if (mode & 0o077) await chmod(file, 0o600).catch(() => undefined);
}

async function secretOf(userDir: string): Promise<string> {
  const file = path.join(userDir, 'credential-secret');
  const kept = (await readText(file)).trim();
  if (kept) {
    await keepToOwner(file);
    return kept;
  }
  const secret = randomBytes(32).toString('hex');
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** A name that is still free, so that an older copy is never lost: `flows.json.bak`, `flows.json.bak2`, … */
function backupName(file: string): string {
  for (let count = 1; ; count++) {
    const name = `${file}.bak${count === 1 ? '' : count}`;
    if (!existsSync(name)) return name;
  }
}

async function placeFlow(userDir: string, shippedFile: string, isFresh: boolean): Promise<string[]> {
  const shipped = await readFile(shippedFile, 'utf8');
  const copy = path.join(userDir, flowFile);
  const take = async () => {
    await writeFile(copy, shipped, { mode: 0o600 });
    await writeFile(path.join(userDir, hashFile), hashOf(shipped));
  };
  if (!existsSync(copy)) {
    await take();
    return [];
  }
  if (isFresh) {
    const backup = backupName(copy);
    await rename(copy, backup);
    const credentials = path.join(userDir, 'flows_cred.json');
    if (existsSync(credentials)) await copyFile(credentials, backupName(credentials));
    await take();
    return [`Took the shipped flow; yours is kept as ${backup}.`];
  }
  return [];
}

/** Whether a flow was made of the shipped one, as it was then. One's own has nothing in common with it. */
async function isBehind(userDir: string, shippedFile: string, flow: readonly FlowNode[]): Promise<boolean> {
  const taken = (await readText(path.join(userDir, hashFile))).trim();
  if (taken === '' || taken === hashOf(await readFile(shippedFile, 'utf8'))) return false;
  const ids = new Set((await readFlow(shippedFile)).map(({ id }) => id));
  return flow.some(({ id }) => ids.has(id));
}

/**
 * Makes the folder ready.
 * @throws FOLKMOOT_START_REFUSED when it can't be made or written, or the disk is full.
 */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await makeWritable(folder);
    await makeWritable(path.join(folder, 'node-red'));
  } catch (error) {
    throw inWords(error, folder);
  }
}

/**
 * Puts the flow and the secret in place. Only the process that holds the home's lock may call it.
 * @param options `shippedFile`: the flow of the package; `isFresh`: take it even if there is a copy.
 * @throws FOLKMOOT_START_REFUSED when a file can't be written, or the flow or a database can't be read.
 */
export async function fillFolder(
  folder: string,
  options: { readonly shippedFile: string; readonly isFresh: boolean },
): Promise<HomeFolder> {
  const userDir = path.join(folder, 'node-red');
  try {
    const notes = await placeFlow(userDir, options.shippedFile, options.isFresh);
    const credentialSecret = await secretOf(userDir);
    const flow = await readFlow(path.join(userDir, flowFile));
    if (await isBehind(userDir, options.shippedFile, flow)) notes.push(newer);
    tryDatabases(flow, userDir);
    return { folder, userDir, flowFile, credentialSecret, notes };
  } catch (error) {
    throw inWords(error, folder);
  }
}
