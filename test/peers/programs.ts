/** The programs of `interop/`, built and started as their pages say. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../structure/sources.ts';

const run = promisify(execFile);
const java = path.join(root, 'interop', 'java');
const python = path.join(root, 'interop', 'python');
const buildMs = 240_000;

export interface Program {
  /** Standard output so far. */
  output(): string;
  /** Waits for a text in it. @throws with all that it said. */
  until(text: string, ms?: number): Promise<void>;
  /** As a power cut does. */
  kill(): Promise<void>;
}

export interface Programs {
  /** Runs until it ends. @throws when its exit code is not 0. */
  runJava(...words: string[]): Promise<{ readonly stdout: string; readonly stderr: string }>;
  runPython(...words: string[]): Promise<{ readonly stdout: string; readonly stderr: string }>;
  /** Runs what does not work: its exit code, and what it says on standard error. */
  failJava(words: readonly string[], addresses?: Readonly<Record<string, string>>): Promise<Failed>;
  failPython(words: readonly string[], addresses?: Readonly<Record<string, string>>): Promise<Failed>;
  /** Starts it and waits until it listens. */
  startJava(...words: string[]): Promise<Program>;
  startPython(...words: string[]): Promise<Program>;
  /** Ends all that still run and takes away what was installed. */
  close(): Promise<void>;
}

export interface Failed {
  readonly code: number;
  readonly stderr: string;
}

async function need(program: string, words: string[], packages: string): Promise<void> {
  await run(program, words).catch(() => {
    throw new Error(`${program} is missing. On Debian: apt install ${packages}`);
  });
}

/** Without the network on a second run: what is in Maven's own store is taken first. */
async function buildJava(): Promise<void> {
  const build = (...more: string[]) => run('mvn', ['-q', '-B', ...more, 'package'], { cwd: java, timeout: buildMs });
  await build('-o').catch(() => build());
}

/** Into a folder for PYTHONPATH. @param packages Default: what the programs in Python need. */
export async function installPython(
  folder: string,
  packages: readonly string[] = ['-r', path.join(python, 'requirements.txt')],
): Promise<void> {
  await need('python3', ['-m', 'pip', '--version'], 'python3 python3-pip');
  const words = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', folder];
  await run('python3', [...words, ...packages], { timeout: buildMs });
}

function started(child: ChildProcess): Program {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (err += data.toString()));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    output: () => out,
    async until(text, ms = 20_000) {
      const end = Date.now() + ms;
      while (!out.includes(text)) {
        if (hasEnded() || Date.now() > end) throw new Error(`"${text}" did not come; it said: ${out}${err}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async kill() {
      if (hasEnded()) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** @param addresses `BROKER` and `VALKEY`, as the programs read them. */
export async function preparePrograms(addresses: Readonly<Record<string, string>>): Promise<Programs> {
  await need('java', ['-version'], 'openjdk-17-jdk-headless');
  await need('mvn', ['-v'], 'maven');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-python-'));
  await Promise.all([buildJava(), installPython(folder)]);
  const env = { ...process.env, PYTHONPATH: folder, ...addresses };
  const jar = ['-jar', path.join(java, 'target', 'interop-1.jar')];
  const running: Program[] = [];
  const start = async (program: string, words: readonly string[]) => {
    const one = started(spawn(program, words, { cwd: python, env, stdio: ['ignore', 'pipe', 'pipe'] }));
    running.push(one);
    await one.until('listening');
    return one;
  };
  const options = { cwd: python, env, timeout: 90_000 };
  const fail = (program: string, words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    run(program, words, { ...options, timeout: 20_000, env: { ...env, ...more } }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      ({ code, stderr }: Failed) => ({ code, stderr }),
    );
  return {
    runJava: (...words) => run('java', [...jar, ...words], options),
    runPython: (...words) => run('python3', words, options),
    failJava: (words, more) => fail('java', [...jar, ...words], more),
    failPython: (words, more) => fail('python3', words, more),
    startJava: (...words) => start('java', [...jar, ...words]),
    startPython: (...words) => start('python3', words),
    async close() {
      await Promise.all(running.map((one) => one.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
