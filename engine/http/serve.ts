/** The server of all endpoints: who may ask, how often, and what each gets (contracts.md 6). */
import type { Clock } from '../clock.ts';
import { asError, isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { admit } from './access.ts';
import type { Endpoint, HttpRequest, ServePorts } from './endpoint.ts';
import { refusal, serverError } from './http-answer.ts';
import type { HttpAnswer } from './http-answer.ts';
import { proposalForms } from './proposal.ts';
import { createRequestRate } from './request-rate.ts';
import { serveAgents } from './serve-agents.ts';
import { serveMcp } from './serve-mcp.ts';
import { serveProposal } from './serve-proposal.ts';

interface Route {
  /** By method; a method that is not there is answered with those that are. */
  readonly methods: readonly string[];
  readonly serve: Endpoint;
}

const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ...proposalForms.map((form) => [form, { methods: ['POST'], serve: serveProposal(form) }] as const),
  ['mcp', { methods: ['POST'], serve: serveMcp }],
  ['agents', { methods: ['GET', 'POST'], serve: serveAgents }],
  ['agents/', { methods: ['GET', 'DELETE'], serve: serveAgents }],
]);

const routeOf = ({ endpoint, rest }: Pick<HttpRequest, 'endpoint' | 'rest'>): Route | undefined =>
  routes.get(rest ? `${endpoint}/` : endpoint);

/** Whether there is something to serve: everything else is Node-RED's. */
export const isEndpoint = (endpoint: string, rest: string): boolean => routeOf({ endpoint, rest }) !== undefined;

export interface ServeOptions extends ServePorts {
  readonly clock: Clock;
  /** Of one client. */
  readonly requestsPerMinute: number;
}

/** Never rejects. Every answer tells in `X-Process-Time` how many seconds it took. */
export function createServe(options: ServeOptions): (request: HttpRequest) => Promise<HttpAnswer> {
  const { clock, requestsPerMinute } = options;
  const rate = createRequestRate({ perMinute: requestsPerMinute, clock });
  let inWork = 0;

  async function answerTo(request: HttpRequest): Promise<HttpAnswer> {
    // Before anything else, so that nobody can try secrets as fast as they like.
    const wait = rate.take(request.client);
    if (wait !== undefined) return refusal(429, 'Too many requests.', { 'Retry-After': String(wait) });
    const admission = admit(request.headers, options.rules, options.onLoopback());
    if (!admission.isAllowed) {
      const { status, detail, challenge } = admission;
      return refusal(status, detail, challenge ? { 'WWW-Authenticate': challenge } : {});
    }
    const route = routeOf(request);
    if (!route) return refusal(404, 'Not Found');
    if (!route.methods.includes(request.method))
      return refusal(405, 'Method Not Allowed', { Allow: route.methods.join(', ') });
    if (inWork >= limits.httpInWork) return refusal(429, 'Too much is in work.', { 'Retry-After': '1' });
    inWork += 1;
    const { user, maySubmit } = admission;
    return route.serve({ request, user, maySubmit }, options).finally(() => (inWork -= 1));
  }

  return async (request) => {
    const began = clock.now();
    const answer = await answerTo(request).catch((thrown: unknown) => failed(thrown, options));
    const took = String((clock.now() - began) / 1000);
    return { ...answer, headers: { ...answer.headers, 'X-Process-Time': took } };
  };
}

function failed(thrown: unknown, { onProblem }: ServePorts): HttpAnswer {
  const error = asError(thrown);
  if (isFolkmootError(error, 'FOLKMOOT_LIMIT')) return refusal(429, error.message);
  onProblem(error.message);
  const isAway = isFolkmootError(error, 'FOLKMOOT_STORE_LOST') || isFolkmootError(error, 'FOLKMOOT_STORE_FAILED');
  return isAway ? refusal(503, 'What is remembered can’t be reached now.') : serverError;
}
