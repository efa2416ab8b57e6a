/** A toolbox from its settings. */
import { createMcpToolbox } from '../../engine/tools/mcp/mcp-toolbox.ts';
import type { McpTrust } from '../../engine/tools/mcp/mcp-tools.ts';
import type { McpAddress } from '../../engine/tools/mcp/mcp-transport.ts';
import { timeTools } from '../../engine/tools/packs/clock-time.ts';
import { calculatorTool, wikipediaTool } from '../../engine/tools/packs/community.ts';
import { httpGetTool } from '../../engine/tools/packs/http-get.ts';
import { localSystemTools, type BuiltInTool } from '../../engine/tools/packs/local-system.ts';
import { createPackToolbox } from '../../engine/tools/packs/pack-toolbox.ts';
import type { Toolbox } from '../../engine/tools/toolbox.ts';
import type { ConfigOf } from '../shared/fields.ts';
import { processClock } from '../shared/process.ts';
import { pairsIn } from './pairs.ts';
import type { toolboxFields } from './toolbox.fields.ts';

type Settings = ConfigOf<typeof toolboxFields>;

export interface ToolboxPorts {
  readonly credentials: Readonly<Record<string, string>>;
  readonly onProblem: (problem: Error) => void;
  /** What an MCP server's program writes to its error output. */
  readonly onLog: (line: string) => void;
}

const trusts: Readonly<Record<Settings['trust'], McpTrust>> = { said: 'as it says', looks: 'looks', acts: 'acts' };

/** Throws FOLKMOOT_BAD_SETTING for variables or headers that can't be read. */
export function makeToolbox(config: Settings, ports: ToolboxPorts): Toolbox {
  const address = addressOf(config, ports);
  if (address)
    return createMcpToolbox({ address, trust: trusts[config.trust], clock: processClock, onProblem: ports.onProblem });
  return createPackToolbox(packOf(config));
}

function addressOf(config: Settings, { credentials, onLog }: ToolboxPorts): McpAddress | undefined {
  const { kind, command, args, folder, url } = config;
  if (kind === 'mcp-program')
    return {
      ...{ kind: 'stdio', command, args, onLog },
      env: pairsIn(credentials['environment'] ?? '', '='),
      ...(folder ? { cwd: folder } : {}),
    };
  if (kind !== 'mcp-http' && kind !== 'mcp-sse') return undefined;
  return { kind: kind === 'mcp-http' ? 'http' : 'sse', url, headers: pairsIn(credentials['headers'] ?? '', ':') };
}

function packOf({ kind, allowed, latitude, longitude }: Settings): readonly BuiltInTool[] {
  switch (kind) {
    case 'time':
      return timeTools(processClock, latitude || longitude ? { latitude, longitude } : undefined);
    case 'calculator':
      return [calculatorTool];
    case 'wikipedia':
      return [wikipediaTool];
    case 'http':
      return [httpGetTool(allowed)];
    default:
      return Object.values(localSystemTools());
  }
}
