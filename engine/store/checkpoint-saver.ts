/** LangGraph's checkpoint saver over the store port. Load it through `createCheckpointer`: this file loads LangGraph. */
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
} from '@langchain/langgraph';
import { folkmootError } from '../errors.ts';
import {
  checkpointKeys,
  checkpointVersion as v,
  mergeWrites,
  threadPrefix,
  writeIndex,
  type ChannelRef,
  type CheckpointRecord,
  type Dumped,
  type WritesRecord,
} from './checkpoint-records.ts';
import { CheckpointShelf, type Blobs, type Place } from './checkpoint-shelf.ts';
import type { CheckpointerOptions } from './checkpointer.ts';
import { deleteAll } from './scan-all.ts';
import type { Store, StoreRecord } from './store.ts';
import { readVersioned } from './versioned.ts';

type Saver = BaseCheckpointSaver;
type PendingWrites = Parameters<Saver['putWrites']>[1];
type ListOptions = NonNullable<Parameters<Saver['list']>[1]>;
type Versions = Parameters<Saver['put']>[3];
type TaskWrite = NonNullable<CheckpointTuple['pendingWrites']>[number];

/** Channel of LangGraph's pending sends; checkpoints before version 4 kept them with the parent's writes. */
const sends = '__pregel_tasks';
/** A checkpoint on its way in: its channels' places, and the values that it stores itself. */
interface Split {
  readonly refs: readonly ChannelRef[];
  readonly blobs: Blobs;
}

export class StoreCheckpointer extends BaseCheckpointSaver {
  readonly #store: Store;
  readonly #options: Required<CheckpointerOptions>;
  readonly #shelf: CheckpointShelf;

