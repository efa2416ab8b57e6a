/**
 * A thread whose run has ended, as one compressed record in place of its sixty: it is read as before, and unpacked when
 * somebody goes on with it after all.
 */
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { isFolkmootError } from '../errors.ts';
import { checkpointVersion as v, packedKey, threadPrefix } from './checkpoint-records.ts';
import { batchSize } from './keys.ts';
import { readAll } from './scan-all.ts';
import type { Store, StoreChange, StoreRecord } from './store.ts';
import { readVersioned } from './versioned.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** `…:ckpt:z:spare` */
interface PackedRecord {
  readonly v: typeof v;
  readonly thread: string;
  /** Base64 of deflated JSON: `[key, value]` of each record, in order of the keys. */
  readonly data: string;
}

type Unpacked = ReadonlyMap<string, unknown>;

export interface PackedThreads {
  /** A record of a thread, packed or not. A packed one has no revision of its own: it is 0. */
  get<T>(thread: string, key: string): Promise<StoreRecord<T> | undefined>;
  /** All records of a thread whose keys begin so, in order. */
  scan<T>(thread: string, prefix: string): Promise<readonly StoreRecord<T>[]>;
  /** Does nothing to a thread that is packed, that somebody writes to now, or that is too large for one transaction. */
  pack(thread: string): Promise<void>;
  /** Before anything is written to a thread. */
  unpack(thread: string): Promise<void>;
}

/** @param expiryMs How long a thread stays after it was packed, and after it was unpacked. */
export function createPackedThreads(store: Store, expiryMs: number): PackedThreads {
  /** The last one that was read: its history is read record by record. */
  let last: { readonly key: string; readonly data: string; readonly records: Unpacked } | undefined;

  const open = async (thread: string): Promise<Unpacked | undefined> => {
    const key = packedKey(thread);
    const record = await store.get<PackedRecord>(key);
    if (!record) return undefined;
    const { data } = readVersioned(record, v);
    if (last?.key === key && last.data === data) return last.records;
    const text = (await inflate(Buffer.from(data, 'base64'))).toString('utf8');
    const records = new Map(JSON.parse(text) as [string, unknown][]);
    last = { key, data, records };
    return records;
  };

  const unlessChanged = async (changes: readonly StoreChange[]): Promise<void> => {
    try {
      await store.transaction(changes);
    } catch (error) {
      // Somebody else was there first, or it is too large: it stays as it is.
      const isConflict = isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT');
      if (!isConflict && !isFolkmootError(error, 'FOLKMOOT_STORE_VALUE')) throw error;
    }
  };

  return {
    async get<T>(thread: string, key: string) {
      const record = await store.get<T>(key);
      if (record) return record;
      const records = await open(thread);
      return records?.has(key) ? { key, value: structuredClone(records.get(key)) as T, revision: 0 } : undefined;
    },
    async scan<T>(thread: string, prefix: string) {
      const live = await readAll<T>(store, prefix);
      if (live.length) return live;
      const found = [...((await open(thread)) ?? [])].filter(([key]) => key.startsWith(prefix));
      return found.map(([key, value]) => ({ key, value: structuredClone(value) as T, revision: 0 }));
    },
    async pack(thread) {
      const records = await readAll<unknown>(store, threadPrefix(thread));
      const key = packedKey(thread);
      if (!records.length || records.length >= batchSize || records.some((record) => record.key === key)) return;
      const text = JSON.stringify(records.map((record) => [record.key, record.value]));
      const value: PackedRecord = { v, thread, data: (await deflate(text)).toString('base64') };
      await unlessChanged([
        { kind: 'put', key, value, expected: 'absent', expiresInMs: expiryMs },
        ...records.map((record): StoreChange => ({ kind: 'delete', key: record.key, expected: record.revision })),
      ]);
    },
    async unpack(thread) {
      const packed = await store.get(packedKey(thread));
      const records = packed && (await open(thread));
      if (!records) return;
      await unlessChanged([
        { kind: 'delete', key: packed.key, expected: packed.revision },
        ...[...records].map(([key, value]): StoreChange => ({ kind: 'put', key, value, expiresInMs: expiryMs * 1.5 })),
      ]);
    },
  };
}
