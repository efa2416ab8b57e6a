/** One MQTT connection by mqtt.js: how it is made, kept, tried again and ended. */
import type { Duplex } from 'node:stream';
import type { IClientOptions, IConnackPacket, IPublishPacket, MqttClient } from 'mqtt';
import { systemClock } from '../clock.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import { connectWords } from './connect-words.ts';
import { splitLogin } from './login.ts';
import { createAcks } from './mqtt-acks.ts';
import type { MqttBusOptions } from './mqtt.ts';
import { createReconnectPauses } from './reconnect.ts';
import { tlsOptionsOf } from './tls-files.ts';

/** How long `end` waits for acknowledgements before it cuts the connection. */
const closeWaitMs = 1_000;

export interface ConnectionEvents {
  isClosed(): boolean;
  up(client: MqttClient, connack: IConnackPacket): Promise<void>;
  down(reason: string): void;
  /** What it gives is awaited before the broker is told that the message arrived. Never rejects. */
  receive(topic: string, payload: Buffer, packet: IPublishPacket): Promise<void> | undefined;
}

/** Resolves with a client that connects by itself; nothing when it was closed before. */
export async function start(
  options: MqttBusOptions,
  clientId: string,
  address: string,
  events: ConnectionEvents,
): Promise<MqttClient | undefined> {
  const { default: mqtt } = await import('mqtt');
  const encryption = await tlsOptions(options);
  if (events.isClosed()) return undefined;
  const client = mqtt.connect(splitLogin(options.url).url, { ...clientOptions(options, clientId), ...encryption });
  let why = '';
  keepPauses(client, options);
  client.on('connect', (connack) => {
    // Nagle's algorithm makes each acknowledged message wait for 40 ms.
    noDelay(client.stream);
    // From now on a session that the broker kept is taken up again, with what came while we were away.
    client.options.clean = false;
    why = '';
    if (!events.isClosed()) void events.up(client, connack);
  });
  client.on('error', (error) => (why = connectWords(error, 'broker')));
  client.on('disconnect', ({ reasonCode = 0 }) => {
    why = reasonCode === takenOver ? namesake : `the broker ended it (reason ${reasonCode})`;
  });
  giveWayToNamesake(client, clientId, () => why);
  acknowledgeAfterWork(client, options, events);
  client.on('close', () => {
    if (!events.isClosed()) events.down(`${address}: ${why || 'the connection was lost'}`);
  });
  return client;
}

/** MQTT's reason: another connection came with the same client id. Not every broker tells it. */
const takenOver = 142;
/** So many connections in a row that were cut short while the broker knew us can only be a namesake's work. */
const shortMost = 3;

/**
 * A folder that was copied to another computer brings its name along: two that throw each other out would go on for
 * ever. One of them takes another name then.
 */
function giveWayToNamesake(client: MqttClient, clientId: string, why: () => string): void {
  let upSince: number | undefined;
  let short = 0;
  client.on('connect', ({ sessionPresent }) => (upSince = sessionPresent ? Date.now() : undefined));
  client.on('disconnect', ({ reasonCode }) => {
    if (reasonCode === takenOver) short += 1;
  });
  client.prependListener('close', () => {
    const isShort =
      upSince !== undefined && Date.now() - upSince < limits.busSteadyMs && (why() === '' || why() === namesake);
    // A try that failed says nothing of a namesake.
    if (upSince !== undefined) short = isShort ? short + 1 : 0;
    upSince = undefined;
    if (short < shortMost) return;
    short = 0;
    client.options.clientId = `${clientId}-${newId().slice(0, 8)}`;
  });
}

const namesake = 'another program took its name';

/** Handed to mqtt.js in place of its own acknowledgement, which comes before the work. */
const later = new Error('It is acknowledged when the work is done.');

