/** What is asked of a planner on behalf of a client: the same for all endpoints that only propose (contracts.md 6). */
import type { AgentDefinition } from '../agent/definition.ts';
import { agentOfDocument } from '../agent-documents/agent-of-document.ts';
import { createLanguage } from '../language/language.ts';
import type { Language } from '../language/language.ts';
import type { CallsBody, GraphqlBody, PlanBody, Proposal, ProposalBody, ProposalForm } from './bodies.ts';
import { callsBodySchema, graphqlBodySchema, planBodySchema } from './body-schemas.ts';
import { failedBoard, generateFunctionCalls } from './generate-function-calls.ts';
import { dataDetail, failedGraphqlBoard, generateGraphql } from './generate-graphql.ts';
import { generatePlan } from './generate-plan.ts';
import type { Proposer } from './proposer.ts';
import { detailOf } from './validation.ts';
import type { Detail } from './validation.ts';

export type { Proposal, ProposalBody, ProposalForm };

export const proposalForms: readonly ProposalForm[] = ['generate_plan', 'generate_function_calls', 'generate_graphql'];

export const bodySchemas: Readonly<Record<ProposalForm, object>> = {
  generate_plan: planBodySchema,
  generate_function_calls: callsBodySchema,
  generate_graphql: graphqlBodySchema,
};

/** What is wrong with a body; undefined: nothing. */
export const detailOfBody = (form: ProposalForm, body: unknown): readonly Detail[] | undefined =>
  detailOf(bodySchemas[form], body) ?? (form === 'generate_graphql' ? dataDetail(body as GraphqlBody) : undefined);

/** The answer to a request that nobody could work on. */
export const failedBody = (form: Exclude<ProposalForm, 'generate_plan'>, body: ProposalBody): unknown =>
  form === 'generate_graphql' ? failedGraphqlBoard(body as GraphqlBody) : failedBoard(body as CallsBody);

export interface Proposed {
  /** What the client gets. */
  readonly body: unknown;
  /** Who failed, by the client's names; `plan` when there was no plan. */
  readonly failedSteps: readonly string[];
  /** For the log. */
  readonly notes: readonly string[];
}

/**
 * @param language What the functions and categories of further agents are looked up in.
 * Throws as the form's own function does: status 500, as there.
 */
export async function propose(
  { form, body, agents = [] }: Proposal,
  proposer: Proposer,
  language: Language = createLanguage([]),
): Promise<Proposed> {
  const further = agents.map((agent) => agentOfDocument(agent, language));
  const definitions = further.map(({ definition }) => definition);
  const made = await madeOf(form, body, proposer, definitions);
  return { ...made, notes: [...further.flatMap(({ notes }) => notes), ...made.notes] };
}

async function madeOf(
  form: ProposalForm,
  body: ProposalBody,
  proposer: Proposer,
  further: readonly AgentDefinition[],
): Promise<Proposed> {
  if (form === 'generate_plan')
    return { body: await generatePlan(body as PlanBody, proposer, further), failedSteps: [], notes: [] };
  const { board, failedSteps, notes } =
    form === 'generate_graphql'
      ? await generateGraphql(body as GraphqlBody, proposer, further)
      : await generateFunctionCalls(body as CallsBody, proposer, further);
  return { body: board, failedSteps, notes };
}
