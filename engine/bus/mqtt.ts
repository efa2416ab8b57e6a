/**
 * The bus over an MQTT 5 broker, by mqtt.js: one kept connection, tried again for ever with growing pauses, a bounded
 * queue while it is down, subscriptions made again after each connect.
 */
import type { Duplex } from 'node:stream';
import type { IClientOptions, IConnackPacket, MqttClient } from 'mqtt';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Bus } from './bus.ts';
import { createOutbox } from './mqtt-outbox.ts';
import { createPatterns } from './mqtt-patterns.ts';
import type { Patterns } from './mqtt-patterns.ts';
import { reconnectPauseMs } from './reconnect.ts';
import { createRequests } from './requests.ts';
import { createProblems, createState } from './subscribers.ts';
import type { StateOfBus } from './subscribers.ts';
import { ourTopics } from './topics.ts';

export interface MqttBusOptions {
  /** `mqtt://host:port`, also `mqtts:`, `ws:`, `wss:`. */
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  /** Default: one of its own for each bus. Two connections of one id throw each other out. */
  readonly clientId?: string;
  /** What the broker says when this connection is lost. */
  readonly will?: { readonly topic: string; readonly payload: string; readonly retain?: boolean };
  /** For requests' deadlines. */
  readonly clock?: Clock;
  /** Defaults: `limits.busQueue`, `.busPayloadBytes`, `.busReconnectMinMs`, `.busReconnectMaxMs`, `.busConnectTimeoutMs`. */
  readonly queue?: number;
  readonly payloadBytes?: number;
  readonly reconnectMinMs?: number;
  readonly reconnectMaxMs?: number;
  readonly connectTimeoutMs?: number;
}

const protocols = new Set(['mqtt:', 'mqtts:', 'tcp:', 'ssl:', 'tls:', 'ws:', 'wss:']);

/** A connection that held so long is not counted with the failures before it. */
const steadyMs = 10_000;
/** How long `close` waits for acknowledgements before it cuts the connection. */
const closeWaitMs = 1_000;

/** Throws FOLKMOOT_BAD_SETTING for an address that is none. Connects by itself; `onState` tells. */
export function createMqttBus(options: MqttBusOptions): Bus {
  const address = parseAddress(options.url);
  const problems = createProblems();
  const state = createState('connecting', problems);
  const clientId = options.clientId ?? `folkmoot-${newId().replaceAll('-', '').slice(0, 12)}`;
  const most = options.queue ?? limits.busQueue;
  const outbox = createOutbox({ most, payloadBytes: options.payloadBytes ?? limits.busPayloadBytes });
  const patterns = createPatterns(problems, () => settled(state));
  const requests = createRequests({
    clock: options.clock ?? systemClock,
    answerTopic: ourTopics.answers(clientId),
    most,
    publish: outbox.publish,
    subscribe: patterns.subscribe,
  });

  /** Another object for each connection. */
  let connection: object | undefined;
  const starting = start(options, clientId, address, {
    isClosed: () => state.now === 'closed',
    async up(client, connack) {
      const own = (connection = {});
      const properties = connack.properties;
      const hasIdentifiers = properties?.subscriptionIdentifiersAvailable !== false;
      // A broker may take up messages faster than subscriptions: ours stand before anything leaves.
      await patterns.connected(client, connack.sessionPresent, hasIdentifiers);
      if (own !== connection || state.now === 'closed') return;
      outbox.connected(client, properties?.receiveMaximum ?? 65_535);
      state.set('up');
    },
    down(reason) {
      connection = undefined;
      outbox.disconnected();
      patterns.disconnected();
      state.set('down', reason);
    },
    receive: patterns.receive,
  });
  starting.catch((error: unknown) => {
    state.set('down', asError(error).message);
    problems.report(error);
  });

  let closing: Promise<void> | undefined;
  const close = async () => {
    const reason = folkmootError('FOLKMOOT_BUS_LOST', `The connection to ${address} was closed on purpose.`);
    state.set('closed');
    requests.close(reason);
    outbox.close(reason);
    patterns.close(reason);
    problems.clear();
    const client = await starting.catch(() => undefined);
    if (client) await end(client);
  };
  return {
    kind: 'mqtt',
    get state() {
      return state.now;
    },
    onState: state.on,
    publish: outbox.publish,
    subscribe: patterns.subscribe,
    request: requests.request,
    onProblem: problems.add,
    close: () => (closing ??= close()),
  };
}

