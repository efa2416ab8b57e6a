/** Examples of an agent's work: what of them can be used. */
import type { Parameters } from '../moot.ts';
import type { AgentDefinition, AgentExample } from './definition.ts';

/** Those of a list, as a flow may hold it, that are examples; what else is in it is none. */
export const examplesIn = (list: readonly unknown[]): AgentExample[] => list.filter(isExample);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isExample = (value: unknown): value is AgentExample =>
  isRecord(value) &&
  typeof value['prompt'] === 'string' &&
  value['prompt'].trim() !== '' &&
  Array.isArray(value['calls']) &&
  value['calls'].every(
    (call: unknown) => isRecord(call) && typeof call['function'] === 'string' && isRecord(call['parameters']),
  );

type Allowed = Pick<AgentDefinition, 'generates'>;

/** One with a call that the agent may not generate would teach what is refused then. */
export const mayShow = ({ generates }: Allowed, { calls }: AgentExample): boolean =>
  calls.every((call) => generates.includes(call.function));

/** Why examples are left out, in words. */
export const unusedExamples = (agent: Allowed & Pick<AgentDefinition, 'examples'>): string[] =>
  (agent.examples ?? []).flatMap((example) => {
    const [first] = example.calls.filter((call) => !agent.generates.includes(call.function));
    return first ? [`The example "${example.prompt}" is left out: the agent may not give "${first.function}".`] : [];
  });

/** A call as people write it, one a line: `MowLawn {"area":"front"}`; without parameters the name alone. */
export const lineOfCall = (call: AgentExample['calls'][number]): string =>
  Object.keys(call.parameters).length ? `${call.function} ${JSON.stringify(call.parameters)}` : call.function;

/** The calls of such lines; nothing when one of them is none. Blank lines don't count. */
export function callsOfLines(text: string): AgentExample['calls'] | undefined {
  const calls = text
    .split('\n')
    .filter((line) => line.trim())
    .map(callOfLine);
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

function callOfLine(line: string): AgentExample['calls'][number] | undefined {
  const [, name, values] = /^\s*([A-Za-z]\w*)\s*(\{.*\})?\s*$/.exec(line) ?? [];
  if (!name) return undefined;
  try {
    return { function: name, parameters: JSON.parse(values ?? '{}') as Parameters };
  } catch {
    return undefined;
  }
}
