/**
 * What the store asks of Valkey: while the connection is down it waits for a while, and then fails in words; what was
 * under way when it broke is asked again.
 */
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createProblems, createState } from '../bus/subscribers.ts';
import { sleep, systemClock, type Clock, type Timer } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { connectValkey, valkeyAddress, type ValkeyServerAddress } from '../valkey/connection.ts';
import type { StoreLink } from './store.ts';

export interface ValkeyCallsOptions extends ValkeyServerAddress {
  /** For the deadlines of what is asked. Default: the system's. */
  readonly clock?: Clock;
  /** How long a call waits for a connection and for its answer. Default: `limits.storeDeadlineMs`. */
  readonly deadlineMs?: number;
}

export interface ValkeyCalls extends StoreLink {
  /** The address without user and password, for texts. */
  readonly address: string;
  /**
   * Runs work when the connection is up, again if the connection breaks under it: so twice must be as good as once.
   * Throws FOLKMOOT_STORE_LOST at its deadline, FOLKMOOT_STORE_FAILED for what the server refuses and once it is closed.
   */
  run<T>(work: (client: Redis) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** How long `close` waits for what is under way. */
const closeWaitMs = 1_000;
/** How soon a server that is not ready yet is asked again. */
const againMs = 100;

const late = Symbol('it took too long');
const closed = Symbol('it was closed');

/** A connection while it is up. Nothing that waits for long hangs on it: it may live for months. */
interface Live {
  readonly client: Redis;
  /** Called when it breaks. */
  readonly onBreak: Set<() => void>;
}

/** Connects by itself; `onState` tells. Throws FOLKMOOT_BAD_SETTING for an address that is none. */
export function createValkeyCalls(options: ValkeyCallsOptions): ValkeyCalls {
  const address = valkeyAddress(options.url);
  const { clock = systemClock, deadlineMs = limits.storeDeadlineMs } = options;
  const link = createLink(options, clock);
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  /** After a long time without a connection nobody waits long for it. */
  const patience = () => (link.downForMs() >= deadlineMs ? Math.min(deadlineMs, limits.storeLostWaitMs) : deadlineMs);

  const tryWork = async <T>(work: (client: Redis) => Promise<T>, end: Promise<typeof late>): Promise<T> => {
    for (;;) {
      const live = link.live() ?? (await Promise.race([link.up(), end]));
      if (live === late)
        throw folkmootError('FOLKMOOT_STORE_LOST', `The store at ${address} cannot be reached: ${link.why()}.`);
      if (live === closed) throw folkmootError('FOLKMOOT_STORE_FAILED', `The store at ${address} is closed.`);
      // When the connection breaks, the client rejects what is under way.
      const answer = await Promise.race([outcomeOf(work(live.client)), end]);
      if (answer === late) {
        // It neither answers nor breaks: another connection may do better.
        if (link.live() === live) live.client.disconnect(true);
        throw folkmootError('FOLKMOOT_STORE_LOST', `The store at ${address} took too long to answer.`);
      }
      if ('value' in answer) return answer.value;
      if (!isPassing(answer.error)) {
        const why = asError(answer.error).message;
        throw folkmootError('FOLKMOOT_STORE_FAILED', `The store at ${address} failed: ${why}.`, answer.error);
      }
      // The connection breaks, or the server is just starting: a moment later it is known.
      if (link.live() === live) await Promise.race([aMoment(clock, live), end]);
    }
  };

  return {
    address,
    get state() {
      return link.state();
    },
    onState: link.onState,
    async run<T>(work: (client: Redis) => Promise<T>): Promise<T> {
      if (closing) throw folkmootError('FOLKMOOT_STORE_FAILED', `The store at ${address} is closed.`);
      const { promise: end, resolve } = Promise.withResolvers<typeof late>();
      const timer: Timer = clock.setTimer(() => resolve(late), patience());
      const working = tryWork(work, end).finally(() => clock.clearTimer(timer));
      underWay.add(working);
      working.catch(() => undefined).finally(() => underWay.delete(working));
      return working;
    },
    close: () => (closing ??= link.close([...underWay])),
  };
}

/** The connection's comings and goings. */
function createLink(server: ValkeyServerAddress, clock: Clock) {
  const state = createState('connecting', createProblems());
  let live: Live | undefined;
  let why = 'there is no connection yet';
  let downSince = clock.now();
  let next = Promise.withResolvers<Live | typeof closed>();
  const down = (reason: string) => {
    why = reason;
    if (live) {
      downSince = clock.now();
      next = Promise.withResolvers();
      const broken = live;
      live = undefined;
      for (const tell of broken.onBreak) tell();
    }
    state.set('down', reason);
  };
  const starting = connectValkey(server, {
    up() {
      void starting.then(({ client }) => {
        live = { client, onBreak: new Set() };
        state.set('up');
        next.resolve(live);
      });
    },
    down,
  });
  starting.catch((error: unknown) => down(asError(error).message.replace(/\.$/, '')));
  return {
    state: () => state.now,
    onState: state.on,
    why: () => why,
    downForMs: () => (live ? 0 : clock.now() - downSince),
    live: () => live,
    /** Resolves when there is a connection, or when there will be none any more. */
    up: () => next.promise,
    async close(underWay: readonly Promise<unknown>[]): Promise<void> {
      if (live && underWay.length) await settledWithin(underWay, closeWaitMs);
      state.set('closed');
      next.resolve(closed);
      next = Promise.withResolvers();
      next.resolve(closed);
      for (const tell of live?.onBreak ?? []) tell();
      live = undefined;
      (await starting.catch(() => undefined))?.close();
    },
  };
}

/** Until the connection breaks, at most `againMs`. */
async function aMoment(clock: Clock, live: Live): Promise<void> {
  const over = new AbortController();
  const end = () => over.abort();
  live.onBreak.add(end);
  await sleep(clock, againMs, over.signal).catch(() => undefined);
  live.onBreak.delete(end);
}

const outcomeOf = <T>(work: Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** Whether it may be asked again: the connection broke, or the server is just starting. */
const isPassing = (error: unknown): boolean => {
  const { name, message } = asError(error);
  if (name === 'ReplyError') return /^(?:LOADING|MASTERDOWN|TRYAGAIN|CLUSTERDOWN|READONLY)\b/.test(message);
  return (
    /^(?:MaxRetriesPerRequestError|AbortError)$/.test(name) || /^(?:Connection is closed|Stream isn't)/.test(message)
  );
};

async function settledWithin(work: readonly Promise<unknown>[], ms: number): Promise<void> {
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const timer = systemClock.setTimer(resolve, ms);
  await Promise.race([Promise.allSettled(work), enough]);
  systemClock.clearTimer(timer);
}

const digests = new Map<string, string>();

/** Runs a script: by its digest, with its text only where the server does not know it. */
export async function evaluate(
  client: Redis,
  script: string,
  keys: readonly string[],
  words: readonly string[],
): Promise<unknown> {
  const digest = digests.get(script) ?? createHash('sha1').update(script).digest('hex');
  digests.set(script, digest);
  try {
    return await client.evalsha(digest, keys.length, ...keys, ...words);
  } catch (error) {
    if (!asError(error).message.startsWith('NOSCRIPT')) throw error;
    return client.eval(script, keys.length, ...keys, ...words);
  }
}
