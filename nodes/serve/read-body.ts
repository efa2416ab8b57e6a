/** Reads what a client sends, up to a size. */
import type { IncomingMessage } from 'node:http';

/**
 * Undefined: it is larger, or the client went away. A body that something before us has read is taken as that gave it.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const parsed = (request as { readonly body?: unknown }).body;
  if (request.readableEnded && parsed !== undefined)
    return Buffer.from(typeof parsed === 'string' || Buffer.isBuffer(parsed) ? parsed : JSON.stringify(parsed));
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
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
      .once('end', () => resolve(Buffer.concat(parts)))
      .once('error', () => resolve(undefined))
      .once('close', () => resolve(undefined));
  });
}
