/** Which patterns a process asked a broker for, kept in its store. */
import type { PatternMemory } from '../../engine/bus/mqtt-patterns.ts';
import { keyPart, tagged } from '../../engine/store/keys.ts';
import type { Store } from '../../engine/store/store.ts';
import { readVersioned } from '../../engine/store/versioned.ts';

interface PatternRecord {
  readonly v: 1;
  readonly patterns: readonly string[];
}

/** Saves once for all changes of a turn. What can't be saved only leaves a subscription longer than needed. */
export function createPatternMemory(store: Store, house: string, processId: string): PatternMemory {
  const key = tagged(house, 'patterns', keyPart(processId));
  let newest: readonly string[] | undefined;
  const save = () => {
    const patterns = newest;
    newest = undefined;
    if (patterns) void store.put(key, { v: 1, patterns } satisfies PatternRecord).catch(() => undefined);
  };
  return {
    async load() {
      const record = await store.get<PatternRecord>(key);
      return record ? readVersioned(record, 1).patterns : [];
    },
    save(patterns) {
      if (!newest) setImmediate(save);
      newest = patterns;
    },
  };
}
