/** What the parts of the store contract share. */
import assert from 'node:assert/strict';
import { isFolkmootError, type ErrorCode } from '../errors.ts';
import type { Store } from './store.ts';

/** What the parts of the contract work with. */
export interface StoreBench {
  readonly store: Store;
  /** One more connection, closed with the others. */
  open(): Promise<Store>;
  passTime(ms: number): Promise<void>;
  /** A key that no other example uses: properties run many examples in one store. */
  key(...parts: readonly string[]): string;
}

export async function rejectsWith(code: ErrorCode, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error: unknown) => isFolkmootError(error, code));
}
