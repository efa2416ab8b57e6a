/** The messages of an outbox in their order, from when they are given to it until they came back or are given up. */
import type { Clock, Timer } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { BusMetrics } from './metrics.ts';
import type { KeptMessage, OutboxShelf } from './outbox-shelf.ts';

export interface OutboxEntry extends KeptMessage {
  /** Resolves when it is in the store, if it goes there at all. */
  readonly stored: Promise<void>;
  /** When the broker, or for `memory` the receiver, has it. Rejects when it was given up. */
  readonly settled: Promise<void>;
  /** How often the connection broke over it, or it was begun. */
  tries: number;
}

export interface OutboxListOptions {
  readonly clock: Clock;
  readonly metrics: BusMetrics;
  readonly shelf?: OutboxShelf | undefined;
  readonly most: number;
  readonly ageMs: number;
  readonly problem: (error: unknown) => void;
}

export interface OutboxList {
  /** Why no more fits, in words. */
  full(bytes: number): string | undefined;
  add(kept: KeptMessage, signal?: AbortSignal): OutboxEntry;
  /** What an earlier process left, before all others; it is in the store already. */
  first(left: readonly KeptMessage[]): void;
  /** The first one that waits. */
  next(): OutboxEntry | undefined;
  isWaiting(entry: OutboxEntry): boolean;
  /** Gives the number of this attempt. */
  sending(entry: OutboxEntry): number;
  isSending(entry: OutboxEntry, attempt: number): boolean;
  /** It waits again, in its old place. */
  again(entry: OutboxEntry): void;
  /** By the broker. @param isHeard It will come back. */
  acknowledged(entry: OutboxEntry, isHeard: boolean): void;
  /** It came back. */
  arrived(id: string): void;
  /** Begin before it is sent. Gives what tells whether it came back before the broker's acknowledgement, and ends this. */
  expect(id: string): () => boolean;
  /** One that was sent and is never sent again: counted when it doesn't come back. */
  watch(kept: KeptMessage, isHeard: boolean): void;
  giveUp(entry: OutboxEntry, reason: string, error: Error): void;
  giveUpOlderThan(ms: number): void;
  /** What was sent and did not come back is sent again, or counted. */
  lostConnection(): void;
  close(reason: Error): void;
}

type State = 'waiting' | 'sending' | 'unheard' | 'watched';

interface Row extends OutboxEntry {
  state: State;
  timer: Timer | undefined;
  readonly isKept: boolean;
  readonly end: (error?: Error) => void;
}

