/** The one LangGraph checkpointer, over any store (architecture.md 6). */
import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { systemClock, type Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Store } from './store.ts';

export interface CheckpointerOptions {
  /** Default: the system's. */
  readonly clock?: Clock;
  /** How many checkpoints stay for each thread and namespace, at least 1. Default: `limits.checkpointsPerRun`. */
  readonly keepPerThread?: number;
  /** How long a checkpoint stays. Default: `limits.checkpointExpiryMs`. */
  readonly expiryMs?: number;
}

/**
 * Makes a checkpointer for `graph.compile({ checkpointer })`; LangGraph is loaded here, on first use.
 * State lies under `folkmoot:{<thread id>}:ckpt:…`, only plain calls of the store port are used, and several
 * checkpointers, also of several processes, may work on one store.
 */
export async function createCheckpointer(
  store: Store,
  options: CheckpointerOptions = {},
): Promise<BaseCheckpointSaver> {
  const { StoreCheckpointer } = await import('./checkpoint-saver.ts');
  return new StoreCheckpointer(store, {
    clock: options.clock ?? systemClock,
    keepPerThread: Math.max(1, options.keepPerThread ?? limits.checkpointsPerRun),
    expiryMs: options.expiryMs ?? limits.checkpointExpiryMs,
  });
}

/** Tells a checkpointer that the run of a thread has ended. One that is not ours keeps it as it is. */
export async function packThread(checkpointer: BaseCheckpointSaver, thread: string): Promise<void> {
  const packing = checkpointer as BaseCheckpointSaver & { readonly packThread?: (thread: string) => Promise<void> };
  await packing.packThread?.(thread);
}
