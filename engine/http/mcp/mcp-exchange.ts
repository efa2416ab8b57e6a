/**
 * One message of a program that speaks MCP, and the answer to it, with the official SDK (MCP specification 2025-06-18,
 * "Streamable HTTP"). Nothing is remembered between two messages, so a deploy or a restart breaks no connection.
 */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { folkmootError } from '../../errors.ts';
import type { HttpAnswer } from '../http-answer.ts';
import type { McpAnswer, McpOffer } from './mcp-offer.ts';

export interface McpMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** JSON-RPC, parsed. */
  readonly body: unknown;
  /** Blank: not known. */
  readonly user: string;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

const instructions =
  'This is a house with agents of its own. Tools whose name begins with "Ask" take a request in plain words, such as ' +
  '"turn the hall light on" or "how warm is the bedroom?"; the house plans it, checks it and does it. When it asks back, ' +
  'call the same tool with the answer and the conversation that it gave.';

/** Throws FOLKMOOT_MISSING_PACKAGE when the SDK is not installed. */
export async function exchangeMcp(
  offers: readonly McpOffer[],
  { headers, body, user, signal }: McpMessage,
): Promise<HttpAnswer> {
  const { Server, WebStandardStreamableHTTPServerTransport, types } = await theSdk();
  const server = new Server({ name: 'folkmoot', version: '1' }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: offers.map(described) }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
    const offer = offers.find(({ name }) => name === params.name);
    if (!offer) return resultOf(unknownTool(params.name, offers));
    return resultOf(await offer.call({ given: params.arguments ?? {}, user, signal }));
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: { ...headers } });
    const response = await Promise.race([transport.handleRequest(request, { parsedBody: body }), goneAway(signal)]);
    return await answerOf(response);
  } finally {
    await end(server);
  }
}

const described = ({ name, description, schema, onlyReads, isCritical }: McpOffer) => ({
  ...{ name, description },
  inputSchema: { ...schema, type: 'object' as const },
  annotations: { readOnlyHint: onlyReads, ...(onlyReads ? {} : { destructiveHint: isCritical }) },
});

const resultOf = ({ text, isError, data }: McpAnswer) => ({
  content: [{ type: 'text' as const, text }],
  ...(isError ? { isError } : {}),
  ...(data ? { structuredContent: { ...data } } : {}),
});

const unknownTool = (name: string, offers: readonly McpOffer[]): McpAnswer => ({
  text: `There is no tool "${name}". There are: ${offers.map((offer) => offer.name).join(', ') || 'none'}.`,
  isError: true,
});

async function answerOf(response: Response): Promise<HttpAnswer> {
  const text = await response.text();
  const type = response.headers.get('content-type');
  const allow = response.headers.get('allow');
  const headers = { ...(type ? { 'Content-Type': type } : {}), ...(allow ? { Allow: allow } : {}) };
  return { status: response.status, headers, ...(text ? { body: text } : {}) };
}

/** Whoever has gone reads no answer; what was begun for them goes on. */
const goneAway = (signal: AbortSignal): Promise<Response> =>
  new Promise((resolve) => {
    const end = () => resolve(new Response(null, { status: 499 }));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

/** The answer counts, also when the end of the exchange fails. */
const end = (server: Server): Promise<void> => server.close().catch(() => undefined);

async function theSdk() {
  try {
    const [{ Server }, { WebStandardStreamableHTTPServerTransport }, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    return { Server, WebStandardStreamableHTTPServerTransport, types };
  } catch (error) {
    const what =
      'The package for MCP is not installed: run "npm install @modelcontextprotocol/sdk" in the Node-RED folder.';
    throw folkmootError('FOLKMOOT_MISSING_PACKAGE', what, error);
  }
}
