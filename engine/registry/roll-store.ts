/** Keeps the roll in the store, so that who was here is known after a restart. Written at most every few seconds. */
import type { Clock, Timer } from '../clock.ts';
import { asError } from '../errors.ts';
import { limits } from '../limits.ts';
import { tagged } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';
import { emptyRoll, type Roll } from './roll.ts';

export interface RollStore {
  /** Empty when there is none. Problems are reported, never thrown. */
  load(): Promise<Roll>;
  /** Soon; several at once are one. */
  save(): void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

export function createRollStore(
  options: {
    readonly store: Store;
    readonly house: string;
    readonly clock: Clock;
    readonly report: (problem: Error) => void;
  },
  roll: () => Roll,
): RollStore {
  const { store, house, clock, report } = options;
  const key = tagged(house, 'agents');
  let timer: Timer | undefined;
  let isLoaded = false;
  const write = async () => {
    clock.clearTimer(timer);
    timer = undefined;
    await store
      .put(key, roll(), { expiresInMs: limits.registryAgeMs })
      .catch((error: unknown) => report(asError(error)));
  };
  return {
    async load() {
      try {
        const record = await store.get<Roll>(key);
        return record ? readVersioned(record, 1) : emptyRoll;
      } catch (error) {
        report(asError(error));
        return emptyRoll;
      } finally {
        isLoaded = true;
      }
    },
    save() {
      timer ??= clock.setTimer(() => {
        timer = undefined;
        // What was kept before must be read first.
        if (isLoaded) void write();
      }, limits.registrySaveMs);
    },
    async close() {
      if (timer && isLoaded) await write();
      clock.clearTimer(timer);
      timer = undefined;
    },
  };
}
