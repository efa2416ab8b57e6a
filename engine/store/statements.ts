import { spareEnd } from './keys.ts';

/** SQL of the embedded store. An expired row counts as absent everywhere: `live` says so in one place. */

const live = '(expires_at IS NULL OR expires_at > :now)';
const columns = 'key, value, revision, expires_at';
const insert = 'INSERT INTO records (key, value, revision, expires_at) VALUES (:key, :value, 1, :expires)';

/** Records that may be dropped before their time; an index holds them in the order of their expiry. */
export const spare = `substr(key, ${-1 - spareEnd.length}) = ':${spareEnd}'`;

export const statements = {
  get: `SELECT ${columns} FROM records WHERE key = :key AND ${live}`,
  put: `${insert} ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at,
    revision = CASE WHEN ${live} THEN revision + 1 ELSE 1 END RETURNING revision`,
  putAbsent: `${insert} ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at,
    revision = 1 WHERE NOT ${live} RETURNING revision`,
  putRevision: `UPDATE records SET value = :value, expires_at = :expires, revision = revision + 1
    WHERE key = :key AND revision = :revision AND ${live} RETURNING revision`,
  delete: `DELETE FROM records WHERE key = :key RETURNING ${live} AS live`,
  scan: `SELECT ${columns} FROM records WHERE key >= :prefix AND key < :below AND key > :after AND ${live}
    ORDER BY key LIMIT :limit`,
  scanAll: `SELECT ${columns} FROM records WHERE key >= :prefix AND key > :after AND ${live} ORDER BY key LIMIT :limit`,
  log: `SELECT last, expires_at FROM logs WHERE name = :log AND ${live}`,
  putLog: `INSERT INTO logs (name, last, expires_at) VALUES (:log, :last, :expires)
    ON CONFLICT (name) DO UPDATE SET last = excluded.last, expires_at = excluded.expires_at`,
  deleteLog: 'DELETE FROM logs WHERE name = :log',
  append: 'INSERT INTO log_entries (name, position, value) VALUES (:log, :position, :value)',
  cut: 'DELETE FROM log_entries WHERE name = :log AND position <= :upTo',
  entries: `SELECT position, value FROM log_entries WHERE name = :log AND position BETWEEN :from AND :to
    ORDER BY position`,
  deleteEntries: 'DELETE FROM log_entries WHERE name = :log',
  sweepRecords: `DELETE FROM records WHERE rowid IN
    (SELECT rowid FROM records WHERE expires_at <= :now ORDER BY expires_at LIMIT :count)`,
  dropSpare: `DELETE FROM records WHERE rowid IN
    (SELECT rowid FROM records WHERE ${spare} ORDER BY expires_at LIMIT :count)`,
  room: `SELECT page_count AS pages, page_size AS bytes, freelist_count AS free
    FROM pragma_page_count, pragma_page_size, pragma_freelist_count`,
  expiredLogs: 'SELECT name FROM logs WHERE expires_at <= :now ORDER BY expires_at LIMIT :count',
} as const;
