/** Starts a service of compose.yaml as Docker would, without it: the same commands and files, with other paths and ports. */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { freePort } from '../free-port.ts';
import { root } from '../structure/sources.ts';
import { valkeyProgram } from '../valkey-server.ts';

const run = promisify(execFile);

export interface Service {
  readonly image: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
}

export interface RunningService {
  readonly port: number;
  /** Where its configuration lies. */
  readonly config: string;
  said(): string;
  /** Runs the health check; resolves with its exit code. */
  check(environment?: Readonly<Record<string, string>>): Promise<number>;
  /** In order, so that it writes what it keeps; starts it again unless told otherwise. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Fills in `${NAME}`, `${NAME:-default}` and `${NAME:?message}`; `$$` is a dollar. @throws with the message. */
export function filledIn(text: string, environment: Readonly<Record<string, string>>): string {
  return text.replace(/\$(?:\$|\{(\w+)(?::([-?])([^}]*))?\})/g, (whole, name: string | undefined, kind, word) => {
    if (name === undefined) return '$';
    const value = environment[name] ?? '';
    if (value === '' && kind === '?') throw new Error(`${name} ${word}`);
    return value === '' && kind === '-' ? String(word) : value;
  });
}

/** Services by name. */
export async function readServices(environment: Readonly<Record<string, string>>): Promise<Record<string, Service>> {
  const whole = parse(await readFile(path.join(root, 'compose.yaml'), 'utf8')) as { services: Record<string, Service> };
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return filledIn(value, environment);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one)]));
  };
  return fill(whole.services) as Record<string, Service>;
}

/** A folder for each mount: copies of the files that are mounted, with the paths of this computer; empty for a volume. */
async function mount(service: Service, folder: string, port: number) {
  const mounts = service.volumes.map((volume, at) => {
    const [from = '', to = ''] = volume.split(':');
    return { from, to, here: path.join(folder, `mount-${at}`) };
  });
  const inner = service.ports[0]?.split(':').at(-1) ?? '';
  const mapped = (text: string) =>
    mounts
      .reduce((all, { to, here }) => all.replaceAll(to, here), text)
      .replace(new RegExp(`\\b${inner}\\b`), `${port}`);
  for (const { from, here } of mounts) {
    await mkdir(here);
    if (!from.startsWith('.')) continue;
    await cp(path.join(root, from), here, { recursive: true });
    for (const name of await readdir(here)) {
      const file = path.join(here, name);
      await writeFile(file, mapped(await readFile(file, 'utf8')));
    }
  }
  return { mapped, config: mounts[0]?.here ?? '' };
}

/** Debian's mosquitto lies where only root's path leads; Redis does for Valkey, with the same options. */
const programOf = (name: string): string => (name === 'valkey-server' ? valkeyProgram() : name);
const hasValkeyCli = (): boolean => spawnSync('valkey-cli', ['--version']).status === 0;
const cliFor = (words: string): string => (hasValkeyCli() ? words : words.replace('valkey-cli', 'redis-cli'));

/** Starts it; resolves when its health check passes. */
export async function startService(service: Service, hostPath = process.env['PATH'] ?? ''): Promise<RunningService> {
  const folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-compose-'));
  // For the user that the broker becomes.
  await chmod(folder, 0o755);
  const port = await freePort();
  const { mapped, config } = await mount(service, folder, port);
  const [program = '', ...words] = [...(service.entrypoint ?? []), ...(service.command ?? [])].map(mapped);
  const env = { ...process.env, PATH: `${hostPath}:/usr/sbin`, ...service.environment };
  let child: ChildProcess;
  let said = '';
  const [, healthWords = ''] = service.healthcheck.test;
  // Inside of its container it has the standard port.
  const check: RunningService['check'] = (more = {}) =>
    run('sh', ['-c', cliFor(healthWords).replace(/(mosquitto_sub|(?:valkey|redis)-cli)/, `$1 -p ${port}`)], {
      env: { ...env, ...more },
    }).then(
      () => 0,
      (error: { code?: number }) => error.code ?? 1,
    );
  const launch = async () => {
    child = spawn(programOf(program), words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-10_000)));
    for (let tries = 0; (await check()) !== 0; tries += 1) {
      if (child.exitCode !== null || tries > 50) {
        child.kill('SIGKILL');
        throw new Error(`${program} is not healthy: ${said}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  await launch();
  return {
    port,
    config,
    said: () => said,
    check,
    restart: async () => {
      await end();
      await launch();
    },
    async stop() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
