/** The subscriptions of one MQTT connection: counted per pattern, made again after each connect, each message given once. */
import { createHash, randomInt } from 'node:crypto';
import type { IPublishPacket, MqttClient } from 'mqtt';
import type { Clock } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Bus, BusMessage } from './bus.ts';
import type { BusMetrics } from './metrics.ts';
import { createFreshness } from './fresh-listeners.ts';
import type { Freshness } from './fresh-listeners.ts';
import { createHeld } from './mqtt-held.ts';
import { callHandler, checkShare, matching } from './subscribers.ts';
import type { Handler, Pattern, Problems } from './subscribers.ts';
import { checkPattern } from './topics.ts';

/** What the broker is asked for, kept over restarts: a session that is taken up may hold more than is wanted now. */
export interface PatternMemory {
  load(): Promise<readonly string[]>;
  save(patterns: readonly string[]): void;
}

export interface PatternsOptions {
  readonly clock: Clock;
  readonly problems: Problems;
  /** Resolves when the first try to connect has ended. */
  readonly ready: () => Promise<void>;
  readonly memory?: PatternMemory | undefined;
  readonly metrics?: BusMetrics | undefined;
}

export interface Patterns {
  readonly subscribe: Bus['subscribe'];
  /** Resolves when all subscriptions stand or were refused, or the connection is lost again. */
  connected(client: MqttClient, sessionPresent: boolean, hasIdentifiers: boolean): Promise<void>;
  disconnected(): void;
  /** Gives what resolves when all who listen are through; nothing when they are already. Never rejects. */
  readonly receive: (topic: string, payload: Buffer, packet: IPublishPacket) => Promise<void> | undefined;
  close(reason: Error): void;
}

interface Listener {
  readonly handle: Handler;
  readonly fresh: Freshness;
}

interface Entry extends Pattern {
  /** What the broker is asked for: the pattern, or `$share/<name>/<pattern>` of those who share the work. */
  readonly filter: string;
  readonly isShared: boolean;
  /** MQTT 5's subscription identifier: tells for which of several patterns a message came. */
  readonly id: number;
  readonly handlers: Set<Listener>;
  /** The broker has acknowledged it in this session. */
  standing: boolean;
}

/** Messages that came for more than one pattern and may come once more; more than so many are not looked at. */
const overlapMemory = 256;

export function createPatterns({ clock, problems, ready, memory, metrics }: PatternsOptions): Patterns {
  const entries = new Map<string, Entry>();
  const stale = new Set<string>();
  const overlaps = createOverlaps();
  let connection: { readonly client: MqttClient; readonly hasIdentifiers: boolean } | undefined;
  let closed: Error | undefined;
  let wasConnected = false;
  // A session that is taken up tells numbers of an earlier process: ours are others.
  let count = randomInt(1, 2 ** 27);
  const checkOpen = () => {
    if (closed) throw closed;
  };

  const unsubscribe = (patterns: Iterable<string>) => {
    for (const pattern of patterns) if (!entries.has(pattern)) connection?.client.unsubscribe(pattern, () => undefined);
  };
  /** What an earlier process left is kept in mind until it is taken away. */
  let isTidy = false;
  const save = () => {
    if (isTidy) memory?.save([...entries.keys()]);
  };
  const tidy = async () => {
    if (!connection) return;
    unsubscribe((await memory?.load()) ?? []);
    isTidy = true;
    save();
  };
  const held = createHeld({
    clock,
    ms: limits.busHeldMs,
    over: () => void tidy().catch((error: unknown) => problems.report(error)),
    unheard: ({ topic }) => metrics?.dropped(topic, 'nobody listens'),
  });

  /** Rejects only when the broker refuses; a lost connection subscribes again by itself. */
  const make = async (entry: Entry) => {
    if (!connection) return;
    const { client, hasIdentifiers } = connection;
    try {
      await client.subscribeAsync(entry.filter, {
        qos: 1,
        ...(hasIdentifiers ? { properties: { subscriptionIdentifier: entry.id } } : {}),
      });
      entry.standing = true;
    } catch (error) {
      if (!isRefusal(error)) return;
      entries.delete(entry.filter);
      const what = `The broker refused to subscribe to "${entry.pattern}": ${asError(error).message}.`;
      throw folkmootError('FOLKMOOT_BUS_REFUSED', what, error);
    }
  };

  const drop = async (entry: Entry) => {
    const { filter } = entry;
    entries.delete(filter);
    save();
    if (!connection) return void stale.add(filter);
    // A connection that is lost now takes the subscription with it or finds it in `stale`.
    await connection.client.unsubscribeAsync(filter).catch(() => {
      if (!entries.has(filter)) stale.add(filter);
    });
  };

  const add = (pattern: string, share: string | undefined): Entry => {
    const isShared = share !== undefined;
    const filter = isShared ? `$share/${share}/${pattern}` : pattern;
    const known = entries.get(filter);
    if (known) return known;
    const handlers = new Set<Listener>();
    const entry = { pattern, filter, isShared, id: ++count, handlers, standing: false };
    entries.set(filter, entry);
    stale.delete(filter);
    save();
    return entry;
  };

  const receivers = (message: BusMessage, identifiers: readonly number[]) =>
    receiversOf(matching(entries.values(), message.topic), message, identifiers, overlaps);
  return {
    async subscribe(pattern, handle, { share } = {}) {
      checkOpen();
      checkPattern(pattern);
      if (share !== undefined) checkShare(share);
      await ready();
      checkOpen();
      const entry = add(pattern, share);
      for (const { fresh } of entry.handlers) fresh.joined();
      const own = { handle, fresh: createFreshness(clock) };
      entry.handlers.add(own);
      const toOwn = { ...entry, handlers: new Set([own]) };
      held.take(pattern, (message) => giveTo(toOwn, message, problems), share);
      await make(entry);
      return {
        async close() {
          if (!entry.handlers.delete(own) || entry.handlers.size > 0 || closed) return;
          if (entries.get(entry.filter) === entry) await drop(entry);
        },
      };
    },
    async connected(client, sessionPresent, hasIdentifiers) {
      connection = { client, hasIdentifiers };
      if (!sessionPresent) isTidy = true;
      else if (!wasConnected) held.begin();
      wasConnected = true;
      save();
      if (sessionPresent) unsubscribe(stale);
      stale.clear();
      const missing = [...entries.values()].filter((entry) => !sessionPresent || !entry.standing);
      for (const entry of missing) {
        entry.standing = false;
        for (const { fresh } of entry.handlers) fresh.renew();
      }
      await Promise.all(missing.map((entry) => make(entry).catch((error: unknown) => problems.report(error))));
    },
    disconnected() {
      connection = undefined;
      overlaps.clear();
      held.drop();
    },
    receive(topic, payload, packet) {
      const message = asMessage(topic, payload, packet);
      metrics?.countIn(topic);
      const identifiers = [packet.properties?.subscriptionIdentifier ?? []].flat();
      if (matching(entries.values(), topic).length === 0) {
        // Of several patterns of the earlier process each brings it once.
        const isRepeat = !message.retained && identifiers.length > 0 && overlaps.isRepeat(message, identifiers);
        return isRepeat ? undefined : held.hold(message);
      }
      const work = receivers(message, identifiers).flatMap((entry) => giveTo(entry, message, problems) ?? []);
      return work.length > 0 ? Promise.all(work).then(() => undefined) : undefined;
    },
    close(reason) {
      closed = reason;
      connection = undefined;
      entries.clear();
      overlaps.clear();
      held.close();
    },
  };
}

