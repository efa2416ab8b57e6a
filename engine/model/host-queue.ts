/** One queue per model host: a small server is not asked more at once than it can bear. */
import { asError, folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';

interface Waiting {
  readonly concurrency: number;
  readonly start: () => void;
  readonly onSign: (() => void) | undefined;
}

export interface Place {
  /** To be called exactly once, when done. */
  readonly leave: () => void;
  /** The host said something: a sign of life to all who wait for it. */
  readonly heard: () => void;
}

interface HostQueue {
  running: number;
  readonly waiting: Waiting[];
}

const queues = new Map<string, HostQueue>();

/**
 * Waits for a place. Rejects with the signal's reason, or FOLKMOOT_LIMIT when too many wait already.
 * @param onSign Called while it waits, whenever the host speaks or somebody leaves.
 */
export async function enterQueue(
  host: string,
  concurrency: number,
  signal: AbortSignal,
  onSign?: () => void,
): Promise<Place> {
  signal.throwIfAborted();
  const queue = queues.get(host) ?? { running: 0, waiting: [] };
  queues.set(host, queue);
  if (queue.waiting.length >= limits.modelQueue)
    throw folkmootError('FOLKMOOT_LIMIT', `${queue.waiting.length} calls are waiting for the model at ${host}.`);
  if (queue.running >= concurrency || queue.waiting.length) await place(queue, concurrency, signal, onSign);
  else queue.running += 1;
  const heard = () => queue.waiting.forEach((waiting) => waiting.onSign?.());
  return {
    heard,
    leave() {
      queue.running -= 1;
      startNext(queue);
      heard();
      if (queue.running === 0 && !queue.waiting.length) queues.delete(host);
    },
  };
}

function place(queue: HostQueue, concurrency: number, signal: AbortSignal, onSign?: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      const at = queue.waiting.indexOf(entry);
      if (at >= 0) queue.waiting.splice(at, 1);
      // Who stood at the front may have held back others that need less room.
      startNext(queue);
      reject(asError(signal.reason));
    };
    const entry: Waiting = {
      concurrency,
      onSign,
      start: () => {
        signal.removeEventListener('abort', stop);
        resolve();
      },
    };
    signal.addEventListener('abort', stop, { once: true });
    queue.waiting.push(entry);
  });
}

function startNext(queue: HostQueue): void {
  for (let next = queue.waiting[0]; next && queue.running < next.concurrency; next = queue.waiting[0]) {
    queue.waiting.shift();
    queue.running += 1;
    next.start();
  }
}

/** For specs: hosts with calls that run or wait. */
export const busyHosts = (): readonly string[] => [...queues.keys()];
