/** A starter home as a real process in a folder of its own, on free ports of this computer. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readReady, type Ready } from '../../bin/ready.ts';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const startMs = 60_000;
/** What a home is promised to close in is five seconds; a loaded computer gets three times that. */
export const closeMs = 15_000;

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly words?: readonly string[];
  /** Kept when given; else a new one that is removed at the end. */
  readonly folder?: string;
  /** Default `bin`: the home itself, without `npm start`'s script or npm in front of it. */
  readonly by?: 'bin' | 'script' | 'npm';
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** From the signal, or from the start when it ended by itself. */
  readonly ms: number;
  readonly output: string;
}

export interface HomeProcess {
  readonly ready: Ready;
  readonly folder: string;
  output(): string;
  /** Sends a signal and waits for the end; SIGKILL after the time is up. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

const emptyEnvironment = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => name === 'PORT' || /^(FOLKMOOT_|NODE_OPTIONS)/.test(name))
    .map((name) => [name, undefined]),
);

export const newFolder = (): Promise<string> => mkdtemp(path.join(os.tmpdir(), 'folkmoot-home-'));

function commandOf(by: 'bin' | 'script' | 'npm', words: readonly string[]): [string, string[]] {
  if (by === 'npm') return ['npm', ['start', '--', ...words]];
  const script = by === 'script' ? path.join(root, 'scripts', 'start.mjs') : path.join(root, 'bin', 'start.ts');
  return [process.execPath, ['--disable-warning=ExperimentalWarning', script, ...words]];
}

function launch({ env = {}, words = [], by = 'bin' }: StartOptions, folder: string) {
  const child = spawn(...commandOf(by, words), {
    cwd: root,
    env: { ...process.env, ...emptyEnvironment, PORT: '0', FOLKMOOT_MQTT_PORT: '0', FOLKMOOT_HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-100_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return { child, output: () => output };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Waits for the end. @throws when it takes longer, after killing it. */
async function untilEnded(child: ChildProcess, ms: number): Promise<void> {
  if (hasEnded(child)) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  await once(child, 'close');
  clearTimeout(timer);
}

/** Starts a home that is expected to refuse: resolves with its code and what it said. */
export async function startRefused(options: StartOptions = {}): Promise<Ended> {
  const folder = options.folder ?? (await newFolder());
  const started = performance.now();
  const { child, output } = launch(options, folder);
  await untilEnded(child, startMs);
  if (!options.folder) await rm(folder, { recursive: true, force: true });
  return { code: child.exitCode, signal: child.signalCode, ms: performance.now() - started, output: output() };
}

/** A home with these flows in place of the shipped ones, in a folder that stays: the caller removes it. */
export async function startHomeWith(
  flow: readonly object[],
  env: Readonly<Record<string, string>>,
): Promise<HomeProcess> {
  const folder = await newFolder();
  await mkdir(path.join(folder, 'node-red'), { recursive: true });
  await writeFile(path.join(folder, 'node-red', 'flows.json'), JSON.stringify(flow));
  return startHome({ folder, env });
}

/** Starts a home and waits until it is ready. @throws with all that it said when it ends or takes too long. */
export async function startHome(options: StartOptions = {}): Promise<HomeProcess> {
  const folder = options.folder ?? (await newFolder());
  const { child, output } = launch(options, folder);
  const until = Date.now() + startMs;
  while (!output().includes('Folkmoot ready')) {
    if (hasEnded(child) || Date.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`The home did not start:\n${output()}`);
    }
    await pause(20);
  }
  const ready = await readReady(folder);
  if (!ready) throw new Error(`The home left no ready.json:\n${output()}`);
  return {
    ready,
    folder,
    output,
    async stop(signal = 'SIGTERM') {
      const asked = performance.now();
      if (!hasEnded(child)) process.kill(signal === 'SIGKILL' ? ready.pid : (child.pid ?? ready.pid), signal);
      await untilEnded(child, closeMs);
      if (!options.folder) await rm(folder, { recursive: true, force: true });
      return { code: child.exitCode, signal: child.signalCode, ms: performance.now() - asked, output: output() };
    },
  };
}
