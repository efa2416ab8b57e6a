/** What is different for an agent that works with GraphQL: its texts become calls, and its data can be asked. */
import { asError } from '../errors.ts';
import { askApplicationData, readApplicationData } from '../graphql/application-data.ts';
import { mutationText, readMutations } from '../graphql/mutation-text.ts';
import { schemasOf } from '../graphql/schema.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import type { AskAnswer, Mutation } from '../moot.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import type { AgentDefinition } from './definition.ts';
import type { Draft } from './draft.ts';
import type { AgentInput } from './prompt.ts';

/** Texts of mutations become calls, those that can't be read findings; queries become calls of the tool that answers them. */
export function withGraphql(draft: Draft, { graphql }: AgentDefinition): Draft {
  if (!graphql || !draft.graphql) return draft;
  const { calls, findings } = readMutations(draft.graphql.mutations, schemasOf(graphql));
  const queries = draft.graphql.queries.map((query) => ({ function: queryTool.name, parameters: { query } }));
  return { ...draft, calls: [...draft.calls, ...queries, ...calls], findings: [...draft.findings, ...findings] };
}

/** With the text of each mutation. */
export function withTexts(mutations: readonly Mutation[], { graphql }: AgentDefinition): readonly Mutation[] {
  if (!graphql) return mutations;
  const schemas = schemasOf(graphql);
  return mutations.map((mutation) => {
    const text = mutationText(schemas, mutation);
    return text === undefined ? mutation : { ...mutation, graphql: text };
  });
}

const queryTool: FunctionSpec = {
  name: 'query_data',
  description: 'Answers a GraphQL query from the application data',
  category: 'data',
  risk: 'read',
  effect: false,
  repeatable: true,
  parameters: [{ name: 'query', type: 'string', required: true, description: 'The whole text of the query' }],
};

/** The tool that answers queries, when there is a snapshot that can be asked. */
export function dataTool({ agent, data = '' }: AgentInput): readonly AgentTool[] {
  if (!agent.graphql) return [];
  const snapshot = readApplicationData(data, schemasOf(agent.graphql));
  if (snapshot.kind !== 'snapshot') return [];
  const ask = (query: unknown): AskAnswer => {
    try {
      return { status: 'answered', payload: askApplicationData(String(query), snapshot), mutations: [] };
    } catch (thrown) {
      const { message } = asError(thrown);
      return { status: 'failed', payload: null, mutations: [], error: { code: 'FOLKMOOT_BAD_INPUT', message } };
    }
  };
  return [{ spec: queryTool, mark: 't', ask: (_id, { query }) => Promise.resolve(ask(query)), said: () => undefined }];
}
