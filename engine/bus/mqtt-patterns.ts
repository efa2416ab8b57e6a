/** The subscriptions of one MQTT connection: counted per pattern, made again after each connect, each message given once. */
import { createHash } from 'node:crypto';
import type { IPublishPacket, MqttClient } from 'mqtt';
import { asError, folkmootError } from '../errors.ts';
import type { Bus, BusMessage } from './bus.ts';
import { callHandler, matching } from './subscribers.ts';
import type { Handler, Pattern, Problems } from './subscribers.ts';
import { checkPattern } from './topics.ts';

export interface Patterns {
  readonly subscribe: Bus['subscribe'];
  /** Resolves when all subscriptions stand or were refused, or the connection is lost again. */
  connected(client: MqttClient, sessionPresent: boolean, hasIdentifiers: boolean): Promise<void>;
  disconnected(): void;
  readonly receive: (topic: string, payload: Buffer, packet: IPublishPacket) => void;
  close(reason: Error): void;
}

interface Entry extends Pattern {
  /** MQTT 5's subscription identifier: tells for which of several patterns a message came. */
  readonly id: number;
  readonly handlers: Set<{ readonly handle: Handler }>;
  /** The broker has acknowledged it in this session. */
  standing: boolean;
}

/** Messages that came for more than one pattern and may come once more; more than so many are not looked at. */
const overlapMemory = 256;

export function createPatterns(problems: Problems, ready: () => Promise<void>): Patterns {
  const entries = new Map<string, Entry>();
  const stale = new Set<string>();
  const overlaps = new Map<string, Set<number>>();
  let connection: { readonly client: MqttClient; readonly hasIdentifiers: boolean } | undefined;
  let closed: Error | undefined;
  let count = 0;
  const checkOpen = () => {
    if (closed) throw closed;
  };

  /** Rejects only when the broker refuses; a lost connection subscribes again by itself. */
  const make = async (entry: Entry) => {
    if (!connection) return;
    const { client, hasIdentifiers } = connection;
    try {
      await client.subscribeAsync(entry.pattern, {
        qos: 1,
        ...(hasIdentifiers ? { properties: { subscriptionIdentifier: entry.id } } : {}),
      });
      entry.standing = true;
    } catch (error) {
      if (!isRefusal(error)) return;
      entries.delete(entry.pattern);
      const what = `The broker refused to subscribe to "${entry.pattern}": ${asError(error).message}.`;
      throw folkmootError('FOLKMOOT_BUS_REFUSED', what, error);
    }
  };

  const drop = async (entry: Entry) => {
    entries.delete(entry.pattern);
    if (!connection) return void stale.add(entry.pattern);
    // A connection that is lost now takes the subscription with it or finds it in `stale`.
    await connection.client.unsubscribeAsync(entry.pattern).catch(() => {
      if (!entries.has(entry.pattern)) stale.add(entry.pattern);
    });
  };

  const add = (pattern: string): Entry => {
    const known = entries.get(pattern);
    if (known) return known;
    const entry = { pattern, id: ++count, handlers: new Set<{ readonly handle: Handler }>(), standing: false };
    entries.set(pattern, entry);
    stale.delete(pattern);
    return entry;
  };

  /** True for the second arrival of a message that the broker sends once for each of several patterns of ours. */
  const isRepeat = (message: BusMessage, identifiers: readonly number[]): boolean => {
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
  };

  const receivers = (message: BusMessage, identifiers: readonly number[]): readonly Entry[] => {
    const found = matching(entries.values(), message.topic);
    if (found.length < 2 || identifiers.length === 0) return found;
    if (message.retained) return found.filter((entry) => identifiers.includes(entry.id));
    return isRepeat(message, identifiers) ? [] : found;
  };

  return {
    async subscribe(pattern, handle) {
      checkOpen();
      checkPattern(pattern);
      await ready();
      checkOpen();
      const entry = add(pattern);
      const own = { handle };
      entry.handlers.add(own);
      await make(entry);
      return {
        async close() {
          if (!entry.handlers.delete(own) || entry.handlers.size > 0 || closed) return;
          if (entries.get(pattern) === entry) await drop(entry);
        },
      };
    },
    async connected(client, sessionPresent, hasIdentifiers) {
      connection = { client, hasIdentifiers };
      if (sessionPresent) for (const pattern of stale) client.unsubscribe(pattern, () => undefined);
      stale.clear();
      const missing = [...entries.values()].filter((entry) => !sessionPresent || !entry.standing);
      for (const entry of missing) entry.standing = false;
      await Promise.all(missing.map((entry) => make(entry).catch((error: unknown) => problems.report(error))));
    },
    disconnected() {
      connection = undefined;
      overlaps.clear();
    },
    receive(topic, payload, packet) {
      const message = asMessage(topic, payload, packet);
      const identifiers = [packet.properties?.subscriptionIdentifier ?? []].flat();
      for (const entry of receivers(message, identifiers)) {
        for (const { handle } of [...entry.handlers]) {
          callHandler(handle, { ...message, payload: Buffer.from(payload) }, problems);
        }
      }
    },
    close(reason) {
      closed = reason;
      connection = undefined;
      entries.clear();
      overlaps.clear();
    },
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
    ...(responseTopic === undefined ? {} : { responseTopic }),
    ...(correlationData === undefined ? {} : { correlation: correlationData.toString() }),
  };
}
