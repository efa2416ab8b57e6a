/**
 * One member of a consumer group: it reads on a connection of its own, works on so many entries at once at most, and
 * acknowledges each when the work on it is done. After a crash it begins with what it had not done; what another member
 * had, who is not heard of any more, it takes over. Nothing is acknowledged that was not worked on or given up in words.
 */
import type { Redis } from 'ioredis';
import type { Clock, Timer } from '../clock.ts';
import { sleep } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { entriesOf, entriesRead } from './stream-entry.ts';
import type { StreamEntry } from './stream-entry.ts';

/** What became of an entry. */
export type Handled = void | 'left';

export interface StreamGroupOptions {
  readonly key: string;
  readonly group: string;
  /** Names this member: the same after a restart. */
  readonly consumer: string;
  /**
   * Resolves when the work is done; `left`: it is another's, so it is not acknowledged. What it rejects with is reported,
   * and the entry counts as done.
   */
  readonly handle: (entry: StreamEntry, how: { readonly isAgain: boolean }) => Promise<Handled> | Handled;
  /** Where a group that is not there yet begins: with what comes (default), or with all there is. */
  readonly from?: 'now' | 'start';
  readonly clock: Clock;
  readonly onProblem: (problem: Error) => void;
  /** Most entries at once; default `limits.streamInWork`. */
  readonly inWork?: number;
  /** Defaults `limits.streamIdleMs`, `.streamWorkMs`, `.streamBlockMs`. */
  readonly idleMs?: number;
  readonly workMs?: number;
  readonly blockMs?: number;
}

export interface StreamGroup {
  /** With each connection. @param reader Its own: it is blocked most of the time. @param client For all else. */
  connected(reader: Redis, client: Redis): Promise<void>;
  disconnected(): void;
  /** Ends reading. What is being worked on is left to the next start, or to the others of the group. */
  close(): void;
  /** What is being worked on. */
  readonly working: number;
}

interface Connection {
  readonly reader: Redis;
  readonly client: Redis;
}

