/**
 * What is served under Node-RED's `httpNodeRoot`. One handler for all serve nodes, which looks up the path when a request
 * comes: Express has no way to take a route away again, and a deploy makes nodes anew.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { folkmootError } from '../../engine/errors.ts';
import { isLoopback } from '../../engine/http/access.ts';
import type { HttpRequest } from '../../engine/http/endpoint.ts';
import type { HttpAnswer } from '../../engine/http/http-answer.ts';
import { refusal } from '../../engine/http/http-answer.ts';
import { isEndpoint } from '../../engine/http/serve.ts';
import { afterDeploy, isDeploying } from '../shared/flows-ready.ts';
import type { Red } from '../shared/red.ts';
import { noteUnread, readBody } from './read-body.ts';

export interface ServedPath {
  /** With or without slashes at its ends. */
  readonly path: string;
  readonly maxBytes: number;
  /** Aborts at the node's close. */
  readonly signal: AbortSignal;
  readonly answer: (request: HttpRequest) => Promise<HttpAnswer>;
}

type Next = (error?: unknown) => void;
type Handler = (request: IncomingMessage, response: ServerResponse, next: Next) => unknown;
type ErrorHandler = (error: unknown, request: IncomingMessage, response: ServerResponse, next: Next) => unknown;
interface HttpApp {
  use(handler: Handler | ErrorHandler): unknown;
  /** The app that it is a part of. */
  readonly parent?: HttpApp;
}

/** By path, for each of Node-RED's apps. */
const served = new WeakMap<HttpApp, Map<string, ServedPath>>();

const trimmed = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** Gives what ends it. Throws FOLKMOOT_BAD_SETTING when it can't be served. */
export function servePath(RED: Red, one: ServedPath): () => void {
  const app = (RED as { readonly httpNode?: HttpApp }).httpNode;
  if (!app || RED.settings['httpNodeRoot'] === false)
    throw folkmootError('FOLKMOOT_BAD_SETTING', 'This Node-RED serves nothing over HTTP (httpNodeRoot is off).');
  const paths = served.get(app) ?? begin(RED, app);
  const path = trimmed(one.path);
  if (paths.has(path))
    throw folkmootError('FOLKMOOT_BAD_SETTING', `Another serve node has the path "/${path}" already.`);
  paths.set(path, one);
  return () => {
    if (paths.get(path) === one) paths.delete(path);
  };
}

function begin(RED: Red, app: HttpApp): Map<string, ServedPath> {
  const paths = new Map<string, ServedPath>();
  served.set(app, paths);
  app.use((request: IncomingMessage, response: ServerResponse, next: Next) => {
    const found = find(request, paths);
    if (found) return pass(RED, found, { request, response, next });
    // While a deploy makes the node anew, clients wait for it.
    if (!isDeploying(RED) || !looksServed(request)) return next();
    afterDeploy(RED, () => {
      const made = find(request, paths);
      if (made) pass(RED, made, { request, response, next });
      else next();
    });
  });
  // Express tells an error handler by its four parameters.
  rootOf(app).use((error: unknown, request: IncomingMessage, response: ServerResponse, next: Next) => {
    const found = find(request, paths);
    if (found && noteUnread(request, error)) void answer(found, request, response);
    else next(error);
  });
  return paths;
}

const rootOf = (app: HttpApp): HttpApp => (app.parent ? rootOf(app.parent) : app);

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly next: Next;
}

/** Whatever stands before all that flows serve stands before this, too. */
function pass(RED: Red, found: Found, { request, response, next }: Exchange): void {
  const before = [RED.settings['httpNodeMiddleware']].flat().filter((one) => typeof one === 'function') as Handler[];
  const step = (index: number): void => {
    const handler = before[index];
    if (handler) handler(request, response, (error) => (error ? next(error) : step(index + 1)));
    else void answer(found, request, response);
  };
  step(0);
}

async function answer({ one, endpoint, rest }: Found, request: IncomingMessage, response: ServerResponse) {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const asked: HttpRequest = {
    ...{ method: request.method ?? 'GET', endpoint, rest, headers: request.headers },
    client: request.socket.remoteAddress ?? '',
    body: () => readBody(request, one.maxBytes),
    signal: gone.signal,
  };
  const made = await Promise.race([one.answer(asked), closing(one.signal)]);
  if (response.destroyed || response.headersSent) return;
  const isText = typeof made.body === 'string';
  const body = made.body === undefined ? '' : isText ? String(made.body) : JSON.stringify(made.body);
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  // Nothing more of a body that was not read to its end can be made sense of.
  if (!request.complete) response.setHeader('Connection', 'close');
  response.writeHead(made.status, { ...(body ? { 'Content-Type': type } : {}), ...made.headers }).end(body);
}

/** Clients of such servers try again by themselves. */
const closing = (signal: AbortSignal): Promise<HttpAnswer> =>
  new Promise((resolve) => {
    const end = () => resolve(refusal(503, 'The flow is being changed.', { 'Retry-After': '1' }));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

interface Found {
  readonly one: ServedPath;
  readonly endpoint: string;
  readonly rest: string;
}

function find(request: IncomingMessage, paths: ReadonlyMap<string, ServedPath>): Found | undefined {
  for (const { path, endpoint, rest } of waysToRead(request)) {
    const one = paths.get(path);
    if (one && isEndpoint(endpoint, rest)) return { one, endpoint, rest };
  }
  return undefined;
}

const looksServed = (request: IncomingMessage): boolean =>
  waysToRead(request).some(({ endpoint, rest }) => isEndpoint(endpoint, rest));

/** `/a/b/agents/x` may be `agents/x` of `a/b`, or `x` of `a/b/agents`. */
function waysToRead({ url = '' }: IncomingMessage) {
  const parts = (url.split('?')[0] ?? '')
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  return [1, 2].flatMap((count) => {
    const [endpoint = '', rest = ''] = parts.slice(-count);
    return parts.length < count ? [] : [{ path: parts.slice(0, -count).join('/'), endpoint, rest }];
  });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Whether only this computer reaches Node-RED. Before it listens, its settings tell. */
export function listensOnLoopback(RED: Red): boolean {
  const address = (RED as { readonly server?: Server }).server?.address() ?? undefined;
  // A text is a socket in the file system.
  if (typeof address === 'string') return true;
  return isLoopback(address?.address ?? String(RED.settings['uiHost'] ?? '0.0.0.0'));
}
