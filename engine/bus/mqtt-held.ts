/**
 * Messages that a broker kept for this process while it was away, and that come before the nodes stand that listen to
 * them: they wait, without being acknowledged.
 */
import type { Clock, Timer } from '../clock.ts';
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
  /** Gives those of a pattern in the order in which they came. What `work` gives is awaited. */
  take(pattern: string, work: (message: BusMessage) => Promise<void> | undefined): void;
  /** The connection is gone: the broker sends them again on the next. */
  drop(): void;
  close(): void;
}

interface Waiting {
  readonly message: BusMessage;
  readonly done: () => void;
}

/** Bounded by what a broker may send without an acknowledgement. */
export function createHeld(options: HeldOptions): Held {
  const { clock } = options;
  let waiting: Waiting[] = [];
  let timer: Timer | undefined;

  const drop = () => {
    for (const { done } of waiting.splice(0)) done();
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
      waiting.push({ message, done: resolve });
      return promise;
    },
    take(pattern, work) {
      const due = waiting.filter(({ message }) => topicMatches(pattern, message.topic));
      if (due.length === 0) return;
      waiting = waiting.filter((held) => !due.includes(held));
      for (const { message, done } of due) {
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
