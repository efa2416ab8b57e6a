/**
 * The embedded store: one SQLite file, nothing to install. Each call does all its work in one go, so callers of one
 * process never interleave; between processes SQLite's own locks decide.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { systemClock, type Clock } from '../clock.ts';
import { asError, folkmootError, isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { afterPrefix, batchSize, checkChanges, checkKey, checkValue } from './keys.ts';
import { openDatabase } from './sqlite.ts';
import { statements } from './statements.ts';
import type {
  AppendChange,
  AppendOptions,
  DeleteChange,
  Expected,
  LogEntry,
  PutChange,
  ScanOptions,
  Store,
  StoreChange,
  StoreRecord,
} from './store.ts';

export interface EmbeddedStoreOptions {
  /** Folder of `folkmoot.sqlite`, made if missing; `:memory:` keeps nothing. */
  readonly path: string;
  /** Decides what has expired. Default: the system's. */
  readonly clock?: Clock;
  /** What the file holds before spare records are dropped (see `spareEnd`). Default: `limits.storeFileBytes`. */
  readonly mostBytes?: number;
}

/** What has expired is cleared away at most this often, and at most so many at a time: no call ever takes long. */
const sweepEveryMs = 60_000;
const sweepCount = 500;
/** Free pages that stay in the file for what is written next; beyond them it shrinks, by so many at a time. */
const freePages = 1_024;
const vacuumPages = 256;

interface Row {
  readonly key: string;
  readonly value: string;
  readonly revision: number;
  readonly expires_at: number | null;
}

/** Opens the store. Throws FOLKMOOT_STORE_FAILED, or FOLKMOOT_STORE_NEWER for a file of a newer program. */
export function createEmbeddedStore(options: EmbeddedStoreOptions): Store {
  const db = openDatabase(options.path);
  const { path, clock = systemClock, mostBytes = limits.storeFileBytes } = options;
  const file = new EmbeddedFile(db, { path, clock, mostBytes });
  return {
    get: async (key) => file.read(() => file.get(key)),
    put: async (key, value, put) => file.write(() => file.put({ kind: 'put', key, value, ...put })),
    delete: async (key, expected) =>
      file.writeAll(() => file.delete({ kind: 'delete', key, ...(expected === undefined ? {} : { expected }) })),
    scan: async (prefix, scan) => file.read(() => file.scan(prefix, scan)),
    append: async (log, values, append) => file.writeAll(() => file.append(log, values, append)),
    readLast: async (log, count) => file.read(() => file.readLast(log, count)),
    readRange: async (log, from, to) => file.read(() => file.readRange(log, from, to)),
    deleteLog: async (log) => file.writeAll(() => file.deleteLog(log)),
    transaction: async (changes) => {
      checkChanges(changes);
      if (changes.length) file.writeAll(() => file.change(changes));
    },
    close: async () => file.close(),
  };
}

/** The open file: statements prepared once, all synchronous. */
class EmbeddedFile {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #run: { readonly [name in keyof typeof statements]: StatementSync };
  readonly #mostBytes: number;
  #nextSweep: number;

