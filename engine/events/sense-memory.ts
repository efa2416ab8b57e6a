/**
 * What sense knows over a restart: last values, rules that wait or rest. One record for each source,
 * `folkmoot:{<node id>}:sense:source:<hash of the source>`, and `…:sense:alive`, the time of the last write.
 */
import type { Clock } from '../clock.ts';
import { hash } from '../ids.ts';
import { limits } from '../limits.ts';
import type { EventRecord } from '../moot.ts';
import { tagged } from '../store/keys.ts';
import { deleteAll, readAll } from '../store/scan-all.ts';
import type { Store, StoreChange } from '../store/store.ts';
import { readVersioned } from '../store/versioned.ts';
import type { KeptRule } from './rule-watch.ts';
import type { LastValue } from './source-state.ts';

/** The batch that a waiting rule will be told with, and what its message was. */
export interface LastBatch {
  readonly events: readonly EventRecord[];
  readonly origin: unknown;
}

export interface KeptSource {
  readonly source: string;
  /** When its last message came; milliseconds since the epoch. */
  readonly heardAt: number;
  /** By kind. */
  readonly values: readonly (readonly [string, LastValue])[];
  /** By what a rule is: `ruleKey`. */
  readonly rules: Readonly<Record<string, KeptRule>>;
  /** Without rules: until when each kind rests. */
  readonly resting: readonly (readonly [string, number])[];
  /** Only while a rule waits. */
  readonly last?: LastBatch;
}

export interface KeptSources {
  /** Those unheard for longest first. */
  readonly sources: readonly KeptSource[];
  /** When something was last written; absent: never. */
  readonly aliveAt?: number;
}

export interface SenseMemory {
  load(): Promise<KeptSources>;
  /** Sources without a value are forgotten. */
  save(changed: ReadonlyMap<string, KeptSource | undefined>): Promise<void>;
  /** The node is gone for good. */
  clear(): Promise<void>;
}

interface SourceRecord extends KeptSource {
  readonly v: 1;
}

interface AliveRecord {
  readonly v: 1;
  readonly at: number;
}

const expiresInMs = limits.recordExpiryMs;
const changesAtOnce = 500;

/** @param owner The sense node's id. */
export function createSenseMemory(store: Store, owner: string, clock: Clock): SenseMemory {
  const prefix = tagged(owner, 'sense', 'source', '');
  const alive = tagged(owner, 'sense', 'alive');
  const changeOf = (source: string, kept: KeptSource | undefined): StoreChange => {
    const key = prefix + hash(source);
    return kept ? { kind: 'put', key, value: { v: 1, ...light(kept) }, expiresInMs } : { kind: 'delete', key };
  };
  return {
    async load() {
      const records = await readAll<SourceRecord>(store, prefix);
      const sources = records.map((record) => readVersioned(record, 1));
      const last = await store.get<AliveRecord>(alive);
      return {
        sources: sources.sort((a, b) => a.heardAt - b.heardAt),
        ...(last ? { aliveAt: readVersioned(last, 1).at } : {}),
      };
    },
    async save(changed) {
      const changes = [...changed].map(([source, kept]) => changeOf(source, kept));
      changes.push({ kind: 'put', key: alive, value: { v: 1, at: clock.now() }, expiresInMs });
      while (changes.length > 0) await store.transaction(changes.splice(0, changesAtOnce));
    },
    async clear() {
      await deleteAll(store, tagged(owner, 'sense', ''));
    },
  };
}

/** Without values that are too long to be worth it: a picture is no state to compare with. */
function light(kept: KeptSource): KeptSource {
  const fits = ({ value, previous }: { readonly value: unknown; readonly previous?: unknown }): boolean =>
    [value, previous].every((one) => one === undefined || JSON.stringify(one).length <= limits.keptValueChars);
  const { last } = kept;
  return {
    ...kept,
    values: kept.values.filter(([, value]) => fits(value)),
    ...(last ? { last: { ...last, events: last.events.filter(fits) } } : {}),
  };
}
