/** Opening the database file of the embedded store: folder, rights, settings, schema and its version. */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type * as Sqlite from 'node:sqlite';
import type { DatabaseSync } from 'node:sqlite';
import { asError, folkmootError, isFolkmootError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import { spare } from './statements.ts';

/** Version of the tables below. A file with a greater one is refused. */
export const schemaVersion = 1;

const settings = `
  PRAGMA busy_timeout = 5000;
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA journal_size_limit = 16777216;
`;

const schema = `
  CREATE TABLE records (
    key TEXT PRIMARY KEY, value TEXT NOT NULL, revision INTEGER NOT NULL, expires_at INTEGER
  ) STRICT;
  CREATE INDEX records_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE logs (name TEXT PRIMARY KEY, last INTEGER NOT NULL, expires_at INTEGER) STRICT, WITHOUT ROWID;
  CREATE INDEX logs_expiry ON logs (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE log_entries (
    name TEXT NOT NULL, position INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name, position)
  ) STRICT, WITHOUT ROWID;
`;

/** Not in the tables' version: programs that don't know it keep it as well. */
const spareIndex = `CREATE INDEX IF NOT EXISTS records_spare ON records (expires_at) WHERE ${spare}`;

/**
 * Opens `<folder>/folkmoot.sqlite` (made with rights for its owner only), or a database in memory for `:memory:`.
 * A process killed at any moment loses nothing that was acknowledged; after a power cut the last moments may be gone,
 * but never something from the middle (WAL, synchronous NORMAL: no wait for the SD card at each write).
 * Throws FOLKMOOT_STORE_FAILED, or FOLKMOOT_STORE_NEWER for a file of a newer version.
 */
export function openDatabase(folder: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new (sqlite().DatabaseSync)(fileIn(folder));
    db.exec(settings);
    prepareSchema(db, folder);
    return db;
  } catch (error) {
    if (db?.isOpen) db.close();
    if (isFolkmootError(error)) throw error;
    const why = asError(error).message;
    throw folkmootError('FOLKMOOT_STORE_FAILED', `The store in ${folder} could not be opened: ${why}.`, error);
  }
}

function fileIn(folder: string): string {
  if (folder === ':memory:') return folder;
  makeFolder(folder, 0o700);
  const file = join(folder, 'folkmoot.sqlite');
  closeSync(openSync(file, 'a', 0o600));
  return file;
}

function prepareSchema(db: DatabaseSync, folder: string): void {
  // One writer at a time: two processes that start together on a new file must not both make the tables.
  db.exec('BEGIN IMMEDIATE');
  try {
    db.exec('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL) STRICT');
    const found = db.prepare('SELECT version FROM schema_version').get() as { version: number } | undefined;
    if (found && found.version > schemaVersion) {
      const versions = `version ${found.version}, this program knows ${schemaVersion}`;
      throw folkmootError(
        'FOLKMOOT_STORE_NEWER',
        `The store in ${folder} was written by a newer program: ${versions}.`,
      );
    }
    if (!found) {
      db.exec(schema);
      db.prepare('INSERT INTO schema_version VALUES (?)').run(schemaVersion);
    }
    db.exec(spareIndex);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

/** `node:sqlite`, loaded on first use, without its one "experimental" warning: nobody who reads the log can act on it. */
function sqlite(): typeof Sqlite {
  const emitWarning = process.emitWarning.bind(process) as (...args: readonly unknown[]) => void;
  const original = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  process.emitWarning = (...args: readonly unknown[]) => {
    if (!String(args[0]).startsWith('SQLite is an experimental feature')) emitWarning(...args);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    if (original) Object.defineProperty(process, 'emitWarning', original);
  }
}
