/** Whether the runtime's set of nodes is complete: between `flows:stopping` and `flows:started` it is not (asks.md 2). */
import type { Red } from './red.ts';

interface Readiness {
  ready: boolean;
  waiting: (() => void)[];
}

const known = new WeakMap<Red['events'], Readiness>();

/** Called by every node's module function: at construction `flows:stopping` is already over. */
export function watchFlows(RED: Red): void {
  if (known.has(RED.events)) return;
  const state: Readiness = { ready: false, waiting: [] };
  known.set(RED.events, state);
  RED.events.on('flows:stopping', () => {
    state.ready = false;
  });
  RED.events.on('flows:started', () => {
    state.ready = true;
    for (const go of state.waiting.splice(0)) go();
  });
}

/** Resolves when all nodes stand; rejects with the signal's reason. */
export function flowsReady(RED: Red, signal: AbortSignal): Promise<void> {
  const state = known.get(RED.events);
  if (!state || state.ready) return Promise.resolve();
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    state.waiting.push(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}
