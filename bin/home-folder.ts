/** The folder of a home: the user directory of Node-RED with a copy of the shipped flow, and a secret of its own. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { folkmootError } from '../engine/errors.ts';

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
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

async function secretOf(userDir: string): Promise<string> {
  const file = path.join(userDir, 'credential-secret');
  const kept = (await readText(file)).trim();
  if (kept) {
    await chmod(file, 0o600);
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
  const copiedHash = path.join(userDir, '.shipped');
  const take = async () => {
    await writeFile(copy, shipped, { mode: 0o600 });
    await writeFile(copiedHash, hashOf(shipped));
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
  if ((await readText(copiedHash)).trim() === hashOf(shipped)) return [];
  return ['The shipped flow is newer than your copy. "npm start -- --fresh" takes it and keeps yours as .bak.'];
}

/**
 * Makes the folder ready.
 * @throws FOLKMOOT_START_REFUSED when it can't be written.
 */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(path.join(folder, 'node-red'), { recursive: true, mode: 0o700 });
  } catch (error) {
    const text = `The folder ${folder} (FOLKMOOT_HOME) cannot be made: ${(error as Error).message}.`;
    throw folkmootError('FOLKMOOT_START_REFUSED', text, error);
  }
}

/**
 * Puts the flow and the secret in place. Only the process that holds the home's lock may call it.
 * @param options `shippedFile`: the flow of the package; `isFresh`: take it even if there is a copy.
 */
export async function fillFolder(
  folder: string,
  options: { readonly shippedFile: string; readonly isFresh: boolean },
): Promise<HomeFolder> {
  const userDir = path.join(folder, 'node-red');
  const notes = await placeFlow(userDir, options.shippedFile, options.isFresh);
  return { folder, userDir, flowFile, credentialSecret: await secretOf(userDir), notes };
}
