/** From a document to an agent that can work: its names and categories become functions. */
import type { AgentDefinition } from '../agent/definition.ts';
import { unusedExamples } from '../agent/examples.ts';
import { partOfSchemas } from '../graphql/part-of-schema.ts';
import { agentIdFrom } from '../ids.ts';
import { functionsWithFollowing } from '../language/following.ts';
import { createLanguage } from '../language/language.ts';
import type { Language } from '../language/language.ts';
import type { AgentDocument } from './agent-document.ts';

export interface AgentOfDocument {
  readonly definition: AgentDefinition;
  /** Names and categories that nobody knows (they give no function, row 67), and examples that can't be used, in words. */
  readonly notes: readonly string[];
}

/** Where the document and the language have a function of one name, the language's counts: it is what the house checks by. */
export function agentOfDocument(agent: AgentDocument, language: Language): AgentOfDocument {
  const own = (agent.functions ?? []).filter((spec) => !language.find(spec.name));
  const known = own.length ? createLanguage([...language.functions, ...own]) : language;
  const accepts = known.resolve(agent.accepts);
  const generates = known.resolve(agent.generates);
  const functions = functionsWithFollowing([...accepts, ...generates], known);
  const names = functions.map(({ name }) => name);
  const graphql = language.graphql && partOfSchemas(language.graphql, names);
  const unknown = [...new Set(known.unknown([...agent.accepts, ...agent.generates]))];
  return {
    definition: {
      agentId: agent.agentId ?? agentIdFrom(agent.name),
      ...pick(agent),
      accepts,
      generates,
      functions,
      ...(graphql ? { graphql } : {}),
    },
    notes: [
      ...unknown.map((entry) =>
        entry.startsWith('category:')
          ? `Agent "${agent.name}": there is no category "${entry.slice('category:'.length)}".`
          : `Agent "${agent.name}": there is no function "${entry}".`,
      ),
      ...unusedExamples({ ...agent, generates }).map((note) => `Agent "${agent.name}": ${note}`),
    ],
  };
}

const pick = ({ name, description, topics, parameters, instructions, examples, steps, fallback }: AgentDocument) => ({
  ...{ name, description, topics, parameters, instructions },
  ...(examples.length ? { examples } : {}),
  ...(steps.length ? { steps } : {}),
  ...(fallback ? { fallback } : {}),
});
