/** Starts a real mosquitto on a free loopback port, with a configuration of its own in a folder that goes away. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { TestBroker } from './broker.ts';
import { freePort } from './free-port.ts';

export interface MosquittoOptions {
  readonly port?: number;
  /** Lines for its configuration. */
  readonly lines?: readonly string[];
  /** Default: yes, whoever comes is let in. */
  readonly isAnonymous?: boolean;
  /** Access rules; with them only what is listed is allowed. */
  readonly acl?: readonly string[];
}

const program = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto'].find((path) => existsSync(path)) ?? 'mosquitto';

/** A broker for one suite; `stop` in `after`. */
export async function startMosquitto(options: MosquittoOptions = {}): Promise<TestBroker> {
  const folder = await mkdtemp(join(tmpdir(), 'folkmoot-mosquitto-'));
  const port = options.port ?? (await freePort());
  const configuration = join(folder, 'mosquitto.conf');
  const lines = [
    `listener ${port} 127.0.0.1`,
    `allow_anonymous ${options.isAnonymous ?? true}`,
    'persistence false',
    'max_queued_messages 20000',
    // Without it each acknowledged question and answer takes 44 ms: Nagle's algorithm on the broker's side.
    'set_tcp_nodelay true',
    // Started as root it would become another user, who may not read this folder.
    `user ${userInfo().username}`,
    ...(options.lines ?? []),
  ];
  if (options.acl) {
    await writeFile(join(folder, 'acl'), `${options.acl.join('\n')}\n`);
    lines.push(`acl_file ${join(folder, 'acl')}`);
  }
  await writeFile(configuration, `${lines.join('\n')}\n`);
  let child = await launch(configuration, port);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    name: 'mosquitto',
    port,
    url: `mqtt://127.0.0.1:${port}`,
    clients: () => connectedClients(port),
    kill,
    async restart() {
      child = await launch(configuration, port);
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(configuration: string, port: number): Promise<ChildProcess> {
  const child = spawn(program, ['-c', configuration], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-2000)));
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`mosquitto ended at once: ${said}`);
    if (await answers(port)) return child;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGKILL');
  throw new Error(`mosquitto does not listen on ${port}: ${said}`);
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });

/** Sockets of this machine that are connected to the port: mosquitto's own count is a second late. */
async function connectedClients(port: number): Promise<number> {
  const { readFile } = await import('node:fs/promises');
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/));
  return rows.filter(([, address, , status]) => address === local && status === '01').length;
}
