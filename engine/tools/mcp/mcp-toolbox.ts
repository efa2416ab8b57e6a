/**
 * An MCP server as a toolbox, with the official client: one connection, begun anew with growing pauses when it is lost, its
 * tools listed again then and whenever the server says that they changed. A call is never made again by itself.
 */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { sleep, type Clock } from '../../clock.ts';
import { asError, folkmootError } from '../../errors.ts';
import type { Toolbox, ToolboxState } from '../toolbox.ts';
import { mcpResult, mcpTools, type McpTool, type McpTrust } from './mcp-tools.ts';
import { mcpTransport, type McpAddress } from './mcp-transport.ts';

export interface McpToolboxOptions {
  readonly address: McpAddress;
  readonly trust: McpTrust;
  readonly clock: Clock;
  /** Each problem once, until something else happens. */
  readonly onProblem: (problem: Error) => void;
}

/** Pauses before another try, milliseconds; the last one goes on. */
const pauses = [1_000, 2_000, 5_000, 15_000, 60_000];
const connectMs = 30_000;
const pingMs = 30_000;
const mostTools = 200;
/** The waits of callers end by their own time limits; the client's is only the last one. */
const callMs = 3_600_000;

export function createMcpToolbox(options: McpToolboxOptions): Toolbox {
  const { address, trust, clock, onProblem } = options;
  const closing = new AbortController();
  const listeners = new Set<() => void>();
  let state: ToolboxState = 'starting';
  let tools: readonly McpTool[] = [];
  let client: Client | undefined;
  /** Aborts the calls of a connection that is lost. */
  let lost = new AbortController();
  let lastProblem = '';

  function become(next: ToolboxState, found: readonly McpTool[] = []): void {
    if (state === 'closed') return;
    state = next;
    tools = found;
    for (const listener of listeners) listener();
  }

  function tell(thrown: unknown): void {
    const problem = asError(thrown);
    if (closing.signal.aborted || problem.message === lastProblem) return;
    lastProblem = problem.message;
    onProblem(problem);
  }

  async function list(from: Client): Promise<void> {
    const all: Tool[] = [];
    let cursor: string | undefined;
    do {
      const page = await from.listTools(cursor === undefined ? {} : { cursor }, { signal: closing.signal });
      all.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined && all.length < mostTools);
    become('up', mcpTools(all.slice(0, mostTools), trust));
  }

  /** Over HTTP nobody tells that the server is gone: it is asked now and then. Resolves when it does not answer. */
  async function silent(from: Client): Promise<void> {
    const { signal } = lost;
    try {
      for (;;) {
        await sleep(clock, pingMs, AbortSignal.any([closing.signal, signal]));
        await from.ping({ signal: closing.signal, timeout: connectMs });
      }
    } catch (thrown) {
      if (!signal.aborted) tell(thrown);
    }
  }

  /** Resolves when the connection has ended. */
  async function connectOnce(): Promise<void> {
    const made = await newClient(() => void list(made).catch(tell));
    const ended = new Promise<void>((resolve) => (made.onclose = resolve));
    made.onerror = tell;
    try {
      await made.connect(await mcpTransport(address), { signal: closing.signal, timeout: connectMs });
      await list(made);
      client = made;
      lastProblem = '';
      await Promise.race([ended, aborted(closing.signal), silent(made)]);
    } finally {
      client = undefined;
      lost.abort(folkmootError('FOLKMOOT_TOOL_AWAY', 'The MCP server went away while the tool worked.'));
      lost = new AbortController();
      await made.close().catch(() => undefined);
    }
  }

  async function keepConnected(): Promise<void> {
    for (let tries = 0; !closing.signal.aborted; tries += 1) {
      try {
        await connectOnce();
        tries = 0;
        tell(new Error('The MCP server went away; it is asked again.'));
      } catch (thrown) {
        tell(thrown);
      }
      if (closing.signal.aborted) return;
      become('down');
      await sleep(clock, pauses[Math.min(tries, pauses.length - 1)] ?? 0, closing.signal).catch(() => undefined);
    }
  }

  /** What the server itself refuses leaves the connection as it is; anything else means that it is not there. */
  async function failed(thrown: unknown, from: Client, ends: AbortSignal): Promise<never> {
    if (ends.aborted) throw ends.reason as Error;
    const { McpError, ErrorCode } = await import('@modelcontextprotocol/sdk/types.js');
    const error = asError(thrown);
    if (error instanceof McpError && error.code !== (ErrorCode.ConnectionClosed as number))
      throw folkmootError('FOLKMOOT_TOOL_FAILED', `The MCP server says: ${error.message}`, error);
    await from.close().catch(() => undefined);
    throw folkmootError('FOLKMOOT_TOOL_AWAY', 'The MCP server went away while the tool worked.', error);
  }

  const running = keepConnected();

  return {
    get state() {
      return state;
    },
    tools: () => tools.map(({ serverName: _, ...tool }) => tool),
    async call(name, given, signal) {
      const tool = tools.find((one) => one.name === name);
      if (!client || !tool) throw folkmootError('FOLKMOOT_TOOL_AWAY', 'The MCP server is not there at the moment.');
      const [asking, ends] = [client, AbortSignal.any([signal, lost.signal, closing.signal])];
      const asked = asking.callTool({ name: tool.serverName, arguments: { ...given } }, undefined, {
        signal: ends,
        timeout: callMs,
      });
      asked.catch(() => undefined);
      const result = await Promise.race([asked, rejecting(ends)]).catch((thrown: unknown) =>
        failed(thrown, asking, ends),
      );
      const answer = mcpResult(result as CallToolResult);
      if (result.isError === true)
        throw folkmootError('FOLKMOOT_TOOL_FAILED', `The tool says: ${String(answer).slice(0, 1_000)}`);
      return answer;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      become('closed');
      closing.abort(folkmootError('FOLKMOOT_CANCELLED', 'The toolbox was closed.'));
      await running;
    },
  };
}

async function newClient(onTools: () => void): Promise<Client> {
  try {
    const { Client: Made } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const client = new Made({ name: 'folkmoot', version: '0.0.0' }, { capabilities: {} });
    client.setNotificationHandler(ToolListChangedNotificationSchema, onTools);
    return client;
  } catch (error) {
    const what =
      'The package for MCP is not installed: run "npm install @modelcontextprotocol/sdk" in the Node-RED folder.';
    throw folkmootError('FOLKMOOT_MISSING_PACKAGE', what, error);
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const rejecting = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
