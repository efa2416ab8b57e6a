/**
 * Starts a real Valkey or Redis on a free loopback port, in a folder that goes away. Which: `FOLKMOOT_VALKEY_SERVER`,
 * else the first of valkey-server and redis-server on the path.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

export interface ValkeyServerOptions {
  readonly port?: number;
  /** Options of its command line, such as `['--requirepass', 'secret']`. */
  readonly args?: readonly string[];
  /** What is written outlives `kill`. Default: false. */
  readonly persists?: boolean;
  /** Default: see above. */
  readonly program?: string;
}

export interface TestValkey {
  readonly name: string;
  readonly port: number;
  readonly url: string;
  /** Sockets of this computer that are connected to it. */
  clients(): Promise<number>;
  /** At once and without a word, as a power cut does. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  /** For the end of a suite. */
  stop(): Promise<void>;
}

/** The server's program that specs use. */
export function valkeyProgram(): string {
  const named = process.env['FOLKMOOT_VALKEY_SERVER'];
  if (named) return named;
  const found = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (!found) throw new Error('Neither valkey-server nor redis-server is installed.');
  return found;
}

/** The same, but for one that was built without encryption: then the next that has it. */
function encryptingProgram(): string {
  const tried = [valkeyProgram(), 'valkey-server', 'redis-server'];
  const input = 'tls-port 1\nport 0\n';
  const canEncrypt = (name: string) =>
    spawnSync(name, ['-'], { input, encoding: 'utf8' }).stdout?.includes('No tls-cert-file');
  const found = tried.find(canEncrypt);
  if (!found) throw new Error(`None of ${tried.join(', ')} was built with encryption.`);
  return found;
}

/** A program that is a Valkey and not a Redis, for what is to be shown with the real one. Throws when there is none. */
export function realValkeyProgram(): string {
  const tried = [process.env['FOLKMOOT_VALKEY_SERVER'], 'valkey-server'].filter((name) => name !== undefined);
  const found = tried.find((name) => spawnSync(name, ['--version'], { encoding: 'utf8' }).stdout?.startsWith('Valkey'));
  if (found) return found;
  throw new Error(
    'There is no Valkey server: name one with FOLKMOOT_VALKEY_SERVER (CONTRIBUTING.md says how to get it).',
  );
}

/** A server for one suite; `stop` in `after`. */
export async function startValkey(options: ValkeyServerOptions = {}): Promise<TestValkey> {
  const program = options.program ?? (options.args?.includes('--tls-port') ? encryptingProgram() : valkeyProgram());
  const folder = await mkdtemp(join(tmpdir(), 'folkmoot-valkey-'));
  const port = options.port ?? (await freePort());
  const keeping = options.persists ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...keeping];
  const start = () => launch(program, [...args, ...(options.args ?? [])], port);
  let child = await start();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    name: program,
    port,
    url: `redis://127.0.0.1:${port}`,
    clients: () => connectedClients(port),
    kill,
    async restart() {
      child = await start();
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(program: string, args: readonly string[], port: number): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const hear = (data: Buffer) => (said = (said + data.toString()).slice(-2000));
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`${program} ended at once: ${said}`);
    if (await answers(port)) return child;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGKILL');
  throw new Error(`${program} does not answer on ${port}: ${said}`);
}

/** Loading what it kept, it takes connections and answers with an error. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => end(!data.toString().startsWith('-LOADING'))).once('error', () => end(false));
  });

async function connectedClients(port: number): Promise<number> {
  const { readFile } = await import('node:fs/promises');
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/));
  return rows.filter(([, address, , status]) => address === local && status === '01').length;
}