/** The address without user and password, for texts. */
function parseAddress(url: string): string {
  if (!URL.canParse(url) || !protocols.has(new URL(url).protocol)) {
    throw folkmootError(
      'FOLKMOOT_BAD_SETTING',
      `"${url}" is not the address of a broker, such as mqtt://127.0.0.1:1883.`,
    );
  }
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** Resolves when the first try to connect has ended, either way. */
function settled(state: StateOfBus): Promise<void> {
  if (state.now !== 'connecting') return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stop = state.on((now) => {
    if (now !== 'connecting') resolve(undefined);
  });
  return promise.then(stop);
}

interface ConnectionEvents {
  isClosed(): boolean;
  up(client: MqttClient, connack: IConnackPacket): Promise<void>;
  down(reason: string): void;
  readonly receive: Patterns['receive'];
}

async function start(
  options: MqttBusOptions,
  clientId: string,
  address: string,
  events: ConnectionEvents,
): Promise<MqttClient | undefined> {
  const { default: mqtt } = await import('mqtt');
  if (events.isClosed()) return undefined;
  const client = mqtt.connect(options.url, clientOptions(options, clientId));
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
  client.on('error', (error) => (why = reasonOf(error)));
  client.on('disconnect', (packet) => (why = `the broker ended it (reason ${packet.reasonCode ?? 0})`));
  client.on('close', () => {
    if (!events.isClosed()) events.down(`${address}: ${why || 'the connection was lost'}`);
  });
  client.on('message', (topic, payload, packet) => {
    if (!events.isClosed()) events.receive(topic, payload, packet);
  });
  return client;
}

function clientOptions(options: MqttBusOptions, clientId: string): IClientOptions {
  return {
    protocolVersion: 5,
    clientId,
    clean: true,
    keepalive: 30,
    resubscribe: false,
    reconnectOnConnackError: true,
    reconnectPeriod: options.reconnectMinMs ?? limits.busReconnectMinMs,
    connectTimeout: options.connectTimeoutMs ?? limits.busConnectTimeoutMs,
    properties: { sessionExpiryInterval: limits.busSessionSeconds, maximumPacketSize: limits.busPacketBytes },
    ...(options.user ? { username: options.user } : {}),
    ...(options.password ? { password: options.password } : {}),
    ...(options.will ? { will: { ...willOf(options.will) } } : {}),
  };
}

const willOf = (will: NonNullable<MqttBusOptions['will']>) => ({
  topic: will.topic,
  payload: Buffer.from(will.payload),
  qos: 1 as const,
  retain: will.retain ?? false,
});

/** mqtt.js pauses for a fixed time; this sets that time anew for each try. */
function keepPauses(client: MqttClient, options: MqttBusOptions): void {
  const pauses = {
    minMs: options.reconnectMinMs ?? limits.busReconnectMinMs,
    maxMs: options.reconnectMaxMs ?? limits.busReconnectMaxMs,
    connectTimeoutMs: options.connectTimeoutMs ?? limits.busConnectTimeoutMs,
  };
  let failures = 0;
  let upSince: number | undefined;
  const next = () => (client.options.reconnectPeriod = reconnectPauseMs(failures, pauses));
  next();
  client.on('reconnect', () => {
    failures += 1;
    next();
  });
  client.on('connect', () => (upSince = Date.now()));
  client.prependListener('close', () => {
    if (upSince !== undefined && Date.now() - upSince >= steadyMs) failures = 0;
    upSince = undefined;
    next();
  });
}

function noDelay(stream: Duplex & { setNoDelay?: (on: boolean) => unknown }): void {
  stream.setNoDelay?.(true);
}

function reasonOf(error: Error & { code?: unknown }): string {
  if (error.code === 'ECONNREFUSED') return 'no broker listens there';
  if (error.code === 'ENOTFOUND') return 'there is no computer of that name';
  return error.message || String(error.code ?? error.name);
}

/** Ends the session at the broker too, so that nothing is kept for a client that never comes back. */
async function end(client: MqttClient): Promise<void> {
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
