/**
 * Messages that a broker kept for this process while it was away, and that come before the nodes stand that listen to
 * them: they wait, without being acknowledged.
 */
import type { Clock, Timer } from '../clock.ts';
import { limits } from '../limits.ts';
import type { BusMessage } from './bus.ts';
import { topicMatches } from './topics.ts';

export interface HeldOptions {
  readonly clock: Clock;
  /** Whoever listens to it is there so long after the connection, or not at all. */
  readonly ms: number;
  readonly over: () => void;
  /** Nobody came for it. */
  readonly unheard: (message: BusMessage) => void;
}

export interface Held {
  /** The session was taken up. */
  begin(): void;
  /** Resolves when it was worked on or given up; nothing when none is held any more. */
  hold(message: BusMessage): Promise<void> | undefined;
  /**
   * Gives those of a pattern in the order in which they came, to each that asks, also when another had them before; those
   * who share the work (`share`) get each once between them. What `work` of the first gives is awaited.
   */
  take(pattern: string, work: (message: BusMessage) => Promise<void> | undefined, share?: string): void;
  /** The connection is gone: the broker sends them again on the next. */
  drop(): void;
  close(): void;
}

interface Waiting {
  readonly message: BusMessage;
  readonly done: () => void;
  /** Those who share the work and had it. */
  readonly shares: Set<string>;
}

/** What waits is bounded by what a broker may send without an acknowledgement; as much is kept of what was taken. */
export function createHeld(options: HeldOptions): Held {
  const { clock } = options;
  let waiting: Waiting[] = [];
  let taken: Waiting[] = [];
  let timer: Timer | undefined;

  const drop = () => {
    for (const { done } of waiting.splice(0)) done();
    taken = [];
  };
  const end = () => {
    timer = undefined;
    for (const { message } of waiting) options.unheard(message);
    drop();
    options.over();
  };
  return {
    begin() {
      clock.clearTimer(timer);
      timer = clock.setTimer(end, options.ms);
    },
    hold(message) {
      if (!timer) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ message, done: resolve, shares: new Set() });
      return promise;
    },
    take(pattern, work, share) {
      const due = [...taken, ...waiting].filter(
        ({ message, shares }) => topicMatches(pattern, message.topic) && !(share !== undefined && shares.has(share)),
      );
      if (due.length === 0) return;
      waiting = waiting.filter((held) => !due.includes(held));
      taken = [...new Set([...taken, ...due])].slice(-limits.busInWork);
      for (const { message, done, shares } of due) {
        if (share !== undefined) shares.add(share);
        const working = work(message);
        if (working) void working.then(done);
        else done();
      }
    },
    drop,
    close() {
      clock.clearTimer(timer);
      timer = undefined;
      drop();
    },
  };
}
