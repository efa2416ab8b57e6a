/** Agents as the TypeScript client of gpt-multi-atomic-agents keeps them (seed-contracts.md B1): categories of functions. */
import type { Language } from '../language/language.ts';
import { agentDocument } from './agent-document.ts';
import type { AgentDocument } from './agent-document.ts';
import { bad } from './bad-agent.ts';

export interface CamelAgent {
  readonly agentName: string;
  readonly description: string;
  readonly acceptedFunctionCategories: readonly string[];
  readonly functionCategoriesAllowedToGenerate: readonly string[];
  readonly topics: readonly string[];
  readonly agentParameters: readonly string[];
}

const lists = [
  'acceptedFunctionCategories',
  'functionCategoriesAllowedToGenerate',
  'topics',
  'agentParameters',
] as const;

/** All six keys have to be there. Throws FOLKMOOT_BAD_INPUT. */
export function readCamelAgent(document: object): { readonly agent: AgentDocument; readonly notes: readonly string[] } {
  const given = document as Readonly<Record<string, unknown>>;
  for (const key of ['agentName', 'description'])
    if (typeof given[key] !== 'string') throw bad(`${key} is ${key in given ? 'no text' : 'missing'}`);
  for (const key of lists)
    if (!isTexts(given[key])) throw bad(`${key} is ${key in given ? 'no list of texts' : 'missing'}`);
  const { agentName, description, topics, agentParameters, ...categories } = document as CamelAgent;
  const agent = agentDocument({
    name: agentName,
    description,
    topics,
    parameters: agentParameters,
    accepts: categories.acceptedFunctionCategories.map((name) => `category:${name}`),
    generates: categories.functionCategoriesAllowedToGenerate.map((name) => `category:${name}`),
  });
  return { agent, notes: [] };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Single functions become the category that they are in: there are only categories there. */
export function writeCamelAgent(agent: AgentDocument, language: Language): CamelAgent {
  const specs = [...(agent.functions ?? []), ...language.functions];
  const categoriesOf = (entries: readonly string[]) => [
    ...new Set(
      entries.flatMap((entry) =>
        entry.startsWith('category:')
          ? [entry.slice('category:'.length)]
          : (specs.find(({ name }) => name === entry)?.category ?? []),
      ),
    ),
  ];
  return {
    agentName: agent.name,
    description: agent.description,
    acceptedFunctionCategories: categoriesOf(agent.accepts),
    functionCategoriesAllowedToGenerate: categoriesOf(agent.generates),
    topics: agent.topics,
    agentParameters: agent.parameters,
  };
}
