/**
 * One connection to a Valkey or Redis server, by ioredis: tried again for ever with growing pauses, with TLS and user.
 * Commands while it is down, and those that a loss leaves without an answer, reject at once: who calls decides on what
 * is tried again. Several connections share one description of the server.
 */
import type { Redis, RedisOptions } from 'ioredis';
import { connectWords } from '../bus/connect-words.ts';
import { splitLogin, withoutSecrets } from '../bus/login.ts';
import { createReconnectPauses, type ReconnectPauses } from '../bus/reconnect.ts';
import { tlsOptionsOf, type TlsFiles } from '../bus/tls-files.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { connectorOf } from './connector.ts';

export interface ValkeyServerAddress extends TlsFiles {
  /** `redis://host:port/database`, `rediss:` for TLS, also `valkey:` and `valkeys:`. Port 6379, database 0. */
  readonly url: string;
  /** Before those of the address. */
  readonly user?: string;
  readonly password?: string;
  /** Defaults: `limits.busReconnectMinMs`, `.busReconnectMaxMs`, `.busConnectTimeoutMs`. */
  readonly reconnectMinMs?: number;
  readonly reconnectMaxMs?: number;
  readonly connectTimeoutMs?: number;
}

export interface ValkeyEvents {
  /** It takes commands; after each connect. */
  readonly up: () => void;
  /** It was lost, or could not be made. `reason` in words, with the address. */
  readonly down: (reason: string) => void;
}

export interface ValkeyConnection {
  readonly client: Redis;
  /** Ends it; commands without an answer reject. */
  close(): void;
}

const protocols: Readonly<Record<string, boolean>> = {
  'redis:': false,
  'valkey:': false,
  'rediss:': true,
  'valkeys:': true,
};

/** The address without user and password, for texts. Throws FOLKMOOT_BAD_SETTING for one that is none. */
export function valkeyAddress(url: string): string {
  if (!URL.canParse(url) || protocols[new URL(url).protocol] === undefined || new URL(url).hostname === '') {
    throw folkmootError(
      'FOLKMOOT_BAD_SETTING',
      `"${withoutSecrets(url)}" is not the address of a Valkey server, such as redis://127.0.0.1:6379.`,
    );
  }
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/**
 * Connects by itself; `events` tell. Resolves before the first try has ended.
 * Throws FOLKMOOT_BAD_SETTING for an address that is none, or a certificate's file that can't be read.
 */
export async function connectValkey(server: ValkeyServerAddress, events: ValkeyEvents): Promise<ValkeyConnection> {
  const address = valkeyAddress(server.url);
  const [{ Redis: Client, AbstractConnector }, tls] = await Promise.all([import('ioredis'), tlsOptions(server)]);
  const pauses = keptPauses(server);
  const client = new Client({
    ...optionsOf(server),
    ...tls,
    Connector: connectorOf(AbstractConnector),
    retryStrategy: () => nextOf(pauses),
  });
  let why = '';
  let isClosed = false;
  // A refused user is somebody else for a moment, where the server lets anybody in, until the connection is ended.
  let isRefused = false;
  client.on('ready', () => {
    if (isRefused) return;
    why = '';
    pauses.connected();
    if (!isClosed) events.up();
  });
  client.on('error', (error: Error) => {
    why = connectWords(error, 'Valkey server');
    isRefused ||= /WRONGPASS|NOAUTH/.test(error.message);
  });
  client.on('close', () => {
    isRefused = false;
    if (!isClosed) events.down(`${address}: ${why || 'the connection was lost'}`);
  });
  // What goes wrong comes as an event too, and it is tried again.
  client.connect().catch(() => undefined);
  return {
    client,
    close() {
      isClosed = true;
      client.disconnect();
    },
  };
}

function optionsOf(server: ValkeyServerAddress): RedisOptions {
  const { hostname, port, pathname } = new URL(server.url);
  const login = splitLogin(server.url);
  const user = server.user || login.user;
  const secret = server.password || login.password;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 6379 : Number(port),
    db: Number(/^\/(\d+)$/.exec(pathname)?.[1] ?? 0),
    ...(user ? { username: user } : {}),
    ...(secret ? { password: secret } : {}),
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    disableClientInfo: true,
    keepAlive: 30_000,
    connectTimeout: server.connectTimeoutMs ?? limits.busConnectTimeoutMs,
  };
}

const tlsOptions = async (server: ValkeyServerAddress): Promise<Pick<RedisOptions, 'tls'>> =>
  protocols[new URL(server.url).protocol] ? { tls: await tlsOptionsOf(server) } : {};

/** Asked for before its `close` is told. */
function nextOf(pauses: ReconnectPauses): number {
  pauses.lost();
  const { ms } = pauses;
  pauses.again();
  return ms;
}

/** ioredis forgets its failures at each connect; one that flaps would be tried each second. */
const keptPauses = (server: ValkeyServerAddress): ReconnectPauses =>
  createReconnectPauses({
    minMs: server.reconnectMinMs ?? limits.busReconnectMinMs,
    maxMs: server.reconnectMaxMs ?? limits.busReconnectMaxMs,
    connectTimeoutMs: server.connectTimeoutMs ?? limits.busConnectTimeoutMs,
  });
