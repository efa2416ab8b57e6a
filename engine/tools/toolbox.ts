/** The toolbox port: several tools from one place, such as an MCP server or a built-in pack. */
import type { ToolSettings } from './tool-card.ts';

/** `starting` before the first tools are known; `down` when it was lost and is tried again; `closed` for ever. */
export type ToolboxState = 'starting' | 'up' | 'down' | 'closed';

export interface Toolbox {
  readonly state: ToolboxState;
  /** What it has now; while it is down nothing. Times and consent are set by whoever offers them. */
  tools(): readonly Omit<ToolSettings, 'timeoutMs'>[];
  /**
   * Gives plain JSON, or text. Rejects with FOLKMOOT_TOOL_FAILED in the tool's own words, and with FOLKMOOT_TOOL_AWAY while
   * the toolbox is down or is lost meanwhile: then nobody knows whether it was done, and it is never done again by itself.
   */
  call(name: string, given: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
  /** Called on each change of state or tools. @returns what ends it. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}
