/** The JSON of a request, or what is wrong with it in the form of row 72. */
import { readForeignJson } from '../bus/foreign-json.ts';
import { limits } from '../limits.ts';
import { notAnObject } from './validation.ts';
import type { Detail } from './validation.ts';

export type RequestJson = { readonly value: unknown } | { readonly detail: readonly Detail[] };

/** What a client sent: as it came, or as something before us has parsed it. */
export type RequestBody = { readonly bytes: Uint8Array } | { readonly parsed: unknown };

/** @param contentType Only JSON is read; a blank one is taken for that. */
export function readRequestJson(body: RequestBody, contentType: string): RequestJson {
  const isBlank = 'bytes' in body && body.bytes.length === 0;
  if (isBlank) return missing;
  if (contentType && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)) return notJson;
  if ('parsed' in body) return isDeep(body.parsed) ? wrong(0, tooDeep) : { value: body.parsed };
  const read = readForeignJson(body.bytes, limits.jsonDepth);
  if ('value' in read) return read.value === null ? missing : read;
  return wrong(Number(/position (\d+)/.exec(read.detail)?.[1] ?? 0), read.detail);
}

const wrong = (at: number, error: string): RequestJson => ({
  detail: [{ loc: ['body', at], msg: 'JSON decode error', type: 'json_invalid', ctx: { error } }],
});

const tooDeep = `Arrays and objects are nested deeper than ${limits.jsonDepth} levels.`;

/** Level by level, because whatever walks down a hostile value comes to an end of its own. */
function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= limits.jsonDepth; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? (Object.values(one) as unknown[]) : []));
    if (level.length === 0) return false;
  }
  return true;
}

const missing: RequestJson = { detail: [{ loc: ['body'], msg: 'Field required', type: 'missing' }] };

const notJson: RequestJson = { detail: [{ loc: ['body'], ...notAnObject }] };
