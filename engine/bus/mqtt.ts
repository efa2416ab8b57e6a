/**
 * The bus over an MQTT 5 broker, by mqtt.js: one kept connection, tried again for ever with growing pauses, a bounded
 * queue while it is down, subscriptions made again after each connect.
 */
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import { connectedAnew } from './bus.ts';
import type { Bus } from './bus.ts';
import { withoutSecrets } from './login.ts';
import { end, start } from './mqtt-connection.ts';
import type { ConnectionEvents } from './mqtt-connection.ts';
import { createOutbox } from './mqtt-outbox.ts';
import type { Outbox } from './mqtt-outbox.ts';
import type { BusMetrics } from './metrics.ts';
import { createPatterns, type PatternMemory, type Patterns } from './mqtt-patterns.ts';
import { createRequests } from './requests.ts';
import { createProblems, createState } from './subscribers.ts';
import type { StateOfBus } from './subscribers.ts';
import type { TlsFiles } from './tls-files.ts';
import { ourTopics } from './topics.ts';

export interface MqttBusOptions extends TlsFiles {
  /** `mqtt://host:port`, also `mqtts:`, `ws:`, `wss:`. */
  readonly url: string;
  /** Before those of the address. */
  readonly user?: string;
  readonly password?: string;
  /**
   * One that is the same after a restart gets what came meanwhile. Default: one of its own for each bus. Two connections
   * of one id throw each other out; one that is thrown out twice takes another id.
   */
  readonly clientId?: string;
  /** What the broker says when this connection is lost. */
  readonly will?: { readonly topic: string; readonly payload: string; readonly retain?: boolean };
  /** For requests' deadlines. */
  readonly clock?: Clock;
  /** Which patterns this client id's session holds; without it what an earlier process asked for stays. */
  readonly patternMemory?: PatternMemory;
  readonly metrics?: BusMetrics;
  /** Defaults: `limits.busQueue`, `.busPayloadBytes`, `.busReconnectMinMs`, `.busReconnectMaxMs`, `.busConnectTimeoutMs`. */
  readonly queue?: number;
  readonly payloadBytes?: number;
  readonly reconnectMinMs?: number;
  readonly reconnectMaxMs?: number;
  readonly connectTimeoutMs?: number;
}

const protocols = new Set(['mqtt:', 'mqtts:', 'tcp:', 'ssl:', 'tls:', 'ws:', 'wss:']);

/** Throws FOLKMOOT_BAD_SETTING for an address that is none. Connects by itself; `onState` tells. */
export function createMqttBus(options: MqttBusOptions): Bus {
  const clock = options.clock ?? systemClock;
  const address = parseAddress(options.url);
  const problems = createProblems();
  const state = createState('connecting', problems);
  const clientId = options.clientId ?? `folkmoot-${newId().replaceAll('-', '').slice(0, 12)}`;
  const most = options.queue ?? limits.busQueue;
  const outbox = createOutbox({ most, payloadBytes: options.payloadBytes ?? limits.busPayloadBytes });
  const patterns = createPatterns({
    clock,
    problems,
    ready: () => settled(state),
    memory: options.patternMemory,
    metrics: options.metrics,
  });
  const requests = createRequests({
    clock,
    answerTopic: ourTopics.answers(clientId),
    most,
    publish: outbox.publish,
    subscribe: patterns.subscribe,
  });

  const starting = start(options, clientId, address, eventsOf(state, outbox, patterns));
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

function eventsOf(state: StateOfBus, outbox: Outbox, patterns: Patterns): ConnectionEvents {
  /** Another object for each connection. */
  let connection: object | undefined;
  return {
    isClosed: () => state.now === 'closed',
    async up(client, connack) {
      const own = (connection = {});
      const properties = connack.properties;
      const hasIdentifiers = properties?.subscriptionIdentifiersAvailable !== false;
      // A broker may take up messages faster than subscriptions: ours stand before anything leaves.
      await patterns.connected(client, connack.sessionPresent, hasIdentifiers);
      if (own !== connection || state.now === 'closed') return;
      outbox.connected(client, {
        window: properties?.receiveMaximum ?? 65_535,
        packetBytes: properties?.maximumPacketSize ?? Infinity,
      });
      state.set('up', connack.sessionPresent ? undefined : connectedAnew);
    },
    down(reason) {
      connection = undefined;
      outbox.disconnected();
      patterns.disconnected();
      state.set('down', reason);
    },
    receive: patterns.receive,
  };
}

/** The address without user and password, for texts. */
function parseAddress(url: string): string {
  if (!URL.canParse(url) || !protocols.has(new URL(url).protocol)) {
    throw folkmootError(
      'FOLKMOOT_BAD_SETTING',
      `"${withoutSecrets(url)}" is not the address of a broker, such as mqtt://127.0.0.1:1883.`,
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
