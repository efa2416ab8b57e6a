/** The database files of a home, tried before its nodes do: each of them would fail by itself. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { asError, folkmootError, isFolkmootError } from '../engine/errors.ts';
import { openDatabase } from '../engine/store/sqlite.ts';
import type { FlowNode } from './flow-file.ts';

const fileName = 'folkmoot.sqlite';

/** Folders of the stores that the flow's connections use; those that a variable names are left to the node. */
function foldersOf(flow: readonly FlowNode[], userDir: string): string[] {
  const backbones = flow.filter(({ type, d }) => type === 'folkmoot-backbone' && d !== true);
  const paths = backbones.map(({ storePath }) => (typeof storePath === 'string' && storePath.trim()) || '');
  const named = paths.filter((place) => place !== '' && place !== ':memory:' && !place.includes('${'));
  return [...new Set([path.join(userDir, 'folkmoot'), ...named])];
}

/**
 * Opens and closes each database that is there.
 * @throws FOLKMOOT_START_REFUSED for one that can't be used, FOLKMOOT_STORE_NEWER for one of a newer version.
 */
export function tryDatabases(flow: readonly FlowNode[], userDir: string): void {
  for (const folder of foldersOf(flow, userDir)) if (existsSync(path.join(folder, fileName))) tryDatabase(folder);
}

function tryDatabase(folder: string): void {
  const file = path.join(folder, fileName);
  try {
    const database = openDatabase(folder);
    try {
      for (const table of ['records', 'logs', 'log_entries']) database.prepare(`SELECT * FROM ${table} LIMIT 1`).all();
    } finally {
      database.close();
    }
  } catch (error) {
    if (isFolkmootError(error, 'FOLKMOOT_STORE_NEWER')) throw error;
    const cause = asError(isFolkmootError(error) ? error.cause : error);
    throw folkmootError(
      'FOLKMOOT_START_REFUSED',
      `${file}, where the home keeps what it remembers, cannot be used (${cause.message}): move it away, and a new one ` +
        'is made.',
      error,
    );
  }
}
