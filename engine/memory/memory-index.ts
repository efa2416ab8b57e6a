/**
 * The memory index port: finds what is similar by vectors. It is a cache: the store holds the memories, and whatever
 * index is lost, stale or broken is filled again from there. Every adapter passes `memory-index.contract.ts`.
 */

export interface IndexEntry {
  readonly id: string;
  /** Of the index's dimensions and any length but zero: else FOLKMOOT_BAD_INPUT. */
  readonly vector: readonly number[];
  /** Whose it is: a query sees the entries of one subject only. */
  readonly subject: string;
}

export interface IndexQuery {
  readonly vector: readonly number[];
  readonly subject: string;
  /** At most so many. */
  readonly k: number;
}

export interface IndexHit {
  readonly id: string;
  /** Cosine, -1 to 1; the lengths of vectors make no difference. */
  readonly score: number;
}

/** All reject with FOLKMOOT_STORE_FAILED when the file cannot be read or written, and after `close`. */
export interface MemoryIndex {
  /** An entry with a known id takes its place. Resolves when it is saved. */
  add(entries: readonly IndexEntry[]): Promise<void>;
  /** Unknown ids are no error. */
  remove(ids: readonly string[]): Promise<void>;
  /** Best first; sees all that was added before. Nothing for an unknown subject. */
  query(query: IndexQuery): Promise<readonly IndexHit[]>;
  /** These entries and no other. */
  rebuild(entries: readonly IndexEntry[]): Promise<void>;
  ids(): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}
