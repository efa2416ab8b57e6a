/** Reads addresses of servers that are allowed, and of no others, whatever a model asks for. */
import { folkmootError } from '../../errors.ts';
import type { BuiltInTool } from './local-system.ts';

const timeoutMs = 15_000;
const mostBytes = 1_000_000;
const mostRedirects = 3;

/**
 * @param allowed `host`, `host:port`, `*.host`, or an address that others have to begin with (`https://host/path/`).
 */
export function httpGetTool(allowed: readonly string[], fetcher: typeof fetch = fetch): BuiltInTool {
  return {
    settings: {
      ...{ name: 'ReadAddress', risk: 'read', effect: false, timeoutMs },
      description: `Reads what a web address gives; allowed are ${allowed.join(', ') || 'none'}`,
      parameters: [{ name: 'url', type: 'string', required: true, description: 'the whole address' }],
      result: 'the text or JSON of the answer',
    },
    run: async ({ url }) => read(String(url), allowed, fetcher),
  };
}

const failed = (what: string) => folkmootError('FOLKMOOT_TOOL_FAILED', what);

async function read(given: string, allowed: readonly string[], fetcher: typeof fetch): Promise<unknown> {
  let url = allowedUrl(given, allowed);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await fetcher(url, {
      // A redirect may lead to where nobody may read.
      ...{ redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) },
      headers: { accept: 'application/json, text/plain;q=0.9, text/html;q=0.8' },
    });
    const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
    if (location === null) return bodyOf(answer);
    await answer.body?.cancel();
    if (redirects >= mostRedirects) throw failed('That address leads on and on.');
    url = allowedUrl(new URL(location, url).href, allowed);
  }
}

function allowedUrl(given: string, allowed: readonly string[]): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw failed(`"${given.slice(0, 100)}" is no address that can be read.`);
  if (!allowed.some((entry) => fits(url, entry.trim())))
    throw failed(`${url.host} is not among what may be read (${allowed.join(', ') || 'nothing'}).`);
  return url;
}

function fits(url: URL, entry: string): boolean {
  if (entry === '') return false;
  if (/^https?:\/\//.test(entry)) {
    const start = URL.canParse(entry) ? new URL(entry) : undefined;
    return start?.origin === url.origin && url.pathname.startsWith(start.pathname);
  }
  if (entry.startsWith('*.')) return url.hostname.endsWith(entry.slice(1).toLowerCase());
  return url.host === entry.toLowerCase() || (url.hostname === entry.toLowerCase() && url.port === '');
}

async function bodyOf(answer: Response): Promise<unknown> {
  if (!answer.ok) {
    await answer.body?.cancel();
    throw failed(`The server answered ${answer.status}.`);
  }
  const text = await limited(answer);
  if (!(answer.headers.get('content-type') ?? '').includes('json')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function limited({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    size += (part as Uint8Array).length;
    if (size > mostBytes) break;
  }
  return Buffer.concat(parts).subarray(0, mostBytes).toString();
}
