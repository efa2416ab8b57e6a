/** Tools of an MCP server as ours: names, arguments, how careful to be; and what they give (MCP specification, "Tools"). */
import type { Tool, CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Risk } from '../../moot.ts';
import { toolNamePattern, type ToolSettings } from '../tool-card.ts';

export type McpTool = Omit<ToolSettings, 'timeoutMs'> & {
  /** As the server calls it. */
  readonly serverName: string;
};

/** How a server's tools are taken, whatever it says itself: it may only look, it acts, or as it says. */
export type McpTrust = 'as it says' | 'looks' | 'acts';

const mostDescription = 1_000;

/**
 * Names in our form, no two alike. What a server says of itself is a hint: one that says it destroys is critical, one that
 * does not say that it only looks may act, and is asked once.
 */
export function mcpTools(listed: readonly Tool[], trust: McpTrust): McpTool[] {
  const taken = new Set<string>();
  return listed.flatMap((tool) => {
    const name = ownName(tool.name, taken);
    if (name === undefined) return [];
    const risk = riskOf(tool, trust);
    return [
      {
        ...{ serverName: tool.name, name, risk, effect: risk !== 'read', parameters: [] },
        description: (tool.description ?? tool.title ?? tool.name).slice(0, mostDescription),
        schema: tool.inputSchema,
      },
    ];
  });
}

function ownName(given: string, taken: Set<string>): string | undefined {
  const plain = given
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^[^A-Za-z]+/, '')
    .slice(0, 60);
  let name = plain;
  for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${plain}_${n}`;
  if (!toolNamePattern.test(name)) return undefined;
  taken.add(name.toLowerCase());
  return name;
}

function riskOf({ annotations }: Tool, trust: McpTrust): Risk {
  if (trust === 'looks') return 'read';
  if (trust === 'as it says' && annotations?.readOnlyHint === true) return 'read';
  return annotations?.readOnlyHint !== true && annotations?.destructiveHint === true ? 'critical' : 'reversible';
}

/** What came back: structured where the server gives that, else its texts; pictures and the like are only named. */
export function mcpResult({ content = [], structuredContent }: CallToolResult): unknown {
  if (structuredContent !== undefined) return structuredContent;
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'image' || part.type === 'audio')
      return `(${part.type}, ${part.data.length} characters of base64)`;
    if (part.type === 'resource_link') return `(${part.name}: ${part.uri})`;
    return 'text' in part.resource ? part.resource.text : `(data at ${part.resource.uri})`;
  });
  return parts.join('\n');
}
