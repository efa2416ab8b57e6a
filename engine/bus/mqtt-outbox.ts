/** What is to be published over MQTT: a bounded queue while the connection is down, and the broker's window while it is up. */
import type { IClientPublishOptions, MqttClient } from 'mqtt';
import { asError, folkmootError } from '../errors.ts';
import type { Bus, Outgoing } from './bus.ts';
import { checkSize, checkTopic } from './topics.ts';

export interface OutboxOptions {
  /** Most messages that wait or are not acknowledged yet. */
  readonly most: number;
  /** Largest payload in bytes. */
  readonly payloadBytes: number;
}

export interface BrokerTerms {
  /** Most messages that are unacknowledged at once: the broker's receive maximum. */
  readonly window: number;
  /** It ends connections over larger packets. */
  readonly packetBytes: number;
}

export interface Outbox {
  readonly publish: Bus['publish'];
  /** Sends what waits, in order. */
  connected(client: MqttClient, terms: BrokerTerms): void;
  disconnected(): void;
  /** Ends all that wait with this error. */
  close(reason: Error): void;
}

interface Entry {
  readonly topic: string;
  readonly message: Outgoing;
  readonly settle: (error?: Error) => void;
  /** Takes it back from the client, so that it isn't sent again after the next connect. */
  takeBack?: () => void;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const waiting: Entry[] = [];
  const inFlight = new Set<Entry>();
  let connection: (BrokerTerms & { readonly client: MqttClient }) | undefined;
  let closed: Error | undefined;

  const pump = () => {
    while (connection && inFlight.size < connection.window) {
      const entry = waiting.shift();
      if (!entry) return;
      const fault = sizeFault(entry, connection.packetBytes);
      if (fault) {
        entry.settle(fault);
        continue;
      }
      inFlight.add(entry);
      const { topic, message } = entry;
      // The client keeps what is not acknowledged and sends it again after the next connect.
      connection.client.publish(topic, asPayload(message.payload), publishOptions(message), (error) => {
        inFlight.delete(entry);
        entry.settle(error ? publishError(topic, error) : undefined);
        pump();
      });
      const { client } = connection;
      const packet = client.getLastMessageId();
      entry.takeBack = () => void client.removeOutgoingMessage(packet);
    }
  };

  const enqueue = (topic: string, message: Outgoing, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        const at = waiting.indexOf(entry);
        if (at >= 0) waiting.splice(at, 1);
        entry.settle(signal?.reason as Error);
      };
      const entry: Entry = {
        topic,
        message,
        settle: (error) => {
          signal?.removeEventListener('abort', onAbort);
          if (error) reject(error);
          else resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(entry);
      pump();
    });

  return {
    async publish(topic, message, signal) {
      signal?.throwIfAborted();
      if (closed) throw closed;
      checkTopic(topic);
      checkSize(topic, message.payload, options.payloadBytes);
      if (message.onlyNow && !connection) {
        throw folkmootError(
          'FOLKMOOT_BUS_LOST',
          `There is no connection to the broker, so nothing was sent to "${topic}".`,
        );
      }
      const pending = waiting.length + inFlight.size;
      if (pending >= options.most) {
        throw folkmootError('FOLKMOOT_BUS_FULL', `${pending} messages to the broker wait; "${topic}" was not sent.`);
      }
      await enqueue(topic, message, signal);
    },
    connected(client, terms) {
      connection = { client, ...terms };
      pump();
    },
    disconnected() {
      connection = undefined;
      for (const entry of waiting.filter(({ message }) => message.onlyNow)) {
        waiting.splice(waiting.indexOf(entry), 1);
        entry.settle(publishError(entry.topic, new Error('the connection was lost')));
      }
      for (const entry of [...inFlight]) {
        if (entry.message.onlyNow && entry.message.qos !== 0) entry.takeBack?.();
        // Quality 0 has no acknowledgement: once written it is out of our hands.
        if (entry.message.qos !== 0) continue;
        inFlight.delete(entry);
        entry.settle();
      }
    },
    close(reason) {
      closed = reason;
      connection = undefined;
      for (const entry of [...waiting.splice(0), ...inFlight]) entry.settle(reason);
      inFlight.clear();
    },
  };
}

/** What MQTT writes around payload, topic and properties, generously. */
const packetOverhead = 64;

function sizeFault({ topic, message }: Entry, most: number): Error | undefined {
  const written = [
    topic,
    message.responseTopic ?? '',
    message.correlation ?? '',
    ...Object.entries(message.properties ?? {}),
  ];
  const around = Buffer.byteLength(written.flat().join('')) + 5 * written.length + packetOverhead;
  const bytes =
    (typeof message.payload === 'string' ? Buffer.byteLength(message.payload) : message.payload.length) + around;
  if (bytes <= most) return undefined;
  const what = `A message of ${bytes} bytes to "${topic}" was not sent: the broker takes ${most} at most.`;
  return folkmootError('FOLKMOOT_LIMIT', what);
}

const asPayload = (payload: string | Uint8Array): string | Buffer =>
  typeof payload === 'string' ? payload : Buffer.from(payload);

/** mqtt.js writes a packet that no broker understands when the list of properties is empty. */
const hasAny = (properties: Outgoing['properties']): boolean => Object.keys(properties ?? {}).length > 0;

function publishOptions(message: Outgoing): IClientPublishOptions {
  return {
    qos: message.qos ?? 1,
    retain: message.retain ?? false,
    properties: {
      ...(hasAny(message.properties) ? { userProperties: { ...message.properties } } : {}),
      ...(message.responseTopic === undefined ? {} : { responseTopic: message.responseTopic }),
      ...(message.correlation === undefined ? {} : { correlationData: Buffer.from(message.correlation) }),
      ...(message.expirySeconds === undefined ? {} : { messageExpiryInterval: Math.ceil(message.expirySeconds) }),
    },
  };
}

function publishError(topic: string, thrown: unknown): Error {
  const error = asError(thrown);
  const isAnswer = typeof (error as { code?: unknown }).code === 'number';
  return isAnswer
    ? folkmootError('FOLKMOOT_BUS_REFUSED', `The broker refused a message to "${topic}": ${error.message}.`, error)
    : folkmootError('FOLKMOOT_BUS_LOST', `A message to "${topic}" was not sent: ${error.message}.`, error);
}
