/** A payload of any topic for a flow: objects and lists out of JSON, other text as text, the rest as bytes. */
import { readForeignJson, readText } from '../../engine/bus/foreign-json.ts';
import { limits } from '../../engine/limits.ts';

export type TopicPayload = { readonly payload: unknown } | { readonly fault: string; readonly detail: string };

export function payloadOf(bytes: Uint8Array): TopicPayload {
  if (bytes.length > limits.busPayloadBytes) {
    const detail = `The payload has ${bytes.length} bytes; ${limits.busPayloadBytes} are the most.`;
    return { fault: 'too large', detail };
  }
  const text = readText(bytes);
  if (text === undefined) return { payload: Buffer.from(bytes) };
  if (!/^\s*[[{]/.test(text)) return { payload: text };
  const read = readForeignJson(bytes, limits.jsonDepth);
  if ('value' in read) return { payload: read.value };
  return read.fault === 'too deep' ? read : { payload: text };
}
