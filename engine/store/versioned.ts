/** Every record of ours carries a version (contracts.md 7): an older one is migrated on read, a newer one is refused. */
import { folkmootError } from '../errors.ts';
import type { StoreRecord } from './store.ts';

export interface Versioned {
  readonly v: number;
}

/** The record's value. Throws FOLKMOOT_STORE_NEWER when its version is greater than the one that this program writes. */
export function readVersioned<T extends Versioned>(record: StoreRecord<T>, version: T['v']): T {
  const found = record.value.v;
  if (found <= version) return record.value;
  const versions = `version ${found}, this program knows ${version}`;
  throw folkmootError('FOLKMOOT_STORE_NEWER', `The record ${record.key} was written by a newer program: ${versions}.`);
}