type Overlaps = ReturnType<typeof createOverlaps>;

/** The broker sends one for those who share the work, and another one for the rest. */
function receiversOf(
  found: readonly Entry[],
  message: BusMessage,
  identifiers: readonly number[],
  overlaps: Overlaps,
): readonly Entry[] {
  if (found.length < 2 || identifiers.length === 0) return found;
  const shared = found.filter(({ id, isShared }) => isShared && identifiers.includes(id));
  const others = identifiers.filter((id) => !shared.some((entry) => entry.id === id));
  if (others.length === 0) return shared;
  const rest = found.filter(({ isShared }) => !isShared);
  if (rest.length < 2) return [...shared, ...rest];
  if (message.retained) return [...shared, ...rest.filter(({ id }) => others.includes(id))];
  return overlaps.isRepeat(message, others) ? shared : [...shared, ...rest];
}

function giveTo({ handlers, isShared }: Entry, message: BusMessage, problems: Problems): Promise<void> | undefined {
  const [first] = handlers;
  if (isShared && first) {
    // The next one takes the next.
    handlers.delete(first);
    handlers.add(first);
  }
  const work = (isShared && first ? [first] : [...handlers].filter(({ fresh }) => fresh.wants(message))).flatMap(
    ({ handle }) => callHandler(handle, { ...message, payload: Buffer.from(message.payload) }, problems) ?? [],
  );
  return work.length > 0 ? Promise.all(work).then(() => undefined) : undefined;
}

/** Messages that a broker sends once for each of several patterns of ours. */
function createOverlaps() {
  const overlaps = new Map<string, Set<number>>();
  return {
    /** True for the second arrival. */
    isRepeat(message: BusMessage, identifiers: readonly number[]): boolean {
      const key = createHash('sha256')
        .update(JSON.stringify([message.topic, message.properties, message.correlation]))
        .update(message.payload)
        .digest('base64');
      const seen = overlaps.get(key);
      overlaps.delete(key);
      const isNew = !seen || identifiers.some((id) => seen.has(id));
      overlaps.set(key, new Set(isNew ? identifiers : [...seen, ...identifiers]));
      const oldest = overlaps.keys().next().value;
      if (overlaps.size > overlapMemory && oldest !== undefined) overlaps.delete(oldest);
      return !isNew;
    },
    clear: () => overlaps.clear(),
  };
}

function isRefusal(error: unknown): boolean {
  const granted = (error as { packet?: { granted?: unknown } }).packet?.granted;
  return Array.isArray(granted) && granted.some((code) => typeof code === 'number' && code >= 0x80);
}

function asMessage(topic: string, payload: Buffer, packet: IPublishPacket): BusMessage {
  const { userProperties, responseTopic, correlationData } = packet.properties ?? {};
  const properties = Object.entries(userProperties ?? {}).map(([name, value]) => {
    const last = Array.isArray(value) ? value.at(-1) : value;
    return [name, last ?? ''] as const;
  });
  return {
    topic,
    payload,
    properties: Object.fromEntries(properties),
    retained: packet.retain,
    ...(packet.dup ? { redelivered: true } : {}),
    ...(responseTopic === undefined ? {} : { responseTopic }),
    ...(correlationData === undefined ? {} : { correlation: correlationData.toString() }),
  };
}
