/** Checkpoints as records of the store: reading, writing in one transaction, cutting. Knows nothing of LangGraph. */
import { isFolkmootError } from '../errors.ts';
import {
  checkpointKeys,
  checkpointVersion as v,
  compareText,
  doomedOf,
  isCheckpointKey,
  threadCheckpoints,
  type BlobRecord,
  type CheckpointRecord,
  type Dumped,
  type IndexRecord,
  type WritesRecord,
} from './checkpoint-records.ts';
import type { CheckpointerOptions } from './checkpointer.ts';
import { createPackedThreads, type PackedThreads } from './packed-threads.ts';
import { deleteAll, scanAll } from './scan-all.ts';
import type { Store, StoreChange, StoreRecord } from './store.ts';
import { readVersioned } from './versioned.ts';

/** How often a put is tried again when another process put into the same thread at that moment. */
const tries = 8;

/** Thread, namespace and, where it matters, checkpoint. */
export interface Place {
  readonly thread: string;
  readonly ns: string;
  readonly id?: string;
}

/** Values that a checkpoint stores itself. */
export type Blobs = readonly (readonly [channel: string, value: Dumped])[];

/** All calls of the store that the checkpointer makes. */
export class CheckpointShelf {
  readonly #store: Store;
  readonly #options: Required<CheckpointerOptions>;
  readonly #packed: PackedThreads;

  constructor(store: Store, options: Required<CheckpointerOptions>) {
    this.#store = store;
    this.#options = options;
    this.#packed = createPackedThreads(store, options.expiryMs);
  }

  /** Its run has ended: it takes a tenth of the room from now on. */
  pack(thread: string): Promise<void> {
    return this.#packed.pack(thread);
  }

  /** Before anything is written to it. */
  unpack(thread: string): Promise<void> {
    return this.#packed.unpack(thread);
  }

  /** Repeats work that lost against somebody else's put. */
  async again(work: () => Promise<void>, afterConflict: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt >= tries || !isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT')) throw error;
        await afterConflict();
      }
    }
  }

  async index({ thread, ns }: Place): Promise<StoreRecord<IndexRecord> | undefined> {
    const record = await this.#packed.get<IndexRecord>(thread, checkpointKeys(thread, ns).index);
    return record && { ...record, value: readVersioned(record, v) };
  }

  async checkpoint({ thread, ns }: Place, id: string): Promise<CheckpointRecord | undefined> {
    const record = await this.#packed.get<CheckpointRecord>(thread, checkpointKeys(thread, ns).checkpoint(id));
    return record && readVersioned(record, v);
  }

  /** For a checkpoint without parent: what the thread has stored before (a fork of its first checkpoint). */
  async knownVersions({ thread, ns }: Place): Promise<Set<string>> {
    const known = new Set<string>();
    for (const record of await this.#packed.scan<CheckpointRecord>(thread, checkpointKeys(thread, ns).checkpoints))
      for (const [channel, , version] of readVersioned(record, v).refs) known.add(JSON.stringify([channel, version]));
    return known;
  }

  /** Checkpoint, values and index in one transaction. Gives the ids that the index holds then. */
  async write(place: Place, record: CheckpointRecord, blobs: Blobs): Promise<readonly string[]> {
    await this.unpack(place.thread);
    const keys = checkpointKeys(place.thread, place.ns);
    const expiresInMs = this.#options.expiryMs;
    const put = (key: string, value: unknown): StoreChange => ({ kind: 'put', key, value, expiresInMs });
    const values = blobs.map(([channel, value]): StoreChange => {
      const blob: BlobRecord = { v, value };
      // Half as long again: a checkpoint may refer to a value until it is half of its time old.
      return { kind: 'put', key: keys.blob(record.id, channel), value: blob, expiresInMs: expiresInMs * 1.5 };
    });
    let index = await this.index(place);
    let ids: readonly string[] = [];
    await this.again(
      async () => {
        ids = [...new Set([...(index?.value.ids ?? []), record.id])].sort(compareText);
        const head: IndexRecord = { v, ids };
        const expected = index?.revision ?? ('absent' as const);
        const changes = [{ ...put(keys.index, head), expected }, put(keys.checkpoint(record.id), record), ...values];
        await this.#store.transaction(changes);
      },
      async () => void (index = await this.index(place)),
    );
    return ids;
  }

  /** Cuts the oldest checkpoints with their writes and the values that nobody needs any more. */
  async prune(place: Place): Promise<void> {
    const keys = checkpointKeys(place.thread, place.ns);
    const records: CheckpointRecord[] = [];
    for await (const record of scanAll<CheckpointRecord>(this.#store, keys.checkpoints))
      records.push(readVersioned(record, v));
    const doomed = doomedOf(records, this.#options.keepPerThread);
    const gone = new Set(doomed.checkpoints.map((record) => record.id));
    const index = await this.index(place);
    if (!gone.size || !index) return;
    const drop = (key: string): StoreChange => ({ kind: 'delete', key });
    const value: IndexRecord = { v, ids: index.value.ids.filter((id) => !gone.has(id)) };
    const { expiryMs: expiresInMs } = this.#options;
    try {
      await this.#store.transaction([
        { kind: 'put', key: keys.index, value, expiresInMs, expected: index.revision },
        ...[...gone].map((id) => drop(keys.checkpoint(id))),
        ...doomed.refs.map(([channel, owner]) => drop(keys.blob(owner, channel))),
      ]);
      for (const id of gone) await deleteAll(this.#store, keys.allWrites(id));
    } catch (error) {
      // Somebody else put into the thread; the next put prunes.
      if (!isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT')) throw error;
    }
  }

  async *ofThread(thread: string): AsyncGenerator<CheckpointRecord[]> {
    const found = await this.#packed.scan<CheckpointRecord>(thread, threadCheckpoints(thread));
    const records = found.map((record) => readVersioned(record, v));
    yield records.sort((a, b) => compareText(b.id, a.id));
  }

  /** Reads through the whole store: for looking around, not for runs. */
  async *ofAllThreads(): AsyncGenerator<CheckpointRecord[]> {
    let thread: string | undefined;
    for await (const record of scanAll<CheckpointRecord>(this.#store, 'folkmoot:{')) {
      if (!isCheckpointKey(record.key) || record.value.thread === thread) continue;
      thread = readVersioned(record, v).thread;
      yield* this.ofThread(thread);
    }
  }

  /** The value that a channel had; undefined when it is no longer there. */
  async blob({ thread, ns }: Place, owner: string, channel: string): Promise<Dumped | undefined> {
    const record = await this.#packed.get<BlobRecord>(thread, checkpointKeys(thread, ns).blob(owner, channel));
    return record && readVersioned(record, v).value;
  }

  /** What the tasks of a checkpoint wrote, in the order in which LangGraph applies it. */
  async writesOf({ thread, ns }: Place, id: string): Promise<WritesRecord[]> {
    const found = await this.#packed.scan<WritesRecord>(thread, checkpointKeys(thread, ns).allWrites(id));
    const records = found.map((record) => readVersioned(record, v));
    return records.sort((a, b) => compareText(a.path, b.path) || compareText(a.task, b.task));
  }
}
