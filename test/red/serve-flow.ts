/** A serve node with a router behind it in a real Node-RED, and a client for it. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import agentNode from '../../nodes/agent/agent.ts';
import applyNode from '../../nodes/apply/apply.ts';
import backboneNode from '../../nodes/backbone/backbone.ts';
import languageNode from '../../nodes/language/language.ts';
import modelNode from '../../nodes/model/model.ts';
import routerNode from '../../nodes/router/router.ts';
import serveNode from '../../nodes/serve/serve.ts';
import { poolScript } from '../http/pool.ts';
import { core, node, onTab, type FlowNode } from './red.ts';

/** What a real Node-RED joins: what flows serve, and the server that listens. */
let app: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
/** Of Node-RED's server, as the nodes see it. */
let listensOn = '127.0.0.1';
let settings: Record<string, unknown> = {};
let server: Server;

function capture(RED: { httpNode: typeof app; server: unknown; settings: object }): void {
  app = RED.httpNode;
  Object.defineProperty(RED, 'server', { value: { address: () => ({ address: listensOn }) } });
  Object.defineProperty(RED, 'settings', { value: { ...RED.settings, ...settings } });
}

/** To be called inside of `describe`: a server for what flows serve. Gives how another Node-RED is set up. */
export function anHttpServer(): { as(address: string, more?: Record<string, unknown>): void } {
  before(async () => {
    server = createServer((request, response) => app?.(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))));
  afterEach(() => {
    listensOn = '127.0.0.1';
    settings = {};
  });
  return {
    as(address, more = {}) {
      listensOn = address;
      settings = more;
    },
  };
}

export const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

export const modules = [
  capture,
  ...[serveNode, routerNode, agentNode, applyNode, languageNode, modelNode, backboneNode],
  ...core('function', 'catch', 'junction', 'link'),
] as never[];

export const serve = (more: object = {}, to: readonly string[] = ['router']): FlowNode => ({
  ...{ id: 'serve', type: 'folkmoot-serve', path: '/folkmoot', requestsPerMinute: 100_000, wires: [['events'], to] },
  ...more,
});
export const router = (more: object = {}): FlowNode => ({
  ...{ id: 'router', type: 'folkmoot-router', model: 'model' },
  ...{ wires: [['result'], ['fallback'], ['told'], []] },
  ...more,
});
export const model = (more: object = {}): FlowNode => ({
  ...{ id: 'model', type: 'folkmoot-model', provider: 'scripted', script: poolScript },
  ...more,
});
export const ends: readonly FlowNode[] = ['events', 'result', 'fallback', 'told', 'caught'].map((id) => ({
  ...{ id, type: 'helper' },
}));
export const catching: FlowNode = { id: 'c', type: 'catch', scope: null, uncaught: false, wires: [['caught']] };

/** The model has no place on a tab. */
export const flow = (...nodes: readonly FlowNode[]): FlowNode[] => [model(), ...onTab([...nodes, ...ends])];
export const pool = (more: object = {}): FlowNode[] => flow(serve(more), router());

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Sent {
  readonly headers?: Record<string, string>;
  readonly method?: string;
  /** Aborts: the program goes away. */
  readonly signal?: AbortSignal;
}

/** Sends JSON, or a text as it is. */
export async function ask(path: string, body?: unknown, { headers = {}, method = 'POST', signal }: Sent = {}) {
  const response = await fetch(new URL(path, origin()), {
    method,
    ...(signal ? { signal } : {}),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  const answered: Answered = {
    ...{ status: response.status, headers: response.headers },
    body: isJson ? (JSON.parse(text) as unknown) : text,
  };
  return answered;
}

/** The answer's body when it went well. */
export async function good<T>(path: string, body: unknown, sent: Sent = {}): Promise<T> {
  const answered = await ask(path, body, sent);
  assert.equal(answered.status, 200, JSON.stringify(answered.body));
  return answered.body as T;
}

/** Errors that a node has told. */
export const saidBy = (id: string): string =>
  (node(id) as unknown as { error: { args: unknown[][] } }).error.args.map(([error]) => String(error)).join();
