/** Batches of commands that were not reported yet: what apply finds after a crash or a restart. */
import type { Clock } from '../clock.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import { keyPart, tagged } from '../store/keys.ts';
import type { Store } from '../store/store.ts';

export interface OpenBatch {
  readonly id: string;
  /** When it was opened; milliseconds since the epoch. */
  readonly at: number;
  /** The message, as far as it is plain JSON. */
  readonly message: Readonly<Record<string, unknown>>;
  /** It was left in order, so what was sent was surely sent. False after a crash. */
  readonly isClean: boolean;
  /** Ids of commands that were sent again after a crash. */
  readonly repeated: readonly string[];
}

export interface OpenBatches {
  open(message: Readonly<Record<string, unknown>>): Promise<OpenBatch>;
  keep(batch: OpenBatch): Promise<void>;
  close(batch: OpenBatch): Promise<void>;
  /** Those of earlier instances, oldest first. */
  left(): Promise<readonly OpenBatch[]>;
  /** Closes all of this owner. */
  closeAll(): Promise<void>;
}

/** Version of the record. */
const version = 1;

/** @param owner Id of the apply node. */
export function createOpenBatches(store: Store, owner: string, clock: Clock): OpenBatches {
  const own = new Set<string>();
  const prefix = `${tagged(owner, 'apply')}:`;
  const keyOf = (id: string) => prefix + keyPart(id);
  const keep = async (batch: OpenBatch) => {
    await store.put(keyOf(batch.id), { v: version, ...batch }, { expiresInMs: limits.runHardEndMs });
  };
  return {
    async open(message) {
      const batch: OpenBatch = { id: newId(), at: clock.now(), message, isClean: false, repeated: [] };
      own.add(batch.id);
      await keep(batch);
      return batch;
    },
    keep,
    async close(batch) {
      await store.delete(keyOf(batch.id));
      own.delete(batch.id);
    },
    async left() {
      const records = await store.scan<OpenBatch & { v: number }>(prefix);
      const values = records.map(({ value }) => value).filter(({ id, v }) => v === version && !own.has(id));
      return values.sort((a, b) => a.at - b.at);
    },
    async closeAll() {
      for (const { key } of await store.scan(prefix)) await store.delete(key);
      own.clear();
    },
  };
}
