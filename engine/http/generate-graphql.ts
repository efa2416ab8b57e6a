/** `POST generate_graphql` (seed-contracts.md P16): agents bring schemas, the answer is a board of mutations. It proposes only. */
import type { AgentDefinition } from '../agent/definition.ts';
import type { ForeignGraphqlBoard } from '../foreign/foreign-board.ts';
import { asError } from '../errors.ts';
import { readApplicationData } from '../graphql/application-data.ts';
import { graphqlLanguage, readSchema } from '../graphql/schema.ts';
import type { ReadSchema } from '../graphql/schema.ts';
import { storedText } from '../graphql/stored-mutations.ts';
import { limits } from '../limits.ts';
import type { ForeignGraphqlAgent, ForeignMessage, GraphqlBody } from './bodies.ts';
import { teamOf } from './foreign-team.ts';
import type { ForeignTeam, NamedAgent } from './foreign-team.ts';
import { failedOn, generateOn, talkOf } from './generate-on-board.ts';
import type { GeneratedBoard, OpenBoard } from './generate-on-board.ts';
import type { Proposer } from './proposer.ts';
import { valueDetail } from './validation.ts';
import type { Detail } from './validation.ts';

/**
 * @param further Agents beside those of the body.
 * Throws FOLKMOOT_NO_AGENTS; everything else that fails is told on the board.
 */
export function generateGraphql(
  body: GraphqlBody,
  proposer: Proposer,
  further: readonly AgentDefinition[] = [],
): Promise<GeneratedBoard<ForeignGraphqlBoard>> {
  return generateOn(beginBoard(body), body, schemaTeam(body.agent_definitions, further), proposer);
}

/** The board of a request that nobody could work on, with words about it. */
export const failedGraphqlBoard = (body: Pick<GraphqlBody, 'blackboard' | 'user_prompt'>): ForeignGraphqlBoard =>
  failedOn(beginBoard(body));

/** Application data that fits no schema of the request is refused, with its path (P27). */
export function dataDetail({ agent_definitions: agents, blackboard }: GraphqlBody): readonly Detail[] | undefined {
  const data = blackboard?.internal_user_data ?? '';
  const place = ['body', 'blackboard', 'internal_user_data'];
  if (data.length > limits.applicationDataChars)
    return [valueDetail(place, `Data has at most ${limits.applicationDataChars} characters`)];
  try {
    readApplicationData(data, [...readAll(agents).schemas.values()]);
    return undefined;
  } catch (thrown) {
    return [valueDetail(place, asError(thrown).message)];
  }
}

interface ReadTexts {
  /** By their texts. */
  readonly schemas: ReadonlyMap<string, ReadSchema>;
  /** What can't be read of them, in words. */
  readonly notes: readonly string[];
}

const textsOf = (agent: ForeignGraphqlAgent): string[] => [
  ...new Set([...agent.mutations_allowed_to_generate, ...agent.accepted_graphql_schemas]),
];

/** Schemas that can't be read are left out: nothing could act by them. */
function readAll(agents: readonly ForeignGraphqlAgent[]): ReadTexts {
  const schemas = new Map<string, ReadSchema>();
  const notes = new Set<string>();
  for (const text of new Set(agents.flatMap(textsOf))) {
    try {
      schemas.set(text, readSchema(text));
    } catch (thrown) {
      notes.add(asError(thrown).message);
    }
  }
  return { schemas, notes: [...notes] };
}

function schemaTeam(agents: readonly ForeignGraphqlAgent[], further: readonly AgentDefinition[]): ForeignTeam {
  const { schemas, notes } = readAll(agents);
  const read = (texts: readonly string[]) => texts.flatMap((text) => schemas.get(text) ?? []);
  return teamOf(
    agents.map((agent) => definition(agent, read)),
    further,
    notes,
  );
}

function definition(agent: ForeignGraphqlAgent, read: (texts: readonly string[]) => ReadSchema[]): NamedAgent {
  const { functions, graphql } = graphqlLanguage(read(textsOf(agent)));
  const namesOf = (texts: readonly string[]) => [
    ...new Set(read(texts).flatMap((schema) => schema.functions.map(({ name }) => name))),
  ];
  return {
    name: agent.agent_name,
    description: agent.description,
    topics: agent.topics,
    parameters: Object.keys(agent.agent_parameters ?? {}),
    accepts: namesOf(agent.accepted_graphql_schemas),
    generates: namesOf(agent.mutations_allowed_to_generate),
    functions,
    ...(graphql ? { graphql } : {}),
  };
}

/** What was generated before is gone: there the list holds this generation only, and the data says what became of it. */
function beginBoard({
  blackboard,
  user_prompt: prompt,
}: Pick<GraphqlBody, 'blackboard' | 'user_prompt'>): OpenBoard<ForeignGraphqlBoard> {
  const before = blackboard?.internal_previous_messages ?? [];
  const data = blackboard?.internal_user_data ?? '';
  const said: ForeignMessage[] = [];
  const added: string[] = [];
  return {
    ...{ before, data, known: [] },
    say: (message) => void said.push({ role: 'assistant', message }),
    add: (mutations) => void added.push(...mutations.map(storedText)),
    end: () => ({
      format: 'graphql',
      internal_previously_generated_mutation_calls: added,
      ...talkOf(before, prompt, said),
      internal_user_data: data,
    }),
  };
}
