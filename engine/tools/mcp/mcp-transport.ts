/** How an MCP server is reached: as a program of this computer, or by HTTP. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { folkmootError } from '../../errors.ts';

export type McpAddress =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Added to the few variables that are safe to pass on. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
      /** Told what the program writes to its error output, line by line. */
      readonly onLog?: (line: string) => void;
    }
  | { readonly kind: 'http' | 'sse'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Throws FOLKMOOT_BAD_SETTING, and FOLKMOOT_MODEL_UNKNOWN where the package is missing. */
export async function mcpTransport(address: McpAddress): Promise<Transport> {
  if (address.kind === 'stdio') return program(address);
  if (!URL.canParse(address.url) || !/^https?:/.test(address.url))
    throw folkmootError(
      'FOLKMOOT_BAD_SETTING',
      `"${address.url}" is no address of an MCP server, such as http://host:3001/mcp.`,
    );
  const url = new URL(address.url);
  const requestInit = { headers: { ...address.headers } };
  if (address.kind === 'http') {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    return new StreamableHTTPClientTransport(url, { requestInit });
  }
  const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
  return new SSEClientTransport(url, { requestInit });
}

async function program(address: Extract<McpAddress, { kind: 'stdio' }>): Promise<Transport> {
  const { command, args, env, cwd, onLog } = address;
  if (!command) throw folkmootError('FOLKMOOT_BAD_SETTING', 'The MCP server has no command.');
  const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const transport = new StdioClientTransport({
    ...{ command, args: [...args], env: { ...getDefaultEnvironment(), ...env }, stderr: 'pipe' },
    ...(cwd ? { cwd } : {}),
  });
  // Read in any case: a pipe that nobody empties would stop the program.
  transport.stderr?.on('data', (data: Buffer) => {
    for (const line of data.toString().split('\n').filter(Boolean).slice(0, 20)) onLog?.(line.slice(0, 500));
  });
  return transport;
}
