/**
 * Reads what a client sends, up to a size. Where editor and flows have one root, Node-RED's editor is asked first and parses
 * every JSON that comes: then there is nothing left to read.
 */
import type { IncomingMessage } from 'node:http';
import type { RequestBody } from '../../engine/http/request-json.ts';

/** What a parser before us could not read: its text, or nothing when it was too large. */
const unread = new WeakMap<IncomingMessage, string | undefined>();

interface ParserError {
  readonly type?: unknown;
  readonly body?: unknown;
}

/** Whether an error is that parser's, and so ours to tell of. */
export function noteUnread(request: IncomingMessage, error: unknown): boolean {
  const { type, body } = (error ?? {}) as ParserError;
  if (type === 'entity.too.large') unread.set(request, undefined);
  else if (type === 'entity.parse.failed') unread.set(request, typeof body === 'string' ? body : '{');
  else return false;
  return true;
}

/** Undefined: it is larger, or the client went away. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<RequestBody | undefined> {
  const { headers } = request;
  if (!Number(headers['content-length']) && headers['transfer-encoding'] === undefined) return { bytes: Buffer.of() };
  if (Number(headers['content-length'] ?? 0) > maxBytes) return undefined;
  if (unread.has(request)) {
    const text = unread.get(request);
    return text === undefined ? undefined : { bytes: Buffer.from(text) };
  }
  const parsed = (request as { readonly body?: unknown }).body;
  if (request.readableEnded && parsed !== undefined) return sizeOf(parsed) > maxBytes ? undefined : { parsed };
  return rawBody(request, maxBytes);
}

/** What is nested too deep to be written counts as nothing: that is told of elsewhere. */
function sizeOf(parsed: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(parsed));
  } catch {
    return 0;
  }
}

function rawBody(request: IncomingMessage, maxBytes: number): Promise<RequestBody | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const onData = (part: Buffer) => {
      size += part.length;
      if (size <= maxBytes) return void parts.push(part);
      request.off('data', onData).pause();
      resolve(undefined);
    };
    request
      .on('data', onData)
      .once('end', () => resolve({ bytes: Buffer.concat(parts) }))
      .once('error', () => resolve(undefined))
      .once('close', () => resolve(undefined));
  });
}
