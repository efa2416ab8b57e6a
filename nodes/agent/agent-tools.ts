/** The tools and the memory that an agent's asks output reaches at this moment, and how it asks them (contracts.md 4). */
import type { ToolSelection } from '../../engine/agent/offered-tools.ts';
import type { ToolUse } from '../../engine/agent/first-draft.ts';
import type { ToolOutcome } from '../../engine/agent/tool-turns.ts';
import { asError } from '../../engine/errors.ts';
import type { FunctionSpec } from '../../engine/language/function-spec.ts';
import { limits } from '../../engine/limits.ts';
import { memoryAskOf, memoryFunctions } from '../../engine/memory/memory-functions.ts';
import { nothingRecalled } from '../../engine/memory/memory-words.ts';
import type { AskAnswer, Moot, Parameters } from '../../engine/moot.ts';
import { createEffectLedger } from '../../engine/people/effects.ts';
import type { AgentTool, ToolArguments } from '../../engine/tools/agent-tool.ts';
import { carefulTool } from '../../engine/tools/careful-tool.ts';
import { withBorrowedWords } from '../../engine/tools/borrowed-words.ts';
import { specOfTool, type ToolCard } from '../../engine/tools/tool-card.ts';
import { resultSentence, resultText } from '../../engine/tools/tool-result.ts';
import type { Backbone } from '../backbone/lease.ts';
import { heldBack } from '../backbone/reporting.ts';
import { languageOf } from '../language/language.ts';
import { usualEmbed, usualSimilarity } from '../memory-store/usual-embed.ts';
import { ask, type AskOptions } from '../shared/ask.ts';
import { turnsOf } from '../shared/conversations.ts';
import { checkpointerOf } from '../shared/make-runner.ts';
import { processClock } from '../shared/process.ts';
import { mayActIn } from '../shared/shared-work.ts';
import type { Red, RedNode } from '../shared/red.ts';
import { reach } from '../shared/walk.ts';
import type { AgentKit } from './agent.ts';

const asksPort = 3;

/** For whom and in which run tools are asked. */
export interface ToolAsker {
  /** The ask that the agent answers. */
  readonly id: string;
  readonly run: string;
  readonly moot: Moot;
  readonly topic?: unknown;
  readonly backbone?: Backbone | undefined;
}

/** A function that only reads tells more of itself in the language than its tool does: other words, above all. */
function specFor(card: ToolCard, functions: readonly FunctionSpec[]): FunctionSpec {
  const known = functions.find(({ name, risk }) => risk === 'read' && name.toLowerCase() === card.name.toLowerCase());
  return known ?? specOfTool(card);
}

function functionsOf(RED: Red, language: string): readonly FunctionSpec[] {
  try {
    return languageOf(RED, language)?.functions ?? [];
  } catch {
    // Told where the agent is asked.
    return [];
  }
}

interface Reached {
  readonly tools: readonly { readonly nodeId: string; readonly card: ToolCard; readonly spec: FunctionSpec }[];
  /** Node id. */
  readonly memory: string | undefined;
}

function reachedBy(RED: Red, node: RedNode, language: string): Reached {
  const functions = functionsOf(RED, language);
  const cards = [...reach<ToolCard | readonly ToolCard[]>(RED, node, asksPort, 'tool').values()].flat();
  const tools = cards.map((card) => ({
    nodeId: card.nodeId,
    card,
    spec: withBorrowedWords(specFor(card, functions), functions),
  }));
  const [memory] = reach<unknown>(RED, node, asksPort, 'memory').keys();
  return { tools, memory };
}

/** What an agent may use at this moment, for its card. The first of a name counts. */
export function toolSpecs(RED: Red, node: RedNode, language: string): readonly FunctionSpec[] {
  const { tools, memory } = reachedBy(RED, node, language);
  const all = [...tools.map(({ spec }) => spec), ...(memory === undefined ? [] : memoryFunctions)];
  return all.filter((spec, at) => all.findIndex(({ name }) => name.toLowerCase() === spec.name.toLowerCase()) === at);
}

export function toolUse(kit: AgentKit, asker: ToolAsker, agentId: string): ToolUse {
  const { backbone } = asker;
  return {
    askId: asker.id,
    owner: kit.id,
    reached: () => agentTools(kit, asker),
    selection: selectionOf(kit.config),
    mayAct: () => mayActIn(asker.run, kit.signal),
    ...(backbone
      ? {
          checkpointer: checkpointerOf(backbone),
          effects: createEffectLedger(backbone.store, processClock),
          heldBack: () => heldBack(backbone),
          record: (outcome) => record(backbone, asker, agentId, outcome),
        }
      : {}),
  };
}