/** A process that is killed while it works on a message gets it again: the broker keeps what is not acknowledged. */
function acknowledgeAfterWork(client: MqttClient, options: MqttBusOptions, events: ConnectionEvents): void {
  const acks = createAcks({
    clock: options.clock ?? systemClock,
    mostMs: limits.busWorkMs,
    yieldMs: limits.busWorkYieldMs,
    send: (messageId) => {
      if (client.connected) writerOf(client)({ cmd: 'puback', messageId });
    },
  });
  client.handleMessage = (packet, callback) => {
    // Whoever shares a subscription with us gets what came after the end.
    if (events.isClosed()) return callback(later);
    const work = events.receive(packet.topic, asBuffer(packet.payload), packet);
    if (packet.qos === 0 || packet.messageId === undefined) return callback();
    acks.open(packet.messageId, work);
    callback(later);
  };
  client.on('close', () => acks.reset());
}

type WritePacket = (packet: { readonly cmd: 'puback'; readonly messageId: number }) => void;

/** mqtt.js has no public way to acknowledge later; its own handlers use this. */
const writerOf = (client: MqttClient): WritePacket =>
  (client as unknown as { readonly _sendPacket: WritePacket })._sendPacket.bind(client);

const asBuffer = (payload: string | Buffer): Buffer => (typeof payload === 'string' ? Buffer.from(payload) : payload);

function clientOptions(options: MqttBusOptions, clientId: string): IClientOptions {
  // mqtt.js takes a colon in the password for the end of the user.
  const { user, password } = splitLogin(options.url);
  const login = { username: options.user || user, password: options.password || password };
  return {
    protocolVersion: 5,
    clientId,
    // What came for a process of this name before it was killed is given to the one that comes after it.
    clean: options.clientId === undefined,
    keepalive: 30,
    resubscribe: false,
    reconnectOnConnackError: true,
    reconnectPeriod: options.reconnectMinMs ?? limits.busReconnectMinMs,
    connectTimeout: options.connectTimeoutMs ?? limits.busConnectTimeoutMs,
    properties: {
      sessionExpiryInterval: limits.busSessionSeconds,
      maximumPacketSize: limits.busPacketBytes,
      receiveMaximum: limits.busInWork,
    },
    ...(login.username ? { username: login.username } : {}),
    ...(login.password ? { password: login.password } : {}),
    ...(options.will ? { will: { ...willOf(options.will) } } : {}),
  };
}

async function tlsOptions(options: MqttBusOptions) {
  const { url } = options;
  if (!/^(mqtts|ssl|tls|wss):/.test(url)) return {};
  const tls = await tlsOptionsOf(options);
  return url.startsWith('wss:') ? { ...tls, wsOptions: tls } : tls;
}

const willOf = (will: NonNullable<MqttBusOptions['will']>) => ({
  topic: will.topic,
  payload: Buffer.from(will.payload),
  qos: 1 as const,
  retain: will.retain ?? false,
});

/** mqtt.js pauses for a fixed time; here it is another one for each try. */
function keepPauses(client: MqttClient, options: MqttBusOptions): void {
  const pauses = createReconnectPauses({
    minMs: options.reconnectMinMs ?? limits.busReconnectMinMs,
    maxMs: options.reconnectMaxMs ?? limits.busReconnectMaxMs,
    connectTimeoutMs: options.connectTimeoutMs ?? limits.busConnectTimeoutMs,
  });
  // It is read when the wait begins: for a connection that fell silent that is before it counts as closed.
  Object.defineProperty(client.options, 'reconnectPeriod', { get: () => pauses.ms });
  client.on('reconnect', () => pauses.again());
  client.on('connect', () => pauses.connected());
  client.prependListener('close', () => pauses.lost());
}

function noDelay(stream: Duplex & { setNoDelay?: (on: boolean) => unknown }): void {
  stream.setNoDelay?.(true);
}

/** Ends the session at the broker too, so that nothing is kept for a client that never comes back. */
export async function end(client: MqttClient): Promise<void> {
  if (!client.connected) return void (await client.endAsync(true));
  const options = { reasonCode: 0, properties: { sessionExpiryInterval: 0 } };
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      client.stream.destroy();
      resolve();
    }, closeWaitMs);
  });
  await Promise.race([client.endAsync(false, options), cut]);
  clearTimeout(timer);
}
