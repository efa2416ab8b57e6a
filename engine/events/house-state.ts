/**
 * What the house is like: the last value that sense nodes saw of each property of each source, with its unit and when
 * (row P7). In memory and, at most once a second for each source, in the store; bounded, and forgotten with age.
 */
import type { Clock, Timer } from '../clock.ts';
import { asError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Scalar } from '../moot.ts';
import { keyPart, tagged } from '../store/keys.ts';
import { scanAll } from '../store/scan-all.ts';
import type { Store } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';
import type { Reading } from './reading.ts';

export interface SeenValue {
  readonly source: string;
  /** The property. */
  readonly kind: string;
  readonly value: Scalar;
  readonly unit?: string;
  /** When it was told last; milliseconds since the epoch. */
  readonly at: number;
}

export interface HouseState {
  /** Resolves when what the store knows is known; never rejects. */
  readonly ready: Promise<void>;
  /** @param isRetained When they were told is not known: the same value again doesn't make it younger. */
  saw(readings: readonly Reading[], isRetained?: boolean): void;
  /** What is known and not too old, newest last. */
  all(): readonly SeenValue[];
  /** Resolves when all is in the store. */
  close(): Promise<void>;
}

export interface HouseStateOptions {
  readonly store: Store;
  readonly house: string;
  readonly clock: Clock;
  /** Reading or writing failed: once until it works again. */
  readonly problem: (error: Error) => void;
}

type Kept = Readonly<Record<string, Omit<SeenValue, 'source' | 'kind'>>>;
interface StateRecord {
  readonly v: 1;
  readonly source: string;
  readonly values: Kept;
}

const longestText = 200;

export function createHouseState({ store, house, clock, problem }: HouseStateOptions): HouseState {
  /** By source, the one told last at the end. */
  const sources = new Map<string, Map<string, SeenValue>>();
  const unsaved = new Set<string>();
  let timer: Timer | undefined;
  let hasFailed = false;
  let saving: Promise<void> = Promise.resolve();
  const keyOf = (source: string) => tagged(house, 'state', keyPart(source).slice(0, 300));
  const isFresh = ({ at }: Pick<SeenValue, 'at'>) => clock.now() - at < limits.stateExpiryMs;

  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) problem(asError(error));
      hasFailed = true;
    }
  };
  const forgetOldest = () => {
    for (const oldest of sources.keys()) {
      if (sources.size <= limits.stateSources) return;
      sources.delete(oldest);
      unsaved.delete(oldest);
      saving = saving.then(() => attempt(() => store.delete(keyOf(oldest))));
    }
  };
  const save = async (source: string) => {
    const values = sources.get(source);
    if (!values) return;
    const kept = [...values.values()].filter(isFresh).map(({ kind, source: _, ...rest }) => [kind, rest] as const);
    const record: StateRecord = { v: 1, source, values: Object.fromEntries(kept) };
    await store.put(keyOf(source), record, { expiresInMs: limits.stateExpiryMs });
  };
  const saveAll = () => {
    clock.clearTimer(timer);
    timer = undefined;
    const due = [...unsaved];
    unsaved.clear();
    for (const source of due) saving = saving.then(() => attempt(() => save(source)));
    return saving;
  };
  const load = async () => {
    const records: StateRecord[] = [];
    for await (const record of scanAll<StateRecord>(store, tagged(house, 'state', ''))) {
      records.push(readVersioned(record, 1));
    }
    for (const { source, values } of records) {
      const known = sources.get(source) ?? new Map<string, SeenValue>();
      for (const [kind, kept] of Object.entries(values)) {
        // What was told meanwhile is newer.
        if (!known.has(kind)) known.set(kind, { source, kind, ...kept });
      }
      sources.set(source, known);
    }
    forgetOldest();
  };
  const ready = attempt(load);

  return {
    ready,
    saw(readings, isRetained = false) {
      const at = clock.now();
      for (const { source, kind, value, unit } of readings) {
        if (!isPlain(value)) continue;
        const values = sources.get(source) ?? new Map<string, SeenValue>();
        if (!values.has(kind) && values.size >= limits.stateProperties) continue;
        if (isRetained && values.get(kind)?.value === value) continue;
        const known = unit ?? values.get(kind)?.unit;
        values.set(kind, { source, kind, value, ...(known ? { unit: known } : {}), at });
        sources.delete(source);
        sources.set(source, values);
        unsaved.add(source);
      }
      forgetOldest();
      if (unsaved.size > 0) timer ??= clock.setTimer(() => void saveAll(), limits.stateSaveMs);
    },
    all: () => [...sources.values()].flatMap((values) => [...values.values()]).filter(isFresh),
    close: () => saveAll(),
  };
}

const isPlain = (value: unknown): value is Scalar =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= longestText);
