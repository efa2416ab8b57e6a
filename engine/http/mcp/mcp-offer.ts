/** What a house offers to programs that speak MCP: its tools, and whoever takes requests in plain words. */
import type { JsonSchema } from '../../language/json-schema.ts';

export interface McpAnswer {
  /** For the model on the other side. */
  readonly text: string;
  /** It was not done, and the text says why. */
  readonly isError: boolean;
  /** The same for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface McpCall {
  readonly given: Readonly<Record<string, unknown>>;
  /** Blank: not known. */
  readonly user: string;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

export interface McpOffer {
  /** As `toolNamePattern`. */
  readonly name: string;
  readonly description: string;
  /** Of the arguments, an object. */
  readonly schema: JsonSchema;
  /** It changes nothing. */
  readonly onlyReads: boolean;
  /** What it does can't be undone, or is dangerous. */
  readonly isCritical: boolean;
  /** Never rejects. */
  call(call: McpCall): Promise<McpAnswer>;
}
