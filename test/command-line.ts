/** The command line `folkmoot`, in this process or as one of its own: what is piped into it, and what it says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { folkmoot } from '../bin/commands/dispatch.ts';
import { root } from './structure/sources.ts';

export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CallOptions {
  /** All of its input, or a stream that goes on. */
  readonly input?: string | PassThrough;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Told with each piece of output. */
  readonly onOut?: (all: string) => void;
  /** Told with each piece of what is no output. */
  readonly onErr?: (all: string) => void;
}

/** Nothing of the machine's own environment is seen: a home that runs here by chance is not asked. */
const emptyEnvironment = { FOLKMOOT_HOME: '/nonexistent' };

export async function callFolkmoot(words: readonly string[], options: CallOptions = {}): Promise<Called> {
  const { input = '', env = {}, signal = new AbortController().signal } = options;
  const stream = typeof input === 'string' ? new PassThrough() : input;
  if (typeof input === 'string') stream.end(input);
  const [out, err] = [new PassThrough(), new PassThrough()];
  const said = { out: '', err: '' };
  out.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
    options.onOut?.(said.out);
  });
  err.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
    options.onErr?.(said.err);
  });
  const code = await folkmoot(words, { in: stream, out, err, env: { ...emptyEnvironment, ...env }, signal });
  await new Promise((resolve) => setImmediate(resolve));
  return { code, ...said };
}

/** The same as a program of its own, which ends by itself or at SIGINT when `signal` aborts. */
export async function runFolkmoot(words: readonly string[], options: CallOptions = {}): Promise<Called> {
  const program = path.join(root, 'bin', 'folkmoot.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...words], {
    env: { PATH: process.env['PATH'], ...emptyEnvironment, ...options.env },
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
    options.onOut?.(said.out);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
    options.onErr?.(said.err);
  });
  options.signal?.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
  child.stdin.end(typeof options.input === 'string' ? options.input : '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? -1, ...said };
}