  constructor(db: DatabaseSync, { path, clock, mostBytes }: Required<EmbeddedStoreOptions>) {
    this.#db = db;
    this.#path = path;
    this.#clock = clock;
    this.#mostBytes = mostBytes;
    this.#nextSweep = clock.now() + sweepEveryMs;
    const prepared = Object.entries(statements).map(([name, sql]) => [name, db.prepare(sql)] as const);
    this.#run = Object.fromEntries(prepared) as { [name in keyof typeof statements]: StatementSync };
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  /** Runs a read; what SQLite throws becomes an error of ours. */
  read<T>(work: () => T): T {
    if (!this.#db.isOpen) throw folkmootError('FOLKMOOT_STORE_FAILED', `The store in ${this.#path} is closed.`);
    try {
      return work();
    } catch (error) {
      if (isFolkmootError(error)) throw error;
      const why = asError(error).message;
      throw folkmootError('FOLKMOOT_STORE_FAILED', `The store in ${this.#path} failed: ${why}.`, error);
    }
  }

  /** Runs one changing statement, and now and then clears away what has expired. */
  write<T>(work: () => T): T {
    return this.read(() => {
      const result = work();
      try {
        this.#sweep();
      } catch {
        // The caller's change stands; the next sweep finds the same rows.
      }
      return result;
    });
  }

  /** Runs several changing statements, all or none. */
  writeAll<T>(work: () => T): T {
    return this.write(() => {
      this.#db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        this.#db.exec('COMMIT');
        return result;
      } catch (error) {
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
        throw error;
      }
    });
  }

  get<T>(key: string): StoreRecord<T> | undefined {
    checkKey(key);
    const row = this.#run.get.get({ key, now: this.#clock.now() }) as Row | undefined;
    return row && recordOf<T>(row);
  }

  put(change: PutChange): number {
    const { key, expected } = change;
    checkKey(key);
    const value = checkValue(key, change.value);
    const now = this.#clock.now();
    const bound = { key, value, now, expires: change.expiresInMs === undefined ? null : now + change.expiresInMs };
    const row =
      typeof expected === 'number'
        ? this.#run.putRevision.get({ ...bound, revision: expected })
        : (expected === 'absent' ? this.#run.putAbsent : this.#run.put).get(bound);
    if (!row) throw conflict(key, expected);
    return (row as { revision: number }).revision;
  }

  delete(change: DeleteChange): boolean {
    const { key, expected } = change;
    if (expected === undefined) {
      checkKey(key);
      const row = this.#run.delete.get({ key, now: this.#clock.now() }) as { live: number } | undefined;
      return row?.live === 1;
    }
    const found = this.get(key);
    if ((found?.revision ?? 'absent') !== expected) throw conflict(key, expected);
    if (found) this.#run.delete.get({ key, now: this.#clock.now() });
    return found !== undefined;
  }

  scan<T>(prefix: string, options: ScanOptions = {}): StoreRecord<T>[] {
    const limit = Math.max(0, Math.min(options.limit ?? batchSize, batchSize));
    const below = afterPrefix(prefix);
    const bound = { prefix, after: options.after ?? '', limit, now: this.#clock.now() };
    const rows = below === undefined ? this.#run.scanAll.all(bound) : this.#run.scan.all({ ...bound, below });
    return (rows as unknown as Row[]).map((row) => recordOf<T>(row));
  }

  append(log: string, values: readonly unknown[], options: AppendOptions = {}): number {
    checkKey(log);
    const texts = values.map((value) => checkValue(log, value));
    const now = this.#clock.now();
    const head = this.#head(log, now);
    let last = head?.last ?? 0;
    if (!texts.length) return last;
    if (!head) this.#run.deleteEntries.run({ log });
    for (const value of texts) this.#run.append.run({ log, position: ++last, value });
    const expires = options.expiresInMs === undefined ? (head?.expires_at ?? null) : now + options.expiresInMs;
    this.#run.putLog.run({ log, last, expires });
    const cap = Math.max(1, Math.min(options.cap ?? limits.logEntries, limits.logEntries));
    this.#run.cut.run({ log, upTo: last - cap });
    return last;
  }

  readLast<T>(log: string, count: number): LogEntry<T>[] {
    const last = this.#head(log, this.#clock.now())?.last ?? 0;
    return this.#entries<T>(log, last - Math.max(0, count) + 1, last);
  }

  readRange<T>(log: string, from: number, to: number): LogEntry<T>[] {
    return this.#head(log, this.#clock.now()) ? this.#entries<T>(log, from, to) : [];
  }

  deleteLog(log: string): boolean {
    const live = this.#head(log, this.#clock.now()) !== undefined;
    this.#run.deleteLog.run({ log });
    this.#run.deleteEntries.run({ log });
    return live;
  }

  change(changes: readonly StoreChange[]): void {
    for (const change of changes) {
      if (change.kind === 'put') this.put(change);
      else if (change.kind === 'delete') this.delete(change);
      else this.#appendChange(change);
    }
  }

  #appendChange({ log, values, ...options }: AppendChange): void {
    this.append(log, values, options);
  }

  #head(log: string, now: number): { last: number; expires_at: number | null } | undefined {
    checkKey(log);
    return this.#run.log.get({ log, now }) as { last: number; expires_at: number | null } | undefined;
  }

  #entries<T>(log: string, from: number, to: number): LogEntry<T>[] {
    const bound = { log, from: Math.ceil(Math.max(1, from)), to: Math.floor(Math.min(to, Number.MAX_SAFE_INTEGER)) };
    const rows = this.#run.entries.all(bound) as unknown as { position: number; value: string }[];
    return rows.map((row) => ({ index: row.position, value: JSON.parse(row.value) as T }));
  }

  #sweep(): void {
    const now = this.#clock.now();
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + sweepEveryMs;
    this.#run.sweepRecords.run({ now, count: sweepCount });
    const logs = this.#run.expiredLogs.all({ now, count: 20 }) as unknown as { name: string }[];
    // A log that another process has just made anew must stay: look again inside the transaction.
    for (const { name } of logs) this.writeAll(() => this.#head(name, now) ?? this.deleteLog(name));
    this.#makeRoom();
  }

  /** What was deleted is written over; the file itself shrinks only when much of it is free. */
  #makeRoom(): void {
    const { pages, bytes, free } = this.#run.room.get() as { pages: number; bytes: number; free: number };
    if ((pages - free) * bytes > this.#mostBytes) this.#run.dropSpare.run({ count: sweepCount });
    if (free > freePages) this.#db.exec(`PRAGMA incremental_vacuum(${vacuumPages})`);
  }
}

function recordOf<T>(row: Row): StoreRecord<T> {
  const record = { key: row.key, value: JSON.parse(row.value) as T, revision: row.revision };
  return row.expires_at === null ? record : { ...record, expiresAt: row.expires_at };
}

function conflict(key: string, expected: Expected | undefined): Error {
  const wanted = expected === 'absent' ? 'no record' : `revision ${expected ?? ''}`;
  return folkmootError('FOLKMOOT_STORE_CONFLICT', `The record ${key} is not as expected (${wanted}).`);
}
