/**
 * The store port: records with expiry and compare-and-set, logs with a length cap, scans by prefix, transactions.
 * Nouns of ours, not commands of a database (architecture.md 7). Every adapter passes `store.contract.ts`.
 *
 * Keys are text of at most 512 characters, with the owner's id as hash tag: `folkmoot:{<run>}:effects:<id>`.
 * Values are plain JSON, at most `limits.storeValueBytes` when written as JSON.
 */

export interface StoreRecord<T = unknown> {
  readonly key: string;
  readonly value: T;
  /** Grows by one with each put; 1 at first. */
  readonly revision: number;
  /** Milliseconds since the epoch; absent: kept for ever. */
  readonly expiresAt?: number;
}

/** What must be true for a change: the record's revision, or `absent`. */
export type Expected = number | 'absent';

export interface PutOptions {
  readonly expiresInMs?: number;
  readonly expected?: Expected;
}

export interface LogEntry<T = unknown> {
  /** Counts from 1 in each log and never goes back, also after old entries were cut. */
  readonly index: number;
  readonly value: T;
}

export interface AppendOptions {
  /** Keep only the newest so many. */
  readonly cap?: number;
  /** The whole log expires this long after its last append. */
  readonly expiresInMs?: number;
}

export type StoreChange =
  | {
      readonly kind: 'put';
      readonly key: string;
      readonly value: unknown;
      readonly expiresInMs?: number;
      readonly expected?: Expected;
    }
  | { readonly kind: 'delete'; readonly key: string; readonly expected?: Expected }
  | {
      readonly kind: 'append';
      readonly log: string;
      readonly values: readonly unknown[];
      readonly cap?: number;
      readonly expiresInMs?: number;
    };

export interface ScanOptions {
  /** Keys greater than this one. */
  readonly after?: string;
  /** Default and most: 1000. */
  readonly limit?: number;
}

export interface Store {
  get<T = unknown>(key: string): Promise<StoreRecord<T> | undefined>;
  /** Gives the new revision. Throws FOLKMOOT_STORE_CONFLICT when `expected` is not so. */
  put(key: string, value: unknown, options?: PutOptions): Promise<number>;
  /** Gives whether there was one. Throws FOLKMOOT_STORE_CONFLICT when `expected` is not so. */
  delete(key: string, expected?: Expected): Promise<boolean>;
  /** Records whose key begins with the prefix, in order of their keys. */
  scan<T = unknown>(prefix: string, options?: ScanOptions): Promise<readonly StoreRecord<T>[]>;
  /** Appends in order; gives the index of the last entry. */
  append(log: string, values: readonly unknown[], options?: AppendOptions): Promise<number>;
  /** The newest `count` entries, oldest first. */
  readLast<T = unknown>(log: string, count: number): Promise<readonly LogEntry<T>[]>;
  /** Entries with `from <= index <= to`, oldest first. */
  readRange<T = unknown>(log: string, from: number, to: number): Promise<readonly LogEntry<T>[]>;
  deleteLog(log: string): Promise<boolean>;
  /** All or none. Throws FOLKMOOT_STORE_CONFLICT when one expectation is not so. */
  transaction(changes: readonly StoreChange[]): Promise<void>;
  /** Later calls throw FOLKMOOT_STORE_FAILED. */
  close(): Promise<void>;
}
