/**
 * One process a home. The lock is one of the operating system on a database file, so it ends with the process however
 * that ends, and a process id that was given to another program can't hold a home back.
 */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { asError, folkmootError } from '../engine/errors.ts';
import { readReady } from './ready.ts';

export interface HomeLock {
  release(): void;
}

/** What SQLite answers when another process has the lock; the lower byte tells the kind. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;

async function refusal(folder: string, file: string, error: unknown): Promise<Error> {
  if (!isBusy(error)) {
    const text =
      `The file ${file} cannot be used (${asError(error).message}): delete it, nothing is kept in it, and a new one is ` +
      'made.';
    return folkmootError('FOLKMOOT_START_REFUSED', text, error);
  }
  const ready = await readReady(folder);
  const who = ready ? ` It is process ${ready.pid}, its editor is at ${ready.editor}.` : '';
  const text = `A Folkmoot already runs in ${folder}.${who} Two cannot share one home.`;
  return folkmootError('FOLKMOOT_START_REFUSED', text, error);
}

/** Locks a home. @throws FOLKMOOT_START_REFUSED that names the process that has it, or the file that can't be used. */
export async function lockHome(folder: string): Promise<HomeLock> {
  const file = path.join(folder, 'lock.sqlite');
  let database: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(file);
    database = opened;
    opened.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return { release: () => opened.close() };
  } catch (error) {
    database?.close();
    throw await refusal(folder, file, error);
  }
}