export function createOutboxList(options: OutboxListOptions): OutboxList {
  const { clock, metrics, shelf } = options;
  let rows = new Map<string, Row>();
  /** Topics on which nothing came back since the last connect: we may write there, and not read. */
  const mute = new Set<string>();
  /** Ids that are on their way and no rows yet, and whether they came back. */
  const expected = new Map<string, boolean>();
  let bytes = 0;
  let ageTimer: Timer | undefined;

  const count = () => metrics.outboxWaiting([...rows.values()].filter(({ state }) => state !== 'watched').length);
  const remove = (row: Row, error?: Error) => {
    if (!rows.delete(row.id)) return;
    clock.clearTimer(row.timer);
    bytes -= row.message.payload.length;
    if (row.isKept) row.stored.then(() => shelf?.drop(row.id)).catch(options.problem);
    row.end(error);
    count();
    if (rows.size > 0) return;
    clock.clearTimer(ageTimer);
    ageTimer = undefined;
  };
  const maybeLost = (row: Row) => {
    metrics.maybeLost(row.topic);
    remove(row);
  };
  const wait = (row: Row, state: State) => {
    row.state = state;
    clock.clearTimer(row.timer);
    row.timer = undefined;
  };
  const listenFor = (row: Row, state: 'unheard' | 'watched', isHeard: boolean) => {
    wait(row, state);
    if (!isHeard || mute.has(row.topic)) return maybeLost(row);
    row.timer = clock.setTimer(() => {
      mute.add(row.topic);
      maybeLost(row);
    }, limits.outboxEchoMs);
    const unheard = [...rows.values()].filter((other) => other.state === state);
    if (unheard.length > limits.outboxUnheard) maybeLost(unheard[0] as Row);
  };
  const put = (kept: KeptMessage, isNew: boolean): Row => {
    const row = rowOf(kept, { shelf: isNew ? shelf : undefined, problem: options.problem });
    rows.set(kept.id, row);
    bytes += kept.message.payload.length;
    return row;
  };
  const giveUp = (row: Row, reason: string, error: Error) => {
    if (!rows.has(row.id)) return;
    metrics.lost(row.topic, reason);
    // One of an earlier process has nobody who waits for it; who was told that it is sent isn't any more either.
    row.settled.then(() => options.problem(error)).catch(() => undefined);
    remove(row, error);
  };
  const giveUpOlderThan = (ms: number) => {
    for (const row of [...rows.values()].filter(({ state, at }) => state === 'waiting' && clock.now() - at >= ms)) {
      const what = `A message to "${row.topic}" waited for ${Math.round(ms / 60_000)} minutes and was given up.`;
      giveUp(row, 'too old', folkmootError('FOLKMOOT_BUS_LOST', what));
    }
    clock.clearTimer(ageTimer);
    const oldest = [...rows.values()].find(({ state }) => state === 'waiting');
    ageTimer = oldest && clock.setTimer(() => giveUpOlderThan(ms), oldest.at + ms - clock.now());
  };
  const rowOfEntry = (entry: OutboxEntry) => rows.get(entry.id);

  return {
    full(more) {
      const waiting = [...rows.values()].filter(({ state }) => state === 'waiting' || state === 'sending').length;
      if (waiting >= options.most) return `${waiting} messages to the broker wait already.`;
      return bytes + more > limits.outboxBytes ? `${bytes} bytes wait for the broker already.` : undefined;
    },
    add(kept, signal) {
      const row = put(kept, true);
      const onAbort = () => {
        if (row.state === 'waiting') remove(row, signal?.reason as Error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      void row.settled.catch(() => undefined).then(() => signal?.removeEventListener('abort', onAbort));
      if (!ageTimer) giveUpOlderThan(options.ageMs);
      count();
      return row;
    },
    first(left) {
      const later = rows;
      rows = new Map();
      for (const kept of left) put(kept, false).end();
      for (const [id, row] of later) rows.set(id, row);
      count();
    },
    next: () => [...rows.values()].find(({ state }) => state === 'waiting'),
    isWaiting: (entry) => rowOfEntry(entry)?.state === 'waiting',
    sending(entry) {
      const row = rowOfEntry(entry);
      if (row) wait(row, 'sending');
      return (entry.tries += 1);
    },
    isSending: (entry, attempt) => rowOfEntry(entry)?.state === 'sending' && entry.tries === attempt,
    again(entry) {
      const row = rowOfEntry(entry);
      if (row) wait(row, 'waiting');
    },
    acknowledged(entry, isHeard) {
      const row = rowOfEntry(entry);
      if (!row) return;
      if (row.message.keep === 'store') row.end();
      if (row.state === 'sending') listenFor(row, 'unheard', isHeard);
    },
    arrived(id) {
      if (expected.has(id)) expected.set(id, true);
      const row = rows.get(id);
      if (!row) return;
      mute.delete(row.topic);
      remove(row);
    },
    expect(id) {
      expected.set(id, false);
      return () => {
        const hasCome = expected.get(id) === true;
        expected.delete(id);
        return hasCome;
      };
    },
    watch(kept, isHeard) {
      const row = put({ ...kept, message: { payload: '' } }, false);
      row.end();
      listenFor(row, 'watched', isHeard);
    },
    giveUp: (entry, reason, error) => {
      const row = rowOfEntry(entry);
      if (row) giveUp(row, reason, error);
    },
    giveUpOlderThan,
    lostConnection() {
      mute.clear();
      for (const row of [...rows.values()]) {
        if (row.state === 'watched') maybeLost(row);
        else wait(row, 'waiting');
      }
    },
    close(reason) {
      clock.clearTimer(ageTimer);
      for (const row of rows.values()) {
        clock.clearTimer(row.timer);
        row.end(reason);
      }
      rows = new Map();
    },
  };
}

function rowOf(
  kept: KeptMessage,
  { shelf, problem }: { readonly shelf: OutboxShelf | undefined; readonly problem: (error: unknown) => void },
): Row {
  const isKept = kept.message.keep === 'store';
  const { promise: settled, resolve, reject } = Promise.withResolvers<void>();
  // Whoever waits for it gets the error; nobody may.
  settled.catch(() => undefined);
  return {
    ...kept,
    isKept,
    // What can't be written is sent all the same.
    stored: isKept && shelf ? shelf.put(kept).catch(problem) : Promise.resolve(),
    settled,
    tries: 0,
    state: 'waiting',
    timer: undefined,
    end: (error) => (error ? reject(error) : resolve()),
  };
}
