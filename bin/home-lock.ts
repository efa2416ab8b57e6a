/**
 * One process a home. The lock is one of the operating system on a database file, so it ends with the process however
 * that ends, and a process id that was given to another program can't hold a home back.
 */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { folkmootError } from '../engine/errors.ts';
import { readReady } from './ready.ts';

export interface HomeLock {
  release(): void;
}

/** Locks a home. @throws FOLKMOOT_START_REFUSED that names the process that has it. */
export async function lockHome(folder: string): Promise<HomeLock> {
  const database = new DatabaseSync(path.join(folder, 'lock.sqlite'));
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    const ready = await readReady(folder);
    const who = ready ? ` It is process ${ready.pid}, its editor is at ${ready.editor}.` : '';
    const text = `A Folkmoot already runs in ${folder}.${who} Two cannot share one home.`;
    throw folkmootError('FOLKMOOT_START_REFUSED', text, error);
  }
  return { release: () => database.close() };
}
