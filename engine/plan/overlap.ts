/** What happens to work that comes while other work is still going on (contracts.md 1, `overlap`). */
import { limits } from '../limits.ts';

/**
 * `queued`: one after the other. `single`: what comes while one runs is dropped. `restart`: a new one stops the one that
 * runs and takes its place. `parallel`: side by side, up to a cap, then queued.
 */
export type OverlapMode = 'queued' | 'single' | 'restart' | 'parallel';

export interface OverlapOptions<T, R> {
  readonly mode: OverlapMode;
  /** `signal` aborts when a newer one takes its place; it has to settle then. */
  readonly work: (item: T, signal: AbortSignal) => Promise<R>;
  /** Most that wait; the next is dropped. Default `limits.queuedRuns`. */
  readonly queued?: number;
  /** `parallel`: most at once. Default `limits.parallelRuns`. */
  readonly parallel?: number;
}

export type Overlapped<R> = { readonly dropped: false; readonly value: R } | { readonly dropped: true };

export interface Overlap<T, R> {
  /** Settles as `work` does, or as dropped if its turn never came. `signal` takes a waiting one out of the queue. */
  push(item: T, signal?: AbortSignal): Promise<Overlapped<R>>;
  readonly running: number;
  readonly waiting: number;
}

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (end: Overlapped<R>) => void;
  readonly reject: (reason: unknown) => void;
  readonly forget: () => void;
}

export function createOverlap<T, R>(options: OverlapOptions<T, R>): Overlap<T, R> {
  const { mode, work, queued = limits.queuedRuns, parallel = limits.parallelRuns } = options;
  const atOnce = mode === 'parallel' ? parallel : 1;
  const queue: Waiting<T, R>[] = [];
  const running = new Set<AbortController>();

  function drop(waiting: Waiting<T, R>): void {
    const at = queue.indexOf(waiting);
    if (at < 0) return;
    queue.splice(at, 1);
    waiting.forget();
    waiting.resolve({ dropped: true });
  }

  function next(): void {
    while (running.size < atOnce) {
      const waiting = queue.shift();
      if (!waiting) return;
      waiting.forget();
      void run(waiting);
    }
  }

  async function run({ item, resolve, reject }: Waiting<T, R>): Promise<void> {
    const abort = new AbortController();
    running.add(abort);
    try {
      resolve({ dropped: false, value: await work(item, abort.signal) });
    } catch (thrown) {
      reject(thrown);
    } finally {
      running.delete(abort);
      next();
    }
  }

  /** Makes room for a new one, or says that there is none. */
  function admits(): boolean {
    if (running.size < atOnce && queue.length === 0) return true;
    if (mode === 'single') return false;
    if (mode === 'restart') {
      for (const older of [...queue]) drop(older);
      for (const abort of running) abort.abort(new DOMException('a newer one takes its place', 'AbortError'));
    }
    return queue.length < queued;
  }

  return {
    push(item, signal) {
      if (signal?.aborted || !admits()) return Promise.resolve({ dropped: true });
      return new Promise((resolve, reject) => {
        const leave = () => drop(waiting);
        const forget = () => signal?.removeEventListener('abort', leave);
        const waiting: Waiting<T, R> = { item, resolve, reject, forget };
        signal?.addEventListener('abort', leave, { once: true });
        queue.push(waiting);
        next();
      });
    },
    get running() {
      return running.size;
    },
    get waiting() {
      return queue.length;
    },
  };
}
