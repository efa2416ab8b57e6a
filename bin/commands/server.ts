/** The server that a command speaks to: a broker or a Valkey server, with user, password and certificates. */
import type { Bus } from '../../engine/bus/bus.ts';
import { splitLogin, type Login } from '../../engine/bus/login.ts';
import { tlsOptionsOf, type TlsFiles } from '../../engine/bus/tls-files.ts';
import { withoutLogin } from '../ready.ts';
import { brokerAddress, isEncrypted, isValkey } from './addresses.ts';
import { UsageError, type CommandIo } from './command.ts';

export interface Server extends Login, TlsFiles {
  readonly kind: 'mqtt' | 'valkey-channels' | 'valkey-streams';
  /** Without user and password. */
  readonly url: string;
}

/** Options of every command that speaks to a server; `serverHelp` tells of them. */
export const serverOptions = {
  broker: { type: 'string' },
  streams: { type: 'boolean', default: false },
  ca: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  insecure: { type: 'boolean', default: false },
} as const;

export const serverHelp = `\
  --broker ADDRESS   mqtt://HOST:PORT, or mqtts:// where it is encrypted; or a
                     Valkey server: redis://HOST:PORT, rediss://; default: that of
                     the running home, then FOLKMOOT_MQTT_URL, then
                     mqtt://127.0.0.1:1883
  --streams          messages go over streams of the Valkey server; default: over
                     channels, as those of A.M.I.C.A. do
  --ca FILE          who signed the server's certificate; default:
                     FOLKMOOT_CA_FILE, then whom this computer trusts
  --cert FILE        a certificate of your own, for a server that asks for one, and
  --key FILE         its key; default: FOLKMOOT_CERT_FILE and FOLKMOOT_KEY_FILE
  --insecure         takes any certificate: for trying out only`;

/** For the end of a help text. */
export const loginHelp = `\
User and password stand in the address (mqtt://USER:PASSWORD@HOST:PORT) or in
FOLKMOOT_BUS_USER and FOLKMOOT_BUS_PASSWORD. What stands in a command line, others
on this computer can see.`;

export interface ServerWords {
  readonly broker?: string | undefined;
  readonly streams: boolean;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly insecure: boolean;
}

/** Throws UsageError for words that do not go together, and FOLKMOOT_BAD_SETTING for files that can't be used. */
export async function serverOf(words: ServerWords, env: CommandIo['env']): Promise<Server> {
  const { url, ...own } = splitLogin(await brokerAddress(words.broker, env));
  const login = own.user || own.password ? own : loginFrom(env);
  const kind = !isValkey(url) ? 'mqtt' : words.streams ? 'valkey-streams' : 'valkey-channels';
  if (words.streams && kind === 'mqtt') {
    throw new UsageError(`--streams is for a Valkey server (redis://HOST:PORT), and ${withoutLogin(url)} is none.`);
  }
  const tls = isEncrypted(url) ? tlsFrom(words, env) : {};
  if (!isEncrypted(url) && (words.ca ?? words.cert ?? words.key ?? words.insecure)) {
    const what = '--ca, --cert, --key and --insecure are for encrypted addresses (mqtts://, wss://, rediss://)';
    throw new UsageError(`${what}, and ${withoutLogin(url)} is none.`);
  }
  await tlsOptionsOf(tls);
  return { kind, url, ...login, ...tls };
}

const loginFrom = (env: CommandIo['env']): Login => {
  const [user, password] = [env['FOLKMOOT_BUS_USER'], env['FOLKMOOT_BUS_PASSWORD']];
  return { ...(user ? { user } : {}), ...(password ? { password } : {}) };
};

function tlsFrom(words: ServerWords, env: CommandIo['env']): TlsFiles {
  const caFile = words.ca ?? env['FOLKMOOT_CA_FILE'];
  const certFile = words.cert ?? env['FOLKMOOT_CERT_FILE'];
  const keyFile = words.key ?? env['FOLKMOOT_KEY_FILE'];
  if (!certFile !== !keyFile) {
    throw new UsageError(
      'A certificate and its key go together: --cert and --key, or FOLKMOOT_CERT_FILE and FOLKMOOT_KEY_FILE.',
    );
  }
  return {
    verifyServer: !words.insecure,
    ...(caFile ? { caFile } : {}),
    ...(certFile && keyFile ? { certFile, keyFile } : {}),
  };
}

/** Connects by itself. @param connectTimeoutMs Default: that of the bus. */
export async function openBus({ kind, ...server }: Server, connectTimeoutMs?: number): Promise<Bus> {
  const options = { ...server, ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }) };
  if (kind === 'mqtt') return (await import('../../engine/bus/mqtt.ts')).createMqttBus(options);
  if (kind === 'valkey-streams') {
    return (await import('../../engine/bus/valkey-streams.ts')).createValkeyStreamsBus(options);
  }
  return (await import('../../engine/bus/valkey-pubsub.ts')).createValkeyPubsubBus(options);
}