/** Similar by wording: a memory's own embedding is not an agent's to use. */
const selectionOf = ({ toolChoice, toolCount }: AgentKit['config']): ToolSelection => ({
  choice: toolChoice,
  most: toolCount,
  ...(toolChoice === 'semantic' ? { embed: usualEmbed(), threshold: usualSimilarity } : {}),
});

function agentTools(kit: AgentKit, asker: ToolAsker): AgentTool[] {
  const { tools, memory } = reachedBy(kit.RED, kit.node, kit.config.language);
  const flows = tools.map(({ nodeId, card, spec }): AgentTool =>
    careful(kit, asker, card, {
      spec,
      ...(card.schema ? { schema: card.schema } : {}),
      ...(card.result ? { result: card.result } : {}),
      ...(card.runWithoutAsking ? { runWithoutAsking: true } : {}),
      mark: 't',
      said: (given, result) => resultSentence(card, given, result),
      ask: (id, payload, signal) =>
        askOne(kit, asker, {
          id,
          to: nodeId,
          kind: 'tool',
          payload,
          deadlineMs: card.timeoutMs,
          name: card.name,
          signal,
        }),
    }),
  );
  if (memory === undefined) return flows;
  const kept = memoryFunctions.map((spec): AgentTool => ({
    spec,
    mark: 'm',
    isNothing: (result) => result === nothingRecalled,
    said: (_given, result) => (typeof result === 'string' ? result : resultSentence({ parameters: [] }, {}, result)),
    ask: (id, given, signal) => {
      const call = memoryAskOf({ function: spec.name, parameters: given as Parameters });
      const payload = call && asker.moot.confirmed ? { ...call, confirmed: true } : call;
      const deadlineMs = limits.memoryDeadlineMs;
      return askOne(kit, asker, { id, to: memory, kind: 'memory', payload, deadlineMs, name: spec.name, signal });
    },
  }));
  return [...flows, ...kept];
}

const careful = (kit: AgentKit, { backbone }: ToolAsker, card: ToolCard, tool: AgentTool): AgentTool =>
  carefulTool(tool, {
    ...{ clock: processClock, owner: card.nodeId, retries: card.retries ?? 0, keptMs: card.keptMs ?? 0 },
    store: backbone?.store,
    problem: (error) => kit.warn(`What "${card.name}" answered could not be kept or found: ${asError(error).message}`),
  });

type OneAsk = Pick<AskOptions, 'id' | 'to' | 'kind' | 'payload' | 'deadlineMs'> & {
  readonly name: string;
  readonly signal: AbortSignal | undefined;
};

function askOne(kit: AgentKit, { run, moot, topic }: ToolAsker, { signal, ...one }: OneAsk): Promise<AskAnswer> {
  const { conversation, user, depth = 0, tainted } = moot;
  return ask({
    ...one,
    RED: kit.RED,
    asker: kit.node,
    port: asksPort,
    topic,
    moot: {
      v: 1,
      run,
      depth,
      ...(conversation ? { conversation } : {}),
      ...(user ? { user } : {}),
      ...(tainted ? { tainted } : {}),
    },
    signal: AbortSignal.any([...(signal ? [signal] : []), kit.signal]),
    onNotTaken: () =>
      kit.warn(`"${one.name}" did not get what it was asked: a node on its “may ask” wire dropped or delays it.`),
  });
}

/** A call and its result as A.M.I.C.A.'s agents keep them (seed-contracts.md A7). */
async function record(
  backbone: Backbone,
  { id, run, moot }: ToolAsker,
  agentId: string,
  { n, name, given, text }: ToolOutcome,
): Promise<void> {
  if (!moot.conversation) return;
  const call = { id: `${id}/${n}`, toolName: name };
  await turnsOf(backbone).add(run, moot.conversation, [
    {
      messageType: 'AGENT_MESSAGE',
      source: agentId,
      executionRequests: [{ ...call, toolArguments: JSON.stringify(given satisfies ToolArguments) }],
    },
    { messageType: 'TOOL_EXECUTION', source: name, text: resultText(text), executionRequests: [call] },
  ]);
}