  constructor(store: Store, options: Required<CheckpointerOptions>) {
    super();
    this.#store = store;
    this.#options = options;
    this.#shelf = new CheckpointShelf(store, options);
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const place = placeIn(config);
    if (!place) return undefined;
    const id = place.id ?? (await this.#shelf.index(place))?.value.ids.at(-1);
    const record = id === undefined ? undefined : await this.#shelf.checkpoint(place, id);
    if (!record) return undefined;
    const tuple = await this.#tuple(record);
    if (tuple) return tuple;
    throw folkmootError('FOLKMOOT_STORE_FAILED', `A part of the saved state of ${place.thread} is missing.`);
  }

  override async *list(config: RunnableConfig, options: ListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const place = placeIn(config);
    const configurable = configurableOf(config);
    const beforeId = text(configurableOf(options.before)['checkpoint_id']);
    let left = options.limit ?? Infinity;
    for await (const records of place ? this.#shelf.ofThread(place.thread) : this.#shelf.ofAllThreads()) {
      for (const record of records) {
        if (typeof configurable['checkpoint_ns'] === 'string' && record.ns !== configurable['checkpoint_ns']) continue;
        if (place?.id !== undefined && record.id !== place.id) continue;
        if (beforeId !== undefined && record.id >= beforeId) continue;
        if (left <= 0) return;
        const tuple = await this.#tuple(record);
        // Cut away by another put since it was read.
        if (!tuple || !fits(tuple.metadata, options.filter)) continue;
        left -= 1;
        yield tuple;
      }
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: Versions,
  ): Promise<RunnableConfig> {
    const place = placeIn(config);
    if (!place) throw folkmootError('FOLKMOOT_STORE_VALUE', 'A checkpoint needs a thread id in its configuration.');
    const { thread, ns, id: parent } = place;
    const split = await this.#split(place, checkpoint, newVersions);
    const record: CheckpointRecord = {
      v,
      thread,
      ns,
      id: checkpoint.id,
      ...(parent === undefined ? {} : { parent }),
      checkpoint: await this.#dump({ ...checkpoint, channel_values: {} }),
      metadata: await this.#dump(metadata),
      refs: split.refs,
      ...(needsParent(metadata) ? { needsParent: true } : {}),
    };
    const ids = await this.#shelf.write(place, record, split.blobs);
    const { keepPerThread: keep } = this.#options;
    if (ids.length > keep + Math.floor(keep / 5)) await this.#shelf.prune(place);
    return { configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrites,
    taskId: string,
    taskPath?: string,
  ): Promise<void> {
    const place = placeIn(config);
    if (place?.id === undefined)
      throw folkmootError('FOLKMOOT_STORE_VALUE', 'Pending writes need a thread id and a checkpoint id.');
    await this.#shelf.unpack(place.thread);
    const key = checkpointKeys(place.thread, place.ns).writes(place.id, taskId);
    const dump = async ([channel, value]: PendingWrites[number], position: number) =>
      [writeIndex(channel, position), channel, await this.#dump(value)] as const;
    const added = await Promise.all(writes.map(dump));
    // Nearly always the task's first writes: so try that before reading.
    let old: StoreRecord<WritesRecord> | undefined;
    await this.#shelf.again(
      async () => {
        const merged = mergeWrites(old ? readVersioned(old, v).writes : [], added);
        const value: WritesRecord = { v, task: taskId, path: taskPath ?? old?.value.path ?? '', writes: merged };
        const options = { expected: old?.revision ?? ('absent' as const), expiresInMs: this.#options.expiryMs };
        await this.#store.put(key, value, options);
      },
      async () => void (old = await this.#store.get<WritesRecord>(key)),
    );
  }

  /** Its run has ended: all of it is kept, in far less room. */
  async packThread(threadId: string): Promise<void> {
    await this.#shelf.pack(threadId);
  }

  override async deleteThread(threadId: string): Promise<void> {
    await deleteAll(this.#store, threadPrefix(threadId));
  }

  /** Which values are new, and where the unchanged ones lie. */
  async #split(place: Place, checkpoint: Checkpoint, newVersions: Versions): Promise<Split> {
    const { clock, expiryMs } = this.#options;
    const parent = place.id === undefined ? undefined : await this.#shelf.checkpoint(place, place.id);
    const stored = new Map((parent?.refs ?? []).map((ref) => [ref[0], ref]));
    const known = place.id === undefined ? await this.#shelf.knownVersions(place) : undefined;
    const refs: ChannelRef[] = [];
    const blobs: (readonly [string, Dumped])[] = [];
    for (const [channel, value] of Object.entries(checkpoint.channel_values)) {
      const version = checkpoint.channel_versions[channel] ?? 0;
      const ref = stored.get(channel);
      const isNew = Object.hasOwn(newVersions, channel);
      // An old value is stored again before it expires, and when it is not the parent's (a fork).
      if (!isNew && ref?.[2] === version && clock.now() - ref[3] < expiryMs / 2) {
        refs.push(ref);
      } else if (isNew || !known || known.has(JSON.stringify([channel, version]))) {
        refs.push([channel, checkpoint.id, version, clock.now()]);
        blobs.push([channel, await this.#dump(value)]);
      }
    }
    return { refs, blobs };
  }

  /** Reads the parts of a checkpoint; undefined when one is no longer there. */
  async #tuple(record: CheckpointRecord): Promise<CheckpointTuple | undefined> {
    const { thread, ns, id, parent } = record;
    const blobs = await Promise.all(record.refs.map(([channel, owner]) => this.#shelf.blob(record, owner, channel)));
    const values: [string, unknown][] = [];
    for (const [n, blob] of blobs.entries()) {
      if (!blob) return undefined;
      values.push([record.refs[n]?.[0] ?? '', await this.#load(blob)]);
    }
    const checkpoint = (await this.#load(record.checkpoint)) as Checkpoint;
    checkpoint.channel_values = Object.fromEntries(values);
    if (checkpoint.v < 4 && parent !== undefined) await this.#addSends(checkpoint, record, parent);
    const configOf = (checkpointId: string): RunnableConfig => ({
      configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: checkpointId },
    });
    return {
      config: configOf(id),
      checkpoint,
      metadata: (await this.#load(record.metadata)) as CheckpointMetadata,
      pendingWrites: await this.#pending(record, id),
      ...(parent === undefined ? {} : { parentConfig: configOf(parent) }),
    };
  }

  /** What the tasks of a checkpoint wrote, in the order in which LangGraph applies it. */
  async #pending(place: Place, id: string): Promise<TaskWrite[]> {
    const records = await this.#shelf.writesOf(place, id);
    const flat = records.flatMap(({ task, writes }) => writes.map((write) => [task, ...write] as const));
    return Promise.all(
      flat.map(async ([task, , channel, value]): Promise<TaskWrite> => [task, channel, await this.#load(value)]),
    );
  }

  async #addSends(checkpoint: Checkpoint, place: Place, parent: string): Promise<void> {
    const writes = (await this.#pending(place, parent)).filter(([, channel]) => channel === sends);
    checkpoint.channel_values[sends] = writes.map(([, , value]) => value);
    const versions = Object.values(checkpoint.channel_versions);
    const newest = versions.reduce(
      (a, b) => (String(a).localeCompare(String(b), 'en', { numeric: true }) < 0 ? b : a),
      0,
    );
    checkpoint.channel_versions[sends] = versions.length ? newest : this.getNextVersion(undefined);
  }

  async #dump(value: unknown): Promise<Dumped> {
    const [type, data] = await this.serde.dumpsTyped(value);
    return [type, Buffer.from(data).toString(type === 'json' ? 'utf8' : 'base64')];
  }

  async #load([type, data]: Dumped): Promise<unknown> {
    return (await this.serde.loadsTyped(type, type === 'json' ? data : Buffer.from(data, 'base64'))) as unknown;
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const configurableOf = (config: RunnableConfig | undefined) => (config?.configurable ?? {}) as Record<string, unknown>;

/** Thread, namespace and checkpoint that a configuration names; undefined without a thread. */
function placeIn(config: RunnableConfig): Place | undefined {
  const configurable = configurableOf(config);
  const thread = text(configurable['thread_id']);
  if (thread === undefined) return undefined;
  const id = text(configurable['checkpoint_id']) ?? text(configurable['thread_ts']);
  return { thread, ns: text(configurable['checkpoint_ns']) ?? '', ...(id === undefined ? {} : { id }) };
}

const fits = (metadata: CheckpointMetadata | undefined, filter: ListOptions['filter']): boolean =>
  Object.entries(filter ?? {}).every(([key, value]) => (metadata as Record<string, unknown>)[key] === value);

/** A delta channel that has counted since its last snapshot is rebuilt from the writes of earlier checkpoints. */
const needsParent = (metadata: CheckpointMetadata): boolean =>
  Object.values(metadata.counters_since_delta_snapshot ?? {}).some(([, steps]) => steps > 0);
