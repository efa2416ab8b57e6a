/**
 * Whether the runtime's set of nodes is complete: between `flows:stopping` and `flows:started` it is not (asks.md 2); and
 * whether it will be again: a deploy makes nodes anew, a stop doesn't.
 */
import type { Red } from './red.ts';

/** What happened to the nodes. `all`: each one was closed. */
export interface FlowsChange {
  readonly isDeploy: boolean;
  readonly all: boolean;
}

interface Readiness {
  ready: boolean;
  /** Node-RED reads the flows anew from its storage. */
  loading: boolean;
  /** The last time that nodes were closed. */
  last: FlowsChange;
  readonly waiting: Set<() => void>;
  readonly over: Set<() => void>;
  readonly stopping: Set<(change: FlowsChange) => void>;
  readonly standing: Set<() => void>;
}

interface StoppingEvent {
  readonly type?: unknown;
  readonly diff?: { readonly globalConfigChanged?: unknown };
}

const known = new WeakMap<Red['events'], Readiness>();

/** Called by every node's module function: at construction `flows:stopping` is already over. */
export function watchFlows(RED: Red): void {
  if (known.has(RED.events)) return;
  const state: Readiness = {
    ready: false,
    loading: false,
    last: { isDeploy: false, all: true },
    waiting: new Set(),
    over: new Set(),
    stopping: new Set(),
    standing: new Set(),
  };
  known.set(RED.events, state);
  RED.events.on('runtime-event', (event?: { readonly id?: unknown; readonly payload?: unknown }) => {
    if (event?.id === 'runtime-state') state.loading = event.payload === undefined;
  });
  RED.events.on('flows:stopping', (event?: StoppingEvent) => {
    state.ready = false;
    state.last = changeOf(event, state.loading);
    for (const tell of [...state.stopping]) tell(state.last);
    if (!state.last.isDeploy) runAll(state.over);
  });
  RED.events.on('flows:started', () => {
    state.ready = true;
    runAll(state.waiting);
    runAll(state.over);
    for (const tell of [...state.standing]) tell();
  });
}

/**
 * Node-RED itself doesn't say which it is: what it compares before a deploy has `globalConfigChanged`, what it puts in
 * place of that at a stop has not. Restarting the flows looks like a stop, but they were read just before. Whatever else
 * comes counts as a stop: a connection that is closed for nothing does less harm than one that is never closed.
 */
function changeOf(event: StoppingEvent | undefined, isLoading: boolean): FlowsChange {
  const diff = event?.diff;
  const isCompared = typeof diff === 'object' && diff !== null && 'globalConfigChanged' in diff;
  const all = event?.type !== 'nodes' && event?.type !== 'flows';
  return { isDeploy: isCompared || isLoading, all: all || diff?.globalConfigChanged === true };
}

function runAll(runs: Set<() => void>): void {
  const now = [...runs];
  runs.clear();
  for (const run of now) run();
}

/** Nodes are being closed to be made anew, or that was not finished. */
export function isDeploying(RED: Red): boolean {
  const state = known.get(RED.events);
  return state !== undefined && !state.ready && state.last.isDeploy;
}

/** Nodes can be sent to: all that should stand do. */
export const areFlowsReady = (RED: Red): boolean => known.get(RED.events)?.ready ?? true;

/** Called when nodes begin to close, before the first one does. Gives what ends it. */
export function onStopping(RED: Red, tell: (change: FlowsChange) => void): () => void {
  const state = known.get(RED.events);
  state?.stopping.add(tell);
  return () => void state?.stopping.delete(tell);
}

/** Called once when the deploy is over: all nodes stand, or they were stopped instead. Gives what takes it back. */
export function afterDeploy(RED: Red, run: () => void): () => void {
  const state = known.get(RED.events);
  if (!state) return () => undefined;
  state.over.add(run);
  return () => void state.over.delete(run);
}

/** Called after the start and after each deploy, when all nodes stand. Gives what ends it. */
export function onReady(RED: Red, tell: () => void): () => void {
  const state = known.get(RED.events);
  state?.standing.add(tell);
  return () => void state?.standing.delete(tell);
}

/** Resolves when all nodes stand; rejects with the signal's reason. */
export function flowsReady(RED: Red, signal: AbortSignal): Promise<void> {
  const state = known.get(RED.events);
  if (!state || state.ready) return Promise.resolve();
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const go = () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = () => {
      state.waiting.delete(go);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    state.waiting.add(go);
  });
}
