/**
 * The memory index over vectra: one JSON file for each folder. vectra rewrites the whole file with each update and
 * refuses a second one meanwhile, so changes that come while it writes wait and go together.
 */
import { rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FileStorage, IndexItem, LocalIndex } from 'vectra';
import { folkmootError } from '../errors.ts';
import { checkVector } from './embed.ts';
import type { IndexEntry, IndexHit, IndexQuery, MemoryIndex } from './memory-index.ts';

export interface VectraIndexOptions {
  /** Its folder; made when it is not there. Absent: only in memory. */
  readonly folder?: string;
  /** Names the file: vectors of two embeddings don't mix. */
  readonly embedId: string;
  readonly dimensions: number;
}

/** A second instance of one file would hold a stale copy: all users of a folder share one. */
const shared = new Map<string, { index: VectraFile; users: number }>();
const emptyFile = JSON.stringify({ version: 1, metadata_config: {}, items: [] });

/** Loads vectra with its first use. A file that can't be read is begun anew, for its user fills it from the store. */
export function openVectraIndex({ folder, embedId, dimensions }: VectraIndexOptions): MemoryIndex {
  const key = folder === undefined ? undefined : join(resolve(folder), embedId);
  const entry = (key && shared.get(key)) || { index: new VectraFile(folder, `${embedId}.json`, dimensions), users: 0 };
  if (key) shared.set(key, entry);
  entry.users += 1;
  let closed = false;
  const open = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) throw folkmootError('FOLKMOOT_STORE_FAILED', 'The memory index was closed.');
    return work();
  };
  return {
    add: (entries) => open(() => entry.index.change(entries, [])),
    remove: (ids) => open(() => entry.index.change([], ids)),
    rebuild: (entries) => open(() => entry.index.rebuild(entries)),
    query: (query) => open(() => entry.index.query(query)),
    ids: () => open(() => entry.index.ids()),
    async close() {
      if (closed) return;
      closed = true;
      await entry.index.settled();
      entry.users -= 1;
      if (key && entry.users === 0 && shared.get(key) === entry) shared.delete(key);
    },
  };
}

type Changes = Map<string, IndexEntry | undefined>;

class VectraFile {
  readonly #folder: string | undefined;
  readonly #file: string;
  readonly #dimensions: number;
  #opened: Promise<LocalIndex> | undefined;
  /** Changes whose write has not begun; later ones join them. */
  #waiting: { readonly changes: Changes; readonly written: Promise<void> } | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(folder: string | undefined, file: string, dimensions: number) {
    this.#folder = folder;
    this.#file = file;
    this.#dimensions = dimensions;
  }

  async change(entries: readonly IndexEntry[], removed: readonly string[]): Promise<void> {
    for (const { vector } of entries) checkVector(vector, this.#dimensions);
    const { changes, written } = (this.#waiting ??= this.#newBatch());
    for (const id of removed) changes.set(id, undefined);
    for (const entry of entries) changes.set(entry.id, entry);
    return written;
  }

  async rebuild(entries: readonly IndexEntry[]): Promise<void> {
    for (const { vector } of entries) checkVector(vector, this.#dimensions);
    // What comes from now on is written after this.
    this.#waiting = undefined;
    return this.#afterLast(async () => {
      const isHeld = new Set((await (await this.#index()).listItems()).map(({ id }) => id));
      const changes: Changes = new Map([...isHeld].map((id) => [id, undefined]));
      for (const entry of entries) changes.set(entry.id, entry);
      await this.#write(changes);
    });
  }

  async query({ vector, subject, k }: IndexQuery): Promise<readonly IndexHit[]> {
    checkVector(vector, this.#dimensions);
    await this.settled();
    return this.#safely(async () => {
      const found = await (await this.#index()).queryItems([...vector], '', k, { subject: { $eq: subject } });
      return found.map(({ item, score }) => ({ id: item.id, score }));
    });
  }

  async ids(): Promise<ReadonlySet<string>> {
    await this.settled();
    return this.#safely(async () => new Set((await (await this.#index()).listItems()).map(({ id }) => id)));
  }

  /** All changes so far are written, or failed and told to whoever made them. */
  async settled(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  #newBatch(): { changes: Changes; written: Promise<void> } {
    const changes: Changes = new Map();
    const written = this.#afterLast(() => {
      if (this.#waiting?.changes === changes) this.#waiting = undefined;
      return this.#write(changes);
    });
    return { changes, written };
  }

  #afterLast(work: () => Promise<void>): Promise<void> {
    const done = this.#last.catch(() => undefined).then(() => this.#safely(work));
    this.#last = done;
    // Told to those who await it; alone it must not end the process.
    done.catch(() => undefined);
    return done;
  }

  async #write(changes: Changes): Promise<void> {
    const index = await this.#index();
    await index.beginUpdate();
    try {
      await index.deleteItems(changes.keys());
      for (const entry of changes.values()) if (entry) await index.insertItem(itemOf(entry));
      await index.endUpdate();
    } catch (error) {
      index.cancelUpdate();
      throw error;
    }
  }

  #index(): Promise<LocalIndex> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #open(): Promise<LocalIndex> {
    const vectra = await import('vectra');
    const folder = this.#folder ?? '/memory';
    const storage: FileStorage =
      this.#folder === undefined ? new vectra.VirtualFileStorage() : wholeFiles(new vectra.LocalFileStorage());
    const make = () => new vectra.LocalIndex(folder, this.#file, storage);
    const found = make();
    try {
      const items = await found.listItems();
      if (items.every(({ vector }) => vector.length === this.#dimensions)) return found;
    } catch {
      // Not there yet, or cut off by a crash.
    }
    await storage.createFolder(folder);
    // Not by vectra's own createIndex: that deletes the whole folder when it fails.
    await storage.upsertFile(join(folder, this.#file), emptyFile);
    return make();
  }

  async #safely<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const place = this.#folder === undefined ? 'in memory' : `in ${this.#folder}`;
      throw folkmootError('FOLKMOOT_STORE_FAILED', `The memory index ${place} failed: ${String(error)}.`, error);
    }
  }
}

const itemOf = ({ id, vector, subject }: IndexEntry): Partial<IndexItem<{ subject: string }>> => ({
  id,
  metadata: { subject },
  // Four digits are enough to compare by, and a third of the file.
  vector: vector.map((value) => Math.round(value * 10_000) / 10_000),
});

/** A file is there whole or not at all, also after a crash while it is written. */
function wholeFiles<S extends FileStorage>(storage: S): S {
  storage.upsertFile = async (path, content) => {
    await writeFile(`${path}.new`, content);
    await rename(`${path}.new`, path);
  };
  return storage;
}