export function createStreamGroup(options: StreamGroupOptions): StreamGroup {
  const { key, group, consumer, clock } = options;
  const most = options.inWork ?? limits.streamInWork;
  const idleMs = options.idleMs ?? limits.streamIdleMs;
  const working = new Map<string, AbortController>();
  const done = createDone(options, () => connection?.client);
  let connection: Connection | undefined;
  let isClosed = false;
  let freed: (() => void) | undefined;

  const isCurrent = (own: Connection) => own === connection && !isClosed;
  const report = (error: unknown) => {
    if (!isClosed) options.onProblem(asError(error));
  };

  const finished = (id: string, handled: Handled) => {
    working.delete(id);
    if (handled !== 'left') done.add(id);
    // Without a connection it is said after the next.
    done.tell().catch(() => undefined);
    freed?.();
  };
  const work = async (entry: StreamEntry, isAgain: boolean, over: AbortSignal): Promise<Handled> => {
    const late = sleep(clock, options.workMs ?? limits.streamWorkMs, over).then(() => {
      throw folkmootError('FOLKMOOT_DEADLINE', `An entry of the stream "${key}" was worked on for too long.`);
    });
    return Promise.race([options.handle(entry, { isAgain }), late]);
  };
  const take = (entry: StreamEntry, isAgain: boolean) => {
    if (working.has(entry.id) || done.has(entry.id)) return;
    const over = new AbortController();
    working.set(entry.id, over);
    work(entry, isAgain, over.signal)
      .catch((error: unknown) => {
        if (!over.signal.aborted) report(error);
      })
      .then((handled) => {
        over.abort();
        if (!isClosed) finished(entry.id, handled);
      })
      .catch(report);
  };

  const ensure = async ({ client }: Connection, from: '$' | '0') => {
    await client.xgroup('CREATE', key, group, from, 'MKSTREAM').catch((error: unknown) => {
      if (!asError(error).message.startsWith('BUSYGROUP')) throw error;
    });
  };

  /** What can't be finished, whoever takes it, must not go round for ever. */
  const isHopeless = async ({ client }: Connection, { id }: StreamEntry): Promise<boolean> => {
    const [row] = (await client.xpending(key, group, id, id, 1)) as readonly (readonly [
      string,
      string,
      number,
      number,
    ])[];
    if (!row || row[3] <= limits.streamDeliveries) return false;
    report(
      folkmootError('FOLKMOOT_LIMIT', `An entry of the stream "${key}" was begun ${row[3]} times and never done.`),
    );
    done.add(id);
    await done.tell();
    return true;
  };
  const takeAgain = async (own: Connection, entries: readonly StreamEntry[]) => {
    for (const entry of entries) {
      if (!working.has(entry.id) && !(await isHopeless(own, entry))) take(entry, true);
    }
  };

  /** What this member had before it crashed, or before the connection was lost. */
  const takeOwn = async (own: Connection) => {
    for (let after = '0'; isCurrent(own);) {
      await room();
      const raw = await own.client.callBuffer(
        'XREADGROUP',
        'GROUP',
        group,
        consumer,
        'COUNT',
        String(most),
        'STREAMS',
        key,
        after,
      );
      const entries = entriesRead(raw);
      await takeAgain(own, entries);
      const last = entries.at(-1);
      if (!last) return;
      after = last.id;
    }
  };
  /** What others had, of whom nothing was heard for `idleMs`. */
  const takeOver = async (own: Connection) => {
    for (let cursor = '0-0'; isCurrent(own) && most > working.size;) {
      const count = String(most - working.size);
      const raw = await own.client.callBuffer(
        'XAUTOCLAIM',
        key,
        group,
        consumer,
        String(idleMs),
        cursor,
        'COUNT',
        count,
      );
      const [next, claimed] = raw as readonly [Buffer, unknown];
      await takeAgain(own, entriesOf(claimed));
      cursor = next.toString();
      if (cursor === '0-0') return;
    }
  };

  const room = async () => {
    while (working.size >= most && !isClosed) {
      await new Promise<void>((resolve) => (freed = resolve));
    }
  };
  const read = async (own: Connection) => {
    await takeOwn(own);
    for (let claimed = -Infinity; isCurrent(own);) {
      await room();
      if (!isCurrent(own)) return;
      await done.tell();
      if (clock.now() - claimed >= idleMs / 2) {
        claimed = clock.now();
        await takeOver(own);
        if (working.size >= most) continue;
      }
      const block = String(Math.max(1, Math.min(options.blockMs ?? limits.streamBlockMs, Math.round(idleMs / 2))));
      const count = String(most - working.size);
      const raw = await own.reader.callBuffer(
        'XREADGROUP',
        'GROUP',
        group,
        consumer,
        'COUNT',
        count,
        'BLOCK',
        block,
        'STREAMS',
        key,
        '>',
      );
      if (isCurrent(own)) for (const entry of entriesRead(raw)) take(entry, false);
    }
  };
  const readOn = async (own: Connection) => {
    while (isCurrent(own)) {
      try {
        await read(own);
      } catch (error) {
        if (!isCurrent(own)) return;
        const { message } = asError(error);
        // The stream was deleted, and its groups with it: all that is in it now is new.
        if (/NOGROUP|UNBLOCKED/.test(message)) await ensure(own, '0').catch(() => undefined);
        else {
          report(error);
          await sleep(clock, limits.busReconnectMinMs);
        }
      }
    }
  };
  const stopBeat = keepAlive(options, working, () => connection?.client);

  return {
    async connected(reader, client) {
      if (isClosed) return;
      const own = { reader, client };
      connection = own;
      await ensure(own, options.from === 'start' ? '0' : '$');
      void readOn(own);
    },
    disconnected: () => {
      connection = undefined;
      freed?.();
    },
    close() {
      isClosed = true;
      connection = undefined;
      stopBeat();
      for (const over of working.values()) over.abort();
      freed?.();
    },
    get working() {
      return working.size;
    },
  };
}

/** What is done, but the server does not know yet. */
function createDone({ key, group }: StreamGroupOptions, client: () => Redis | undefined) {
  const ids = new Set<string>();
  return {
    add: (id: string) => void ids.add(id),
    has: (id: string) => ids.has(id),
    async tell(): Promise<void> {
      const told = [...ids];
      if (told.length === 0) return;
      const count = await client()?.xack(key, group, ...told);
      if (count !== undefined) for (const id of told) ids.delete(id);
    },
  };
}

/** What takes long is not idle. What another took over meanwhile, while this process stood still, is not taken back. */
function keepAlive(
  { key, group, consumer, clock, idleMs = limits.streamIdleMs, inWork = limits.streamInWork }: StreamGroupOptions,
  working: ReadonlyMap<string, unknown>,
  client: () => Redis | undefined,
): () => void {
  let timer: Timer;
  const beat = async (server: Redis) => {
    // Some that are done and not acknowledged yet may be among them.
    const rows = (await server.xpending(key, group, '-', '+', 2 * inWork, consumer)) as readonly (readonly [string])[];
    const ids = rows.map(([id]) => id).filter((id) => working.has(id));
    if (ids.length > 0) await server.xclaim(key, group, consumer, 0, ...ids, 'JUSTID');
  };
  const wait = () => {
    timer = clock.setTimer(() => {
      const server = client();
      if (server && working.size > 0) beat(server).catch(() => undefined);
      wait();
    }, idleMs / 3);
  };
  wait();
  return () => clock.clearTimer(timer);
}
