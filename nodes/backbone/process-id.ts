/**
 * The name of this process on a bus: the same after a restart, so that a broker gives what came meanwhile. Kept in a
 * small file beside the embedded store; with a store in memory it lasts as long as the process.
 */
import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from '../../engine/clock.ts';
import { newId } from '../../engine/ids.ts';
import { limits } from '../../engine/limits.ts';
import { makeFolder } from '../../engine/make-folder.ts';
import { processClock } from '../shared/process.ts';

export interface ProcessName {
  /** Lower case letters and digits. */
  readonly id: string;
  /** The connection that bore it is closed: another one of this process may have it. */
  release(): void;
}

const fileName = 'process-id.json';
const idForm = /^[a-z0-9]{12,64}$/;
/** For stores in memory, and folders that can not be written. */
const ofThisProcess = newId().replaceAll('-', '');
const inUse = new Map<string, Promise<void>>();

/** Of the folder; made when there is none. */
async function machineId(storePath: string): Promise<string> {
  if (storePath === ':memory:') return ofThisProcess;
  const file = join(storePath, fileName);
  try {
    const { id } = JSON.parse(await readFile(file, 'utf8')) as { id?: unknown };
    if (typeof id === 'string' && idForm.test(id)) return id;
  } catch {
    // It is written anew.
  }
  const id = newId().replaceAll('-', '');
  try {
    makeFolder(storePath);
    await writeFile(`${file}.new`, `${JSON.stringify({ v: 1, id })}\n`);
    await rename(`${file}.new`, file);
    return id;
  } catch {
    return ofThisProcess;
  }
}

/**
 * Two connections of one name throw each other out of a broker: while one of this process still has it (it closes after
 * a deploy), the next one waits, and takes another name when that takes too long.
 * @param nodeId Of the config node; blank: the process's own.
 */
export async function claimProcessName(storePath: string, nodeId: string): Promise<ProcessName> {
  const machine = await machineId(storePath);
  const wanted = createHash('sha256').update(`${machine} ${nodeId}`).digest('hex').slice(0, 16);
  const waited = new AbortController();
  const tooLong = sleep(processClock, limits.deployLingerMs + limits.closeWaitMs, waited.signal).then(
    () => true,
    () => false,
  );
  for (let other = inUse.get(wanted); other; other = inUse.get(wanted)) {
    if (await Promise.race([other.then(() => false), tooLong])) break;
  }
  waited.abort();
  const id = inUse.has(wanted) ? newId().replaceAll('-', '').slice(0, 16) : wanted;
  const { promise, resolve } = Promise.withResolvers<void>();
  inUse.set(id, promise);
  return {
    id,
    release() {
      if (inUse.get(id) === promise) inUse.delete(id);
      resolve();
    },
  };
}
