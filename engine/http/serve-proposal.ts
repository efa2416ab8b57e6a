/** `POST generate_…`: a body is checked, a planner proposes, a client gets what it knows (seed-contracts.md B3, rows 70 to 73). */
import { isFolkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { AskAnswer } from '../moot.ts';
import type { OpenSession } from './board-sessions.ts';
import type { CallsBody, ForeignBoard, ForeignPlan, PlanBody } from './bodies.ts';
import { headerOf } from './endpoint.ts';
import type { Admitted, Endpoint, ServePorts } from './endpoint.ts';
import { headerText, json, refusal, serverError } from './http-answer.ts';
import type { HttpAnswer } from './http-answer.ts';
import { detailOfBody, failedBody } from './proposal.ts';
import type { Proposal, ProposalBody, ProposalForm, Proposed } from './proposal.ts';
import { readRequestJson } from './request-json.ts';
import { storedAgents } from './serve-agents.ts';
import { valueDetail } from './validation.ts';

type Body = ProposalBody;

export const serveProposal =
  (form: ProposalForm): Endpoint =>
  async (asked, ports) => {
    const read = await bodyOf(form, asked);
    if ('answer' in read) return read.answer;
    const session = await sessionOf(asked, ports);
    if (session === 'gone') return refusal(404, 'This session does not exist, or it has ended.');
    const agents = await furtherAgents(asked, ports);
    if ('answer' in agents) return agents.answer;
    const body = session ? withSession(form, read.body, session) : read.body;
    const why = await ports.heldBack();
    if (why) return refusal(503, why);
    const proposal: Proposal = { form, body, ...(agents.list.length ? { agents: agents.list } : {}) };
    const { signal } = asked.request;
    const context = { run: newId(), conversation: session?.id ?? newId(), user: asked.user, signal };
    const answer = await ports.ask(proposal, context);
    if (!answer) return refusal(503, 'Nobody is wired to this node who could make plans.');
    const made = readAnswer(proposal, answer, ports);
    if (!made) return serverError;
    return session ? remember(form, made, session) : answerOf(made);
  };

type Read = { readonly body: Body } | { readonly answer: HttpAnswer };

async function bodyOf(form: ProposalForm, { request }: Admitted): Promise<Read> {
  const body = await request.body();
  if (!body) return { answer: refusal(413, 'The body is too large.') };
  const read = readRequestJson(body, headerOf(request, 'content-type'));
  if ('detail' in read) return { answer: refusal(422, read.detail) };
  const detail = detailOfBody(form, read.value);
  return detail ? { answer: refusal(422, detail) } : { body: read.value as Body };
}

async function sessionOf({ request, user }: Admitted, ports: ServePorts): Promise<OpenSession | 'gone' | undefined> {
  const id = headerOf(request, 'x-folkmoot-session');
  if (!id) return undefined;
  const sessions = await ports.sessions();
  return id.toLowerCase() === 'new' ? sessions.begin(user) : ((await sessions.open(id, user)) ?? 'gone');
}

type Further = { readonly list: NonNullable<Proposal['agents']> } | { readonly answer: HttpAnswer };

async function furtherAgents({ request }: Admitted, ports: ServePorts): Promise<Further> {
  const named = headerOf(request, 'x-folkmoot-agents');
  if (!named) return { list: [] };
  try {
    return { list: await storedAgents(await ports.agents(), decoded(named)) };
  } catch (error) {
    if (!isFolkmootError(error, 'FOLKMOOT_BAD_INPUT')) throw error;
    return { answer: refusal(422, [valueDetail(['header', 'X-Folkmoot-Agents'], error.message)]) };
  }
}

/** As we write names in headers. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const formatOf: Readonly<Partial<Record<ProposalForm, string>>> = {
  generate_function_calls: 'function_call',
  generate_graphql: 'graphql',
};

const isGoingOn = ({ user_prompt: prompt }: Body): boolean => ['', 'proceed'].includes(prompt.trim());

/** What a body doesn't say is taken from what was remembered; what it says counts. */
function withSession(form: ProposalForm, body: Body, { state }: OpenSession): Body {
  if (form === 'generate_plan') {
    const given = body as PlanBody;
    const board = (state.boards['function_call'] ?? state.boards['graphql']) as ForeignBoard | undefined;
    const messages = given.messages ?? board?.internal_previous_messages ?? null;
    return { ...given, messages, previous_plan: given.previous_plan ?? state.plan ?? null };
  }
  const given = body as CallsBody;
  const blackboard = given.blackboard ?? (state.boards[formatOf[form] ?? ''] as ForeignBoard | undefined) ?? null;
  const kept = isGoingOn(given) ? state.plan : undefined;
  return { ...given, blackboard, execution_plan: given.execution_plan ?? kept ?? null };
}

async function remember(form: ProposalForm, made: Proposed, session: OpenSession): Promise<HttpAnswer> {
  const { boards } = session.state;
  const format = formatOf[form];
  try {
    await session.save({
      ...{ v: 1, boards: format ? { ...boards, [format]: made.body } : boards },
      ...(form === 'generate_plan' ? { plan: made.body as ForeignPlan } : {}),
    });
  } catch (error) {
    if (isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT'))
      return refusal(409, 'Another request of this session was faster. Send this one again.');
    if (isFolkmootError(error, 'FOLKMOOT_STORE_VALUE')) return refusal(413, 'The session has grown too large.');
    throw error;
  }
  const answer = answerOf(made);
  return { ...answer, headers: { ...answer.headers, 'X-Folkmoot-Session': session.id } };
}

/** Undefined: it failed, and there is no other way to say so than status 500. */
function readAnswer({ form, body }: Proposal, answer: AskAnswer, { onProblem }: ServePorts): Proposed | undefined {
  if (answer.status === 'answered') {
    const made = answer.payload as Proposed;
    made.notes.forEach(onProblem);
    return made;
  }
  if (answer.status !== 'cancelled') onProblem(answer.error?.message ?? `${form} ended as ${answer.status}.`);
  // There, only planning and having no agents fail; whatever else went wrong gives the board as it is.
  if (form === 'generate_plan' || answer.error?.code === 'FOLKMOOT_NO_AGENTS') return undefined;
  return { body: failedBody(form, body), failedSteps: ['plan'], notes: [] };
}

const answerOf = ({ body, failedSteps }: Proposed): HttpAnswer =>
  json(200, body, failedSteps.length ? { 'X-Folkmoot-Failed-Steps': failedSteps.map(headerText).join(', ') } : {});
