/** What model servers and their clients throw, as errors of our table. */
import { asError, folkmootError, isFolkmootError } from '../errors.ts';
import type { FolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';

interface Context {
  readonly name: string;
  readonly watch: { readonly signal: AbortSignal };
  /** Taken out of every text. */
  readonly apiKey?: string | undefined;
}

export function modelError(thrown: unknown, { name, watch, apiKey }: Context): FolkmootError {
  if (watch.signal.aborted) {
    const reason: unknown = watch.signal.reason;
    if (isFolkmootError(reason)) return reason;
    return folkmootError('FOLKMOOT_CANCELLED', `The call of the model ${name} was stopped.`, reason);
  }
  if (isFolkmootError(thrown)) return thrown;
  const error = asError(thrown);
  if (error instanceof SyntaxError)
    return folkmootError('FOLKMOOT_MODEL_UNREADABLE', `The model ${name} sent what is not readable.`, error);
  const status = statusOf(thrown);
  const text = shortened(deepest(error).message, apiKey);
  const lost = isUnreached(error);
  const what = status ? `answered with error ${status}` : lost ? 'could not be reached' : 'failed';
  return folkmootError('FOLKMOOT_MODEL_FAILED', `The model ${name} ${what}: ${text}.`, error);
}

/** Whether the server said that this model knows no tools. */
export const refusesTools = (thrown: unknown): boolean => {
  const status = statusOf(thrown);
  return (
    status !== undefined && status >= 400 && status < 500 && /\btools?\b|function.?call/i.test(asError(thrown).message)
  );
};

/** Whether the same call may succeed a moment later: the server is not there, is busy, or had an error. */
export function isPassing(thrown: unknown): boolean {
  if (isFolkmootError(thrown) || (thrown as { code?: unknown } | null)?.code === 'insufficient_quota') return false;
  const status = statusOf(thrown);
  return status === undefined ? isUnreached(asError(thrown)) : status >= 500 || status === 408 || status === 429;
}

/** The server asks for patience. */
export const isBusy = (thrown: unknown): boolean => {
  const status = statusOf(thrown);
  return status === 429 || status === 503 || status === 529;
};

/** How long the server wants to be left alone, in milliseconds (RFC 9110, Retry-After); undefined: it doesn't say. */
export function retryAfterMs(thrown: unknown, nowMs: number): number | undefined {
  const headers = (thrown as { headers?: unknown } | null)?.headers;
  const header = (name: string): string | undefined => {
    const value: unknown =
      headers instanceof Headers ? headers.get(name) : (headers as Record<string, unknown> | undefined)?.[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const exact = Number(header('retry-after-ms') ?? NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const said = header('retry-after');
  if (said === undefined) return undefined;
  const ms = /^\d+(?:\.\d+)?$/.test(said) ? Number(said) * 1000 : Date.parse(said) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

const isUnreached = ({ name, message }: Error): boolean =>
  name === 'APIConnectionError' || /connection|fetch|ECONN|ENOTFOUND/i.test(message);

function statusOf(thrown: unknown): number | undefined {
  const status = (thrown as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : undefined;
}

/** "Connection error." says less than its cause: "connect ECONNREFUSED 127.0.0.1:9". */
function deepest(error: Error): Error {
  let current = error;
  for (let depth = 0; depth < 5 && current.cause instanceof Error && current.cause.message; depth += 1)
    current = current.cause;
  return current;
}

function shortened(text: string, apiKey: string | undefined): string {
  const safe = apiKey ? text.replaceAll(apiKey, '…') : text;
  const line = safe.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > limits.badPayloadChars ? `${line.slice(0, limits.badPayloadChars)}…` : line;
}
