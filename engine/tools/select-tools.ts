/** Which of the tools that an agent is wired to go into its prompt (rows 27–30): a few that fit cost less and confuse less. */
import type { Embed } from '../memory/embed.ts';
import { contentTerms, isSameTerm, termsOf } from '../memory/terms.ts';
import { stemOf } from '../model/rules/tokens.ts';
import type { AgentTool } from './agent-tool.ts';

/**
 * `all` of them; `keyword`: those that share a word with the request, whatever its ending, small words left out; `semantic`:
 * those near in meaning, nearest first; `model`: the model names those that it wants to see.
 */
export const toolChoices = ['all', 'keyword', 'semantic', 'model'] as const;
export type ToolChoice = (typeof toolChoices)[number];

export interface SelectOptions {
  readonly choice: ToolChoice;
  /** What is asked for, in a person's words; any signs may be in it. */
  readonly query: string;
  /** At most so many. */
  readonly most: number;
  /** `semantic`: how similar they have to be, 0 to 1. */
  readonly threshold?: number;
  /** `semantic`. Absent: by words. */
  readonly embed?: Embed | undefined;
  /** `model`: asks it; gives names. Absent: by words. */
  readonly ask?: ((tools: readonly AgentTool[]) => Promise<readonly string[]>) | undefined;
}

/** As in A.M.I.C.A. (seed-contracts.md A8). */
export const usualThreshold = 0.65;

/** Best first. When nothing fits none is given: an agent without a tool says that it doesn't know. */
export async function selectTools(tools: readonly AgentTool[], options: SelectOptions): Promise<readonly AgentTool[]> {
  const { choice, most, embed, ask } = options;
  if (choice === 'all' || tools.length === 0) return tools;
  if (choice === 'model' && ask) {
    if (tools.length <= most) return tools;
    const names = (await ask(tools)).map((name) => name.toLowerCase());
    return tools.filter(({ spec }) => names.includes(spec.name.toLowerCase())).slice(0, most);
  }
  const chosen = choice === 'semantic' && embed ? await near(tools, options, embed) : named(tools, options.query);
  return chosen.slice(0, most);
}

/** What a tool is described with. */
const textOf = ({ spec, result }: AgentTool): string =>
  [
    spec.name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' '),
    spec.description,
    ...(spec.synonyms ?? []),
    ...spec.parameters.flatMap(({ name, description, allowedValues = [] }) => [
      name.replaceAll('_', ' '),
      description ?? '',
      ...allowedValues,
    ]),
    result ?? '',
  ].join(' ');

const isSameWord = (one: string, other: string): boolean => isSameTerm(one, other) || stemOf(one) === stemOf(other);

/** Those that share most words first. */
function named(tools: readonly AgentTool[], query: string): AgentTool[] {
  const wanted = contentTerms(query);
  const counted = tools.map((tool) => {
    const terms = termsOf(textOf(tool));
    return { tool, shared: wanted.filter((word) => terms.some((term) => isSameWord(term, word))).length };
  });
  return counted
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .map(({ tool }) => tool);
}

async function near(
  tools: readonly AgentTool[],
  { query, threshold = usualThreshold }: SelectOptions,
  embed: Embed,
): Promise<AgentTool[]> {
  if (termsOf(query).length === 0) return [];
  const [asked, ...all] = await embed.embed([query, ...tools.map(textOf)]);
  const scored = tools.map((tool, at) => ({ tool, score: dot(asked ?? [], all[at] ?? []) }));
  return scored
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

/** Of unit vectors: the cosine. */
const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
