/** When a broker is told that a message arrived: after the work on it, and in the order in which messages came. */
import type { Clock, Timer } from '../clock.ts';

export interface AcksOptions {
  readonly clock: Clock;
  /** Work that takes longer counts as done. */
  readonly mostMs: number;
  /** The same, when messages behind it are done: a long one must not hold up others. */
  readonly yieldMs: number;
  readonly send: (messageId: number) => void;
}

export interface Acks {
  /** A message of this connection came. @param work Never rejects; absent: it is done already. */
  open(messageId: number, work: Promise<void> | undefined): void;
  /** The connection is gone: nothing of it is acknowledged on the next, where the broker sends it again. */
  reset(): void;
}

interface Entry {
  readonly messageId: number;
  readonly since: number;
  isDone: boolean;
}

export function createAcks(options: AcksOptions): Acks {
  const { clock } = options;
  let entries: Entry[] = [];
  let timer: Timer | undefined;

  const flush = () => {
    while (entries[0]?.isDone) options.send((entries.shift() as Entry).messageId);
    clock.clearTimer(timer);
    timer = undefined;
    const [first, ...behind] = entries;
    if (!first) return;
    const mayTakeMs = behind.some(({ isDone }) => isDone) ? options.yieldMs : options.mostMs;
    timer = clock.setTimer(() => finish(first), first.since + mayTakeMs - clock.now());
  };
  const finish = (entry: Entry) => {
    entry.isDone = true;
    flush();
  };

  return {
    open(messageId, work) {
      const entry = { messageId, since: clock.now(), isDone: work === undefined };
      entries.push(entry);
      flush();
      // An entry of a connection that is gone is in no list any more.
      void work?.then(() => finish(entry));
    },
    reset() {
      entries = [];
      clock.clearTimer(timer);
      timer = undefined;
    },
  };
}
