/** What is to be published over MQTT: a bounded queue while the connection is down, and the broker's window while it is up. */
import type { IClientPublishOptions, MqttClient } from 'mqtt';
import { asError, folkmootError } from '../errors.ts';
import type { Bus, Outgoing } from './bus.ts';
import { createOutgoingQueue, type OutgoingQueueOptions, type QueuedMessage } from './outgoing-queue.ts';

export type OutboxOptions = Pick<OutgoingQueueOptions, 'most' | 'payloadBytes'>;

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

export function createOutbox(options: OutboxOptions): Outbox {
  /** Takes one back from the client, so that it isn't sent again after the next connect. */
  const takeBack = new WeakMap<QueuedMessage, () => void>();
  let connection: (BrokerTerms & { readonly client: MqttClient }) | undefined;

  const pump = () => {
    while (connection && queue.inFlight.size < connection.window) {
      const entry = queue.next();
      if (!entry) return;
      const fault = sizeFault(entry, connection.packetBytes);
      if (fault) {
        queue.settle(entry, fault);
        continue;
      }
      const { topic, message } = entry;
      const { client } = connection;
      // The client keeps what is not acknowledged and sends it again after the next connect.
      client.publish(topic, asPayload(message.payload), publishOptions(message), (error) => {
        queue.settle(entry, error ? publishError(topic, error) : undefined);
        pump();
      });
      const packet = client.getLastMessageId();
      takeBack.set(entry, () => void client.removeOutgoingMessage(packet));
    }
  };
  const queue = createOutgoingQueue({ ...options, to: 'broker', isUp: () => connection !== undefined, pump });

  return {
    publish: queue.publish,
    connected(client, terms) {
      connection = { client, ...terms };
      pump();
    },
    disconnected() {
      connection = undefined;
      queue.dropOnlyNow((topic) => publishError(topic, new Error('the connection was lost')));
      for (const entry of [...queue.inFlight]) {
        const { onlyNow, qos } = entry.message;
        // Quality 0 has no acknowledgement: once written it is out of our hands.
        if (qos === 0) queue.settle(entry);
        else if (onlyNow) takeBack.get(entry)?.();
      }
    },
    close(reason) {
      connection = undefined;
      queue.close(reason);
    },
  };
}

/** What MQTT writes around payload, topic and properties, generously. */
const packetOverhead = 64;

function sizeFault({ topic, message }: QueuedMessage, most: number): Error | undefined {
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
