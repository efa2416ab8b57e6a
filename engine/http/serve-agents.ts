/** `GET`, `POST` and `DELETE agents` (P26): whoever may ask sees them, whoever has the other token submits and removes them. */
import { folkmootError, isFolkmootError } from '../errors.ts';
import type { Admitted, Endpoint, ServePorts } from './endpoint.ts';
import { headerOf } from './endpoint.ts';
import type { AgentStore, StoredAgent } from './agent-store.ts';
import { json, refusal } from './http-answer.ts';
import type { HttpAnswer } from './http-answer.ts';
import { readRequestJson } from './request-json.ts';
import { notAnObject, valueDetail } from './validation.ts';

export const serveAgents: Endpoint = async (asked, ports) => {
  const { method, rest } = asked.request;
  if (method === 'GET') return rest ? one(await ports.agents(), rest) : all(await ports.agents());
  if (!asked.maySubmit) return refusal(403, whyNot(ports));
  if (method === 'DELETE' && rest) return remove(await ports.agents(), rest);
  return submit(asked, await ports.agents());
};

const whyNot = ({ rules }: ServePorts): string =>
  rules.submitToken
    ? 'Only who has the token for submitting agents may do that.'
    : 'No token for submitting agents is set, so nobody may do that.';

const notFound = refusal(404, 'There is no such agent.');

const shown = ({ agent, submittedAt }: StoredAgent) => ({ agent, submitted_at: submittedAt });

const all = async (store: AgentStore): Promise<HttpAnswer> => json(200, { agents: (await store.list()).map(shown) });

async function one(store: AgentStore, agentId: string): Promise<HttpAnswer> {
  const stored = await store.get(agentId);
  return stored ? json(200, shown(stored)) : notFound;
}

const remove = async (store: AgentStore, agentId: string): Promise<HttpAnswer> =>
  (await store.remove(agentId)) ? { status: 204, headers: {} } : notFound;

async function submit({ request }: Admitted, store: AgentStore): Promise<HttpAnswer> {
  const body = await request.body();
  if (!body) return refusal(413, 'The body is too large.');
  const read = readRequestJson(body, headerOf(request, 'content-type'));
  if ('detail' in read) return refusal(422, read.detail);
  // A text is no document here, although it might hold one.
  if (typeof read.value !== 'object') return refusal(422, [{ loc: ['body'], ...notAnObject }]);
  try {
    const { isReplaced, notes, ...stored } = await store.submit(read.value);
    return json(isReplaced ? 200 : 201, { ...shown(stored), notes });
  } catch (error) {
    if (isFolkmootError(error, 'FOLKMOOT_LIMIT')) return refusal(409, error.message);
    if (!isFolkmootError(error, 'FOLKMOOT_BAD_INPUT') && !isFolkmootError(error, 'FOLKMOOT_STORE_VALUE')) throw error;
    return refusal(422, [valueDetail(['body'], error.message)]);
  }
}

/**
 * Those that a request names: `all`, or names or ids with commas in between.
 * Throws FOLKMOOT_BAD_INPUT for one that is not there.
 */
export async function storedAgents(store: AgentStore, named: string): Promise<StoredAgent['agent'][]> {
  const known = (await store.list()).map(({ agent }) => agent);
  if (named.toLowerCase() === 'all') return known;
  return named
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      const found = known.find((agent) => agent.agentId === name) ?? known.find((agent) => agent.name === name);
      if (!found) throw folkmootError('FOLKMOOT_BAD_INPUT', `There is no agent "${name}" here.`);
      return found;
    });
}
