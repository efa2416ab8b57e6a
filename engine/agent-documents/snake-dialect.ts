/** Agents as the REST interface of gpt-multi-atomic-agents takes them (seed-contracts.md B1): functions in full. */
import { foreignOfSpec } from '../foreign/foreign-function.ts';
import { rightsOfForeign } from '../foreign/foreign-rights.ts';
import type { ForeignAgent } from '../http/bodies.ts';
import { agentSchema } from '../http/body-schemas.ts';
import { detailOf } from '../http/validation.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import { createLanguage } from '../language/language.ts';
import type { Language } from '../language/language.ts';
import { agentDocument } from './agent-document.ts';
import type { AgentDocument } from './agent-document.ts';
import { bad } from './bad-agent.ts';

/** Functions whose names break our rules are left out, with a note. Throws FOLKMOOT_BAD_INPUT. */
export function readSnakeAgent(document: object): { readonly agent: AgentDocument; readonly notes: readonly string[] } {
  const [fault] = detailOf(agentSchema, document) ?? [];
  if (fault) throw bad(`${fault.loc.slice(1).join('.')}: ${fault.msg}`);
  const given = document as ForeignAgent;
  const { accepts, generates, functions, notes } = rightsOfForeign(
    given.accepted_functions,
    given.functions_allowed_to_generate,
  );
  const { agent_parameters: values = {} } = given;
  const hasValues = Object.values(values).some((list) => list.length > 0);
  const agent = agentDocument({
    name: given.agent_name,
    description: given.description,
    topics: given.topics,
    parameters: Object.keys(values),
    ...{ accepts, generates },
    ...(functions.length ? { functions } : {}),
    ...(hasValues ? { parameterValues: values } : {}),
  });
  return { agent, notes };
}

/** What it has no place for (instructions, examples, steps, risk) is left out. Unknown functions give none. */
export function writeSnakeAgent(agent: AgentDocument, language: Language): ForeignAgent {
  const known = createLanguage([...(agent.functions ?? []), ...others(agent, language)]);
  // In the order of the document, which is not that of the language.
  const functionsOf = (entries: readonly string[]) =>
    [...new Set(entries.flatMap((entry) => known.resolve([entry])))]
      .flatMap((name) => known.find(name) ?? [])
      .map(foreignOfSpec);
  return {
    agent_name: agent.name,
    description: agent.description,
    accepted_functions: functionsOf(agent.accepts),
    functions_allowed_to_generate: functionsOf(agent.generates),
    topics: agent.topics,
    agent_parameters: Object.fromEntries(agent.parameters.map((name) => [name, agent.parameterValues?.[name] ?? []])),
  };
}

/** Of the language, without those that the agent brings itself, and without what follows from them. */
const others = ({ functions = [] }: AgentDocument, language: Language): FunctionSpec[] =>
  language.functions
    .filter((spec) => !functions.some((own) => own.name.toLowerCase() === spec.name.toLowerCase()))
    .map(({ consequences: _, ...spec }) => spec);
