/** What endpoints are given and what they need; nothing of Node-RED. */
import type { AskAnswer } from '../moot.ts';
import type { AccessRules, Headers } from './access.ts';
import type { AgentStore } from './agent-store.ts';
import type { BoardSessions } from './board-sessions.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { McpOffer } from './mcp/mcp-offer.ts';
import type { Proposal } from './proposal.ts';
import type { RequestBody } from './request-json.ts';

export interface HttpRequest {
  readonly method: string;
  /** The part of the path behind the served one, such as `generate_plan`. */
  readonly endpoint: string;
  /** What follows it: an agent's id. Blank: nothing. */
  readonly rest: string;
  /** Names in small letters. */
  readonly headers: Headers;
  /** Address of whoever asks. */
  readonly client: string;
  /** Undefined: it is larger than it may be. */
  readonly body: () => Promise<RequestBody | undefined>;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** Who asks for a proposal. */
export interface ProposalContext {
  readonly run: string;
  readonly conversation: string;
  /** Blank: not known. */
  readonly user: string;
  readonly signal: AbortSignal;
}

export interface ServePorts {
  readonly rules: AccessRules;
  /** Whether only this computer reaches Node-RED, now. */
  readonly onLoopback: () => boolean;
  readonly sessions: () => Promise<BoardSessions>;
  readonly agents: () => Promise<AgentStore>;
  /** Why nothing may be done now, in words. */
  readonly heldBack: () => Promise<string | undefined>;
  /** Asks over the wires. Its payload is a `Proposed`. Undefined: nobody is wired who could propose. */
  readonly ask: (proposal: Proposal, context: ProposalContext) => Promise<AskAnswer> | undefined;
  /** What programs that speak MCP may use at this moment. Undefined: nothing may act for them. */
  readonly mcp?: () => readonly McpOffer[] | undefined;
  /** For the log: what went wrong, in words. */
  readonly onProblem: (text: string) => void;
}

/** A request of somebody who may ask. */
export interface Admitted {
  readonly request: HttpRequest;
  readonly user: string;
  readonly maySubmit: boolean;
}

export type Endpoint = (asked: Admitted, ports: ServePorts) => Promise<HttpAnswer>;

/** A header's text; blank when there is none. */
export function headerOf({ headers }: HttpRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
}
