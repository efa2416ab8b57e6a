/** What happens to work that comes while other work is still going on (contracts.md 1, `overlap`). */

/**
 * `queued`: one after the other. `single`: what comes while one runs is dropped. `restart`: a new one stops the one that
 * runs and takes its place. `parallel`: side by side, up to a cap, then queued. `conversation`: side by side too, but each
 * after those of its own lanes that came before it.
 */
export type OverlapMode = 'queued' | 'single' | 'restart' | 'parallel' | 'conversation';

export interface OverlapOptions<T, R> {
  readonly mode: OverlapMode;
  /** `signal` aborts when a newer one takes its place; it has to settle then. */
  readonly work: (item: T, signal: AbortSignal) => Promise<R>;
  /** `conversation`: in which lanes an item stands. Of those that share one, only the oldest is worked on. */
  readonly lanes?: (item: T) => readonly string[];
  /** Of those that wait, the smaller one is first; the same: as they came. Default: all are the same. */
  readonly order?: (item: T) => number;
  /** Most that wait; the next is dropped. Default 100. */
  readonly queued?: number;
  /** `conversation`: most of these that wait in one lane; the next is dropped. Default 20. */
  readonly inLane?: number;
  /** `parallel`, `conversation`: most at once. Default 20, 8. */
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
  readonly lanes: readonly string[];
  readonly resolve: (end: Overlapped<R>) => void;
  readonly reject: (reason: unknown) => void;
  readonly forget: () => void;
}

const sideBySide: { readonly [mode in OverlapMode]?: number } = { parallel: 20, conversation: 8 };

export function createOverlap<T, R>(options: OverlapOptions<T, R>): Overlap<T, R> {
  const { mode, work, order = () => 0, queued = 100, inLane = 20 } = options;
  const atOnce = options.parallel && mode in sideBySide ? options.parallel : (sideBySide[mode] ?? 1);
  const lanesOf = (item: T) => (mode === 'conversation' ? (options.lanes?.(item) ?? []) : []);
  const queue: Waiting<T, R>[] = [];
  const running = new Map<AbortController, readonly string[]>();

  function drop(waiting: Waiting<T, R>): void {
    const at = queue.indexOf(waiting);
    if (at < 0) return;
    queue.splice(at, 1);
    waiting.forget();
    waiting.resolve({ dropped: true });
    // Whoever stood behind it may be free now.
    next();
  }

  function next(): void {
    const busy = new Set([...running.values()].flat());
    for (const waiting of [...queue]) {
      if (running.size >= atOnce) return;
      const isFree = !waiting.lanes.some((lane) => busy.has(lane));
      for (const lane of waiting.lanes) busy.add(lane);
      if (!isFree) continue;
      queue.splice(queue.indexOf(waiting), 1);
      waiting.forget();
      void run(waiting);
    }
  }

  async function run({ item, lanes, resolve, reject }: Waiting<T, R>): Promise<void> {
    const abort = new AbortController();
    running.set(abort, lanes);
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
  function admits(lanes: readonly string[]): boolean {
    const ahead = [...running.values(), ...queue.map((waiting) => waiting.lanes)];
    const isFree = !ahead.flat().some((lane) => lanes.includes(lane));
    if (running.size < atOnce && isFree) return true;
    if (mode === 'single') return false;
    if (mode === 'restart') {
      for (const older of [...queue]) drop(older);
      for (const abort of running.keys()) abort.abort(new DOMException('a newer one takes its place', 'AbortError'));
    }
    const waitsIn = (lane: string) => queue.filter((waiting) => waiting.lanes.includes(lane)).length;
    return queue.length < queued && lanes.every((lane) => waitsIn(lane) < inLane);
  }

  return {
    push(item, signal) {
      const lanes = lanesOf(item);
      if (signal?.aborted || !admits(lanes)) return Promise.resolve({ dropped: true });
      return new Promise((resolve, reject) => {
        const leave = () => drop(waiting);
        const forget = () => signal?.removeEventListener('abort', leave);
        const waiting: Waiting<T, R> = { item, lanes, resolve, reject, forget };
        signal?.addEventListener('abort', leave, { once: true });
        queue.splice(queue.findLastIndex((one) => order(one.item) <= order(item)) + 1, 0, waiting);
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
