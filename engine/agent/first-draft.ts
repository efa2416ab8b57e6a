/** What an agent's model answers: at once, or after as many rounds with tools as it takes. */
import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { systemClock } from '../clock.ts';
import { isFolkmootError } from '../errors.ts';
import { toToolSchema } from '../language/json-schema.ts';
import { callModel } from '../model/call.ts';
import type { ModelMessage } from '../model/call.ts';
import { isLocal } from '../model/catalogue.ts';
import { addUsage, emptyUsage } from '../model/usage.ts';
import { checkLimit, toolCallsOf } from '../model/usage-limits.ts';
import type { Usage } from '../moot.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import { toolNamed } from '../tools/agent-tool.ts';
import type { CarryOut } from './carry-out.ts';
import { draftOf } from './draft.ts';
import type { Draft } from './draft.ts';
import { agentPrompt, agentTask, agentTools, isRead } from './prompt.ts';
import { offeredTools, type ToolSelection } from './offered-tools.ts';
import { dataTool, withGraphql } from './graphql-agent.ts';
import type { RunAgentOptions } from './run-agent.ts';
import type { ToolOutcome } from './tool-turns.ts';

/** What an agent needs to use tools. */
export interface ToolUse extends Pick<
  CarryOut,
  'reached' | 'askId' | 'owner' | 'effects' | 'mayAct' | 'heldBack' | 'record'
> {
  /** Loaded when it is needed. Absent: rounds are not kept. */
  readonly checkpointer?: (() => Promise<BaseCheckpointSaver>) | undefined;
  /** Which of them its model is shown. Default: all. */
  readonly selection?: ToolSelection | undefined;
}

export interface FirstDraft {
  readonly draft: Draft;
  readonly outcomes: readonly ToolOutcome[];
  /** The rounds so far, for one more call of the model. */
  readonly history: readonly ModelMessage[];
}

type Count = (usage: Usage) => void;

/** Throws what `callModel` throws, and FOLKMOOT_LIMIT when tools are used without end. */
export async function firstDraft(options: RunAgentOptions, count: Count): Promise<FirstDraft> {
  const { agent, tools, model } = options;
  const mayGenerate = agent.functions.filter(({ name }) => agent.generates.includes(name));
  const reads = new Set(mayGenerate.filter(isRead).map(({ name }) => name.toLowerCase()));
  const commands = new Set(mayGenerate.filter((spec) => !isRead(spec)).map(({ name }) => name.toLowerCase()));
  const ownData = dataTool(options);
  const reached = () =>
    [...(tools?.reached() ?? []), ...ownData].filter(({ spec }) => !commands.has(spec.name.toLowerCase()));
  if (!reads.size && !reached().length) return { draft: await askModel(options, { count }), outcomes: [], history: [] };
  const offers = offeredTools(options, count);
  const { runToolLoop } = await import('./tool-loop.ts');
  const isOneRound = isLocal(model.settings);
  let spent = emptyUsage;
  const loop = runToolLoop({
    work: { askId: `ask:${options.run}/${options.step}`, owner: agent.agentId, ...tools, ...workOf(options), reached },
    checkpointer: tools?.checkpointer,
    isTool: (name) => reads.has(name.toLowerCase()) || toolNamed(reached(), name) !== undefined,
    isOneRound,
    check: (spent, partial) => checkLimit(options.limits, spent, partial),
    async askModel(history, isLast) {
      let usage = emptyUsage;
      const offered = isLast ? [] : await offers.of(reached());
      const draft = await askModel(options, { history, offered, count: (more) => (usage = more) });
      spent = addUsage(spent, usage);
      return { draft, usage };
    },
  });
  const result = await loop.catch((thrown: unknown) => {
    // What it cost is told, however it ended.
    count({ ...spent, toolCalls: toolCallsOf(thrown) });
    throw thrown;
  });
  count(result.usage);
  const { draft, outcomes, history } = result;
  // A model without a language says "done" of everything; the words are those of the tools.
  const spoken = isOneRound && outcomes.length ? { ...draft, message: wordsOfNothing(draft, outcomes) } : draft;
  return { draft: spoken, outcomes, history };
}

/** Empty when something was found: then the tools' own words are enough. */
function wordsOfNothing({ otherwise }: Draft, outcomes: readonly ToolOutcome[]): string {
  if (!otherwise || !outcomes.every(({ isNothing }) => isNothing)) return '';
  return [...new Set([otherwise, ...outcomes.map(({ said }) => said)])].join(' ');
}

const workOf = ({ run, clock, signal, onProgress }: RunAgentOptions) => ({
  run,
  clock: clock ?? systemClock,
  signal,
  onProgress,
});

export interface AskModelOptions {
  /** What was wrong with the first answer. */
  readonly finding?: string;
  readonly history?: readonly ModelMessage[];
  /** Tools. */
  readonly offered?: readonly AgentTool[];
  readonly count: Count;
}

/** One call of the model. An answer that can't be read is a finding the first time, and an error the second. */
export async function askModel(
  options: RunAgentOptions,
  { finding, history = [], offered = [], count }: AskModelOptions,
): Promise<Draft> {
  const data = agentTask(
    options,
    finding ?? options.finding,
    offered.map(({ spec }) => spec),
  );
  try {
    const reply = await callModel(options.model, {
      data,
      messages: messagesOf(agentPrompt(data, options.agent.instructions), history, finding),
      tools: [...agentTools(data), ...offered.map(offerOf)],
      agent: options.agent.agentId,
      signal: options.signal,
      timeoutMs: options.timeoutMs,
      // Words of a second try would be said twice.
      onText: finding === undefined ? options.onText : undefined,
      onProgress: options.onProgress,
      ...(options.clock ? { clock: options.clock } : {}),
    });
    count(reply.usage);
    return withGraphql(draftOf(reply), options.agent);
  } catch (error) {
    if (!isFolkmootError(error, 'FOLKMOOT_MODEL_UNREADABLE') || finding !== undefined) throw error;
    count({ ...emptyUsage, modelCalls: 1 });
    return { message: '', calls: [], questions: [], refusals: [], findings: ['The answer was empty or not readable.'] };
  }
}

/** What was wrong with an answer stands behind all that came before it. */
function messagesOf(
  prompt: readonly ModelMessage[],
  history: readonly ModelMessage[],
  finding: string | undefined,
): ModelMessage[] {
  if (!history.length || finding === undefined) return [...prompt, ...history];
  return [...prompt, ...history, { role: 'user', text: `Your last answer had mistakes: ${finding}` }];
}

const offerOf = ({ spec, schema, result }: AgentTool) => ({
  name: spec.name,
  description: [spec.description, result && `Gives ${result}.`].filter(Boolean).join('. ').replace('..', '.'),
  schema: schema ?? toToolSchema(spec),
});
