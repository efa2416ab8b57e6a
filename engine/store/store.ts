/**
 * The store port: records with expiry and compare-and-set, logs with a length cap, scans by prefix, transactions.
 * Nouns of ours, not commands of a database (architecture.md 7). Every adapter passes `store.contract.ts`.
 *
 * Keys are text of 1 to 512 characters without control characters, with the owner's id as hash tag:
 * `folkmoot:{<run>}:effects:<id>` (`tagged` in `keys.ts` writes them). Keys of records and names of logs are two
 * worlds: one text may be both.
 * Values are what JSON can hold, at most `limits.storeValueBytes` when written as JSON. What comes out is always a copy.
 * Other keys and values are refused with FOLKMOOT_STORE_VALUE; when the database fails, FOLKMOOT_STORE_FAILED is thrown,
 * and FOLKMOOT_STORE_LOST when there is no connection to it. A change that ends so may have been made all the same.
 */

export interface StoreRecord<T = unknown> {
  readonly key: string;
  readonly value: T;
  /** Grows by one with each put; 1 at first, and again after a delete or an expiry. */
  readonly revision: number;
  /** Milliseconds since the epoch; absent: kept for ever. */
  readonly expiresAt?: number;
}

/** What must be true for a change: the record's revision, or `absent`. */
export type Expected = number | 'absent';

export interface PutOptions {
  /** Absent: kept for ever, also when the record had an expiry before. */
  readonly expiresInMs?: number;
  readonly expected?: Expected;
}

export interface LogEntry<T = unknown> {
  /** Counts from 1 in each log and never goes back, also after old entries were cut; anew after a delete or an expiry. */
  readonly index: number;
  readonly value: T;
}

export interface AppendOptions {
  /** Keep only the newest so many. Default and most: `limits.logEntries`. */
  readonly cap?: number;
  /** The whole log expires this long after its last append. Absent: what was set before stays. */
  readonly expiresInMs?: number;
}

export interface PutChange {
  readonly kind: 'put';
  readonly key: string;
  readonly value: unknown;
  readonly expiresInMs?: number;
  readonly expected?: Expected;
}

export interface DeleteChange {
  readonly kind: 'delete';
  readonly key: string;
  readonly expected?: Expected;
}

export interface AppendChange {
  readonly kind: 'append';
  readonly log: string;
  readonly values: readonly unknown[];
  readonly cap?: number;
  readonly expiresInMs?: number;
}

export type StoreChange = PutChange | DeleteChange | AppendChange;

export interface ScanOptions {
  /** Keys greater than this one. */
  readonly after?: string;
  /** Default and most: 1000. */
  readonly limit?: number;
}

/** `up` after connecting, `down` when lost (it is tried again), `closed` for ever. */
export type StoreState = 'connecting' | 'up' | 'down' | 'closed';

/** The connection of a store that lies elsewhere. */
export interface StoreLink {
  readonly state: StoreState;
  /** Called on each change of state, at once with the present one; gives what ends it. */
  readonly onState: (listener: (state: StoreState, reason?: string) => void) => () => void;
}

export interface Store {
  /** Only where there is a connection that may be lost. Calls wait for it, then throw FOLKMOOT_STORE_LOST. */
  readonly link?: StoreLink;
  get<T = unknown>(key: string): Promise<StoreRecord<T> | undefined>;
  /** Gives the new revision. Throws FOLKMOOT_STORE_CONFLICT when `expected` is not so. */
  put(key: string, value: unknown, options?: PutOptions): Promise<number>;
  /** Gives whether there was one. Throws FOLKMOOT_STORE_CONFLICT when `expected` is not so. */
  delete(key: string, expected?: Expected): Promise<boolean>;
  /** Records whose key begins with the prefix, in order of their keys' code points. */
  scan<T = unknown>(prefix: string, options?: ScanOptions): Promise<readonly StoreRecord<T>[]>;
  /** Appends in order, all or none; gives the index of the last entry (0 for an empty log). */
  append(log: string, values: readonly unknown[], options?: AppendOptions): Promise<number>;
  /** The newest `count` entries, oldest first. */
  readLast<T = unknown>(log: string, count: number): Promise<readonly LogEntry<T>[]>;
  /** Entries with `from <= index <= to`, oldest first. */
  readRange<T = unknown>(log: string, from: number, to: number): Promise<readonly LogEntry<T>[]>;
  deleteLog(log: string): Promise<boolean>;
  /**
   * All or none, in order; an expectation sees the changes before it. Throws FOLKMOOT_STORE_CONFLICT when one is not so.
   * At most 1000 changes, and all keys carry the same hash tag (a cluster keeps only such keys together): else
   * FOLKMOOT_STORE_VALUE.
   */
  transaction(changes: readonly StoreChange[]): Promise<void>;
  /** Later calls throw FOLKMOOT_STORE_FAILED. */
  close(): Promise<void>;
}
