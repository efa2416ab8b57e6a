/** Streams of one Valkey server by name: adding, reading back, clearing, and groups of readers. */
import type { Redis } from 'ioredis';
import type { Clock } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { connectValkey, valkeyAddress } from './connection.ts';
import type { ValkeyConnection, ValkeyServerAddress } from './connection.ts';
import { createEntryClaims, type EntryClaims } from './entry-claims.ts';
import { createStreamGroup } from './stream-group.ts';
import type { StreamGroupOptions } from './stream-group.ts';
import { entriesOf } from './stream-entry.ts';
import type { StreamEntry } from './stream-entry.ts';

export interface StreamsOptions {
  readonly server: ValkeyServerAddress;
  readonly clock: Clock;
  readonly onProblem: (problem: Error) => void;
  /** Defaults `limits.streamEntries`, `.streamAgeMs`. */
  readonly entries?: number;
  readonly ageMs?: number;
}

export interface OpenGroup {
  /** Resolves when the group stands; rejects when the server refuses it. Waits for the server. */
  readonly ready: Promise<void>;
  close(): void;
}

export interface Streams {
  /** Called on each change, at once with the present state; gives what ends it. */
  onState(listener: (isUp: boolean, reason?: string) => void): () => void;
  /** Gives the entry's id. Waits for a connection for `limits.busConnectTimeoutMs`. Throws FOLKMOOT_BUS_LOST, _REFUSED. */
  add(key: string, fields: Readonly<Record<string, string | Buffer>>): Promise<string>;
  /** Only when there is no entry; false when there was one. */
  addFirst(key: string, fields: Readonly<Record<string, string>>): Promise<boolean>;
  clear(key: string): Promise<void>;
  /** The last ones before `id` (of all when it is left out), oldest first. */
  before(key: string, id: string | undefined, count: number): Promise<StreamEntry[]>;
  /** The first ones after `id`. */
  after(key: string, id: string, count: number): Promise<StreamEntry[]>;
  group(options: Omit<StreamGroupOptions, 'clock' | 'onProblem'>): OpenGroup;
  /** Whose an entry is. */
  readonly claims: EntryClaims;
  close(): void;
}

const addFirstScript = `
if redis.call('XLEN', KEYS[1]) > 0 then return 0 end
redis.call('XADD', KEYS[1], '*', unpack(ARGV))
return 1`;

/** Throws FOLKMOOT_BAD_SETTING for an address that is none. Connects by itself. */
export function createStreams(options: StreamsOptions): Streams {
  const { server, clock, onProblem } = options;
  valkeyAddress(server.url);
  const link = createLink(server, onProblem);
  const groups = new Set<OpenGroup>();
  const trimmed = new Map<string, number>();
  const ageMs = options.ageMs ?? limits.streamAgeMs;
  const closed = new AbortController();

  const trim = async (client: Redis, key: string) => {
    const now = clock.now();
    if (now - (trimmed.get(key) ?? -Infinity) < trimEveryMs) return;
    trimmed.set(key, now);
    if (trimmed.size > limits.batchEvents) trimmed.clear();
    await client.xtrim(key, 'MINID', '~', String(Math.max(0, now - ageMs)));
  };
  /** Runs on the connection as soon as there is one; errors in our words. */
  const run = async <T>(key: string, command: (client: Redis) => Promise<T>): Promise<T> => {
    const client = await link.whenUp(clock);
    if (!client) throw folkmootError('FOLKMOOT_BUS_LOST', `There is no connection for the stream "${key}".`);
    try {
      return await command(client);
    } catch (thrown) {
      const error = asError(thrown);
      if (error.name === 'ReplyError') {
        throw folkmootError('FOLKMOOT_BUS_REFUSED', `The server refused the stream "${key}": ${error.message}.`, error);
      }
      throw folkmootError('FOLKMOOT_BUS_LOST', `The connection was lost at the stream "${key}".`, error);
    }
  };
  const most = String(options.entries ?? limits.streamEntries);

  return {
    onState: (listener) => link.onState(listener),
    add: (key, fields) =>
      run(key, async (client) => {
        const id = await client.xadd(key, 'MAXLEN', '~', most, '*', ...Object.entries(fields).flat());
        await trim(client, key);
        return id ?? '';
      }),
    addFirst: (key, fields) =>
      run(key, async (client) => (await client.eval(addFirstScript, 1, key, ...Object.entries(fields).flat())) === 1),
    clear: (key) => run(key, async (client) => void (await client.del(key))),
    before: (key, id, count) =>
      run(key, async (client) =>
        entriesOf(await client.xrevrangeBuffer(key, id === undefined ? '+' : `(${id}`, '-', 'COUNT', count)).reverse(),
      ),
    after: (key, id, count) =>
      run(key, async (client) => entriesOf(await client.xrangeBuffer(key, `(${id}`, '+', 'COUNT', count))),
    group(given) {
      const opened = openGroup(server, link, { ...given, clock, onProblem });
      groups.add(opened);
      return {
        ready: opened.ready,
        close: () => {
          groups.delete(opened);
          opened.close();
        },
      };
    },
    claims: createEntryClaims({ clock, ageMs, run, closed: closed.signal }),
    close() {
      closed.abort(folkmootError('FOLKMOOT_BUS_LOST', 'The connection for streams was closed.'));
      for (const group of groups) group.close();
      link.close();
    },
  };
}

