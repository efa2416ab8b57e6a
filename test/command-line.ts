/** The command line `folkmoot` in this process: what is piped into it, and what it says. */
import { PassThrough } from 'node:stream';
import { folkmoot } from '../bin/commands/dispatch.ts';

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
