/** Which tools an agent's model is shown: chosen once for a piece of work, of those that it reaches at each moment. */
import { callModel } from '../model/call.ts';
import type { ModelCall } from '../model/call.ts';
import { isLocal } from '../model/catalogue.ts';
import { jsonIn } from '../model/spoken-text.ts';
import type { Usage } from '../moot.ts';
import { selectTools, type SelectOptions } from '../tools/select-tools.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import { agentTask } from './prompt.ts';
import type { RunAgentOptions } from './run-agent.ts';

export type ToolSelection = Pick<SelectOptions, 'choice' | 'most' | 'embed' | 'threshold'>;

export interface OfferedTools {
  /** Of those that are reached now, the chosen ones; memories are always among them. */
  of(reached: readonly AgentTool[]): Promise<readonly AgentTool[]>;
}

/** Words and rules need no prompt, so they know all. @param count Told what choosing costs. */
export function offeredTools(options: RunAgentOptions, count: (usage: Usage) => void): OfferedTools {
  const { tools, model, prompt } = options;
  const selection = tools?.selection;
  let chosen: Promise<ReadonlySet<string>> | undefined;
  if (!selection || selection.choice === 'all' || isLocal(model.settings))
    return { of: (reached) => Promise.resolve(reached) };
  const choose = async (reached: readonly AgentTool[]) => {
    const own = reached.filter(({ mark }) => mark === 't');
    const ask = (all: readonly AgentTool[]) => namedByModel(options, all, count);
    const some = await selectTools(own, { ...selection, query: prompt, ask });
    return new Set(some.map(({ spec }) => spec.name));
  };
  return {
    async of(reached) {
      chosen ??= choose(reached);
      const names = await chosen;
      return reached.filter(({ mark, spec }) => mark !== 't' || names.has(spec.name));
    },
  };
}

const chooseTools = 'choose_tools';

/** One short call: names and purposes, without arguments. */
async function namedByModel(
  options: RunAgentOptions,
  tools: readonly AgentTool[],
  count: (usage: Usage) => void,
): Promise<readonly string[]> {
  const names = tools.map(({ spec }) => spec.name);
  const call: ModelCall = {
    data: agentTask(options),
    messages: [
      {
        role: 'system',
        text: `Name the tools that may help with the request, by calling ${chooseTools}; none when none helps. If you cannot call tools, answer with JSON alone: {"names": []}.\nTools:\n${tools.map(({ spec }) => `- ${spec.name}: ${spec.description}`).join('\n')}`,
      },
      { role: 'user', text: options.prompt },
    ],
    tools: [
      {
        name: chooseTools,
        description: 'Names the tools that may help.',
        schema: {
          type: 'object',
          properties: { names: { type: 'array', items: { type: 'string', enum: names } } },
          required: ['names'],
        },
      },
    ],
    agent: options.agent.agentId,
    signal: options.signal,
    timeoutMs: options.timeoutMs,
    onProgress: options.onProgress,
    ...(options.clock ? { clock: options.clock } : {}),
  };
  const { text, calls, usage } = await callModel(options.model, call);
  count(usage);
  const args = calls.find(({ name }) => name === chooseTools)?.args ?? jsonIn(text) ?? {};
  const named = args['names'];
  return Array.isArray(named) ? named.map(String) : [];
}
