/** Writes an agent as a file: in our own form, or in either dialect of gpt-multi-atomic-agents. */
import type { Language } from '../language/language.ts';
import { agentDocument } from './agent-document.ts';
import type { AgentDocument } from './agent-document.ts';
import { writeCamelAgent } from './camel-dialect.ts';
import type { ReadAgent } from './read-agent.ts';
import { writeSnakeAgent } from './snake-dialect.ts';

/** Indented JSON. What a dialect has no place for (instructions, examples, steps, fallback) is not in it. */
export function writeAgent(agent: AgentDocument, dialect: ReadAgent['dialect'], language: Language): string {
  const written = { own: ownForm, snake: writeSnakeAgent, camel: writeCamelAgent }[dialect](agent, language);
  return `${JSON.stringify(written, null, 2)}\n`;
}

/** Without what has its default anyway. */
function ownForm(agent: AgentDocument): Partial<AgentDocument> {
  const plain = agentDocument({ name: agent.name });
  const isDefault = (key: string, value: unknown) =>
    key !== 'v' && key !== 'name' && JSON.stringify(value) === JSON.stringify(plain[key as keyof AgentDocument]);
  return Object.fromEntries(Object.entries(agent).filter(([key, value]) => !isDefault(key, value)));
}

/** What is not, or not the same, in a dialect, in words. */
export function lossesOf(agent: AgentDocument, dialect: ReadAgent['dialect'], language: Language): string[] {
  if (dialect === 'own') return [];
  const kept = ownForm(agent);
  const lost = (['agentId', 'instructions', 'steps', 'examples', 'fallback'] as const).filter((part) => part in kept);
  return [
    ...(lost.length ? [`This form has no place for: ${lost.join(', ')}.`] : []),
    ...(dialect === 'camel' ? widened(agent, language) : []),
  ];
}

/** There are only categories there, so what is one function here may become several. */
function widened({ accepts, generates }: AgentDocument, language: Language): string[] {
  const single = [...new Set([...accepts, ...generates])].filter((entry) => !entry.startsWith('category:'));
  return single.flatMap((name) => {
    const category = language.find(name)?.category;
    if (category === undefined) return [`"${name}" is in no category, so it is left out.`];
    const others = language.functions.filter((spec) => spec.category === category && !single.includes(spec.name));
    return others.length ? [`"${name}" becomes the whole category "${category}".`] : [];
  });
}
