/** The JSON of a request, or what is wrong with it in the form of row 72. */
import { readForeignJson } from '../bus/foreign-json.ts';
import { limits } from '../limits.ts';
import { notAnObject } from './validation.ts';
import type { Detail } from './validation.ts';

export type RequestJson = { readonly value: unknown } | { readonly detail: readonly Detail[] };

/** @param contentType Only JSON is read; a blank one is taken for that. */
export function readRequestJson(bytes: Uint8Array, contentType: string): RequestJson {
  if (bytes.length === 0) return missing;
  if (contentType && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)) return notJson;
  const read = readForeignJson(bytes, limits.jsonDepth);
  if ('value' in read) return read.value === null ? missing : read;
  const at = Number(/position (\d+)/.exec(read.detail)?.[1] ?? 0);
  return {
    detail: [{ loc: ['body', at], msg: 'JSON decode error', type: 'json_invalid', ctx: { error: read.detail } }],
  };
}

const missing: RequestJson = { detail: [{ loc: ['body'], msg: 'Field required', type: 'missing' }] };

const notJson: RequestJson = { detail: [{ loc: ['body'], ...notAnObject }] };
