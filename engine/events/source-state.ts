/** The last values of each source: what conditions compare with. Bounded; the source unheard for longest goes first. */
import { canonical } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Reading } from './reading.ts';

export interface LastValue {
  readonly value: unknown;
  readonly previous?: unknown;
  readonly unit?: string;
  /** False: only overheard (retained, or just after the start), so the same value again is still news. */
  readonly isTold: boolean;
}

export type SourceValues = ReadonlyMap<string, LastValue>;

export interface SourceStates {
  /** Keeps a reading and gives its entry; `isNews` is false when the told value is the same. */
  keep(reading: Reading, isTold: boolean): { readonly entry: LastValue; readonly isNews: boolean };
  /** By kind; empty for a source that isn't known. */
  of(source: string): SourceValues;
  /** From before a restart. */
  restore(source: string, values: SourceValues): void;
}

/** @param onForgotten Told of each source that had to make room. */
export function createSourceStates(onForgotten: (source: string) => void): SourceStates {
  const sources = new Map<string, Map<string, LastValue>>();
  const touched = (source: string): Map<string, LastValue> => {
    const values = sources.get(source) ?? new Map<string, LastValue>();
    sources.delete(source);
    sources.set(source, values);
    for (const oldest of sources.keys()) {
      if (sources.size <= limits.eventSources) break;
      sources.delete(oldest);
      onForgotten(oldest);
    }
    return values;
  };
  return {
    keep(reading, isTold) {
      const values = touched(reading.source);
      const before = values.get(reading.kind);
      const isNews = !before?.isTold || canonical(before.value) !== canonical(reading.value);
      const unit = reading.unit ?? before?.unit;
      const entry: LastValue = {
        value: reading.value,
        ...(before ? { previous: before.value } : {}),
        ...(unit ? { unit } : {}),
        isTold,
      };
      if (isNews && (before || values.size < limits.eventProperties)) values.set(reading.kind, entry);
      return { entry, isNews };
    },
    of: (source) => sources.get(source) ?? new Map<string, LastValue>(),
    restore(source, values) {
      const known = touched(source);
      for (const [kind, value] of values) known.set(kind, value);
    },
  };
}
