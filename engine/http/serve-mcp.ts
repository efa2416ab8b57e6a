/** `POST mcp`: programs that speak MCP use the house (contracts.md 6). */
import { isFolkmootError } from '../errors.ts';
import { headerOf } from './endpoint.ts';
import type { Admitted, Endpoint, HttpRequest } from './endpoint.ts';
import { json, refusal } from './http-answer.ts';
import type { HttpAnswer } from './http-answer.ts';
import { exchangeMcp } from './mcp/mcp-exchange.ts';
import { readRequestJson } from './request-json.ts';

export const serveMcp: Endpoint = async ({ request, user }: Admitted, ports) => {
  const offers = ports.mcp?.();
  if (!offers) return refusal(403, 'This node only proposes. "Programs may act, by MCP" is not ticked in it.');
  const body = await request.body();
  if (!body) return refusal(413, 'The body is too large.');
  const read = readRequestJson(body, headerOf(request, 'content-type'));
  if ('detail' in read) return notRead(read.detail[0]?.msg ?? 'no JSON');
  const why = await ports.heldBack();
  const refused = async () => ({ text: why ?? '', isError: true });
  try {
    const { signal } = request;
    const free = why ? offers.map((offer) => ({ ...offer, call: refused })) : offers;
    return await exchangeMcp(free, { headers: plainHeaders(request), body: read.value, user, signal });
  } catch (error) {
    if (!isFolkmootError(error, 'FOLKMOOT_MISSING_PACKAGE')) throw error;
    ports.onProblem(error.message);
    return refusal(501, error.message);
  }
};

/** JSON-RPC 2.0, "Error object". */
const notRead = (message: string): HttpAnswer =>
  json(400, { jsonrpc: '2.0', error: { code: -32700, message: `Parse error: ${message}` }, id: null });

/** What the protocol looks at. */
const plainHeaders = (request: HttpRequest): Record<string, string> =>
  Object.fromEntries(
    ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'].flatMap((name) => {
      const value = headerOf(request, name);
      return value ? [[name, value]] : [];
    }),
  );