const trimEveryMs = 60_000;

/** The connection for commands, as groups see it. */
export interface CommandLink {
  /** Nothing while it is down. */
  readonly client: Redis | undefined;
  onState(listener: (isUp: boolean, reason?: string) => void): () => void;
}

interface OwnLink extends CommandLink {
  /** Nothing when it is not up in time. */
  whenUp(clock: Clock): Promise<Redis | undefined>;
  close(): void;
}

function createLink(server: ValkeyServerAddress, onProblem: (problem: Error) => void): OwnLink {
  const listeners = new Set<(isUp: boolean, reason?: string) => void>();
  let connection: ValkeyConnection | undefined;
  let isUp = false;
  let isClosed = false;
  let why: string | undefined;
  const changed = (up: boolean, reason?: string) => {
    isUp = up;
    why = reason;
    for (const listener of [...listeners]) listener(up, reason);
  };
  const starting = connectValkey(server, {
    up: () => void starting.then(() => changed(true)),
    down: (reason) => changed(false, reason),
  });
  starting.then(
    (made) => {
      connection = made;
      if (isClosed) made.close();
    },
    (error: unknown) => onProblem(asError(error)),
  );
  const link: OwnLink = {
    get client() {
      return isUp ? connection?.client : undefined;
    },
    onState(listener) {
      listeners.add(listener);
      if (isUp || why !== undefined) listener(isUp, why);
      return () => void listeners.delete(listener);
    },
    whenUp(clock) {
      if (link.client || isClosed) return Promise.resolve(link.client);
      const { promise, resolve } = Promise.withResolvers<Redis | undefined>();
      const timer = clock.setTimer(() => resolve(undefined), limits.busConnectTimeoutMs);
      const stop = link.onState((up) => {
        if (up) resolve(link.client);
      });
      return promise.finally(() => {
        stop();
        clock.clearTimer(timer);
      });
    },
    close() {
      isClosed = true;
      isUp = false;
      listeners.clear();
      connection?.close();
    },
  };
  return link;
}

/** One member of a group, with a connection of its own that reads. */
export function openGroup(server: ValkeyServerAddress, link: CommandLink, options: StreamGroupOptions): OpenGroup {
  const group = createStreamGroup(options);
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  ready.catch(() => undefined);
  let reader: ValkeyConnection | undefined;
  let isReading = false;
  let isClosed = false;
  const changed = () => {
    const { client } = link;
    if (isClosed) return;
    if (!reader || !isReading || !client) return group.disconnected();
    group.connected(reader.client, client).then(resolve, (error: unknown) => {
      // A lost connection is tried again; what the server refuses is not.
      if (asError(error).name !== 'ReplyError') return;
      const what = `The server refused the stream "${options.key}": ${asError(error).message}.`;
      reject(folkmootError('FOLKMOOT_BUS_REFUSED', what, error));
    });
  };
  const stop = link.onState(changed);
  const starting = connectValkey(server, {
    up: () => {
      isReading = true;
      void starting.then(changed);
    },
    down: () => {
      isReading = false;
      changed();
    },
  });
  starting.then(
    (made) => {
      reader = made;
      if (isClosed) made.close();
    },
    (error: unknown) => reject(asError(error)),
  );
  return {
    ready,
    close() {
      isClosed = true;
      stop();
      group.close();
      reader?.close();
      reject(folkmootError('FOLKMOOT_BUS_LOST', `The stream "${options.key}" is not read any more.`));
    },
  };
}
