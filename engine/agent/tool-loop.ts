/**
 * The rounds of an agent with tools, a LangGraph graph of two nodes: the model answers, its tool calls are carried out side
 * by side, and so on until it calls none. The thread is the ask's id, so after a crash finished calls are not made again.
 */
import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { ModelMessage } from '../model/call.ts';
import { addUsage, emptyUsage } from '../model/usage.ts';
import type { Usage } from '../moot.ts';
import { packThread } from '../store/checkpointer.ts';
import { outside } from '../plan/outside.ts';
import { carryOut } from './carry-out.ts';
import type { CarryOut } from './carry-out.ts';
import type { Draft } from './draft.ts';
import { draftOfTurns, dueCalls, historyOf, idleTurns, turnOf } from './tool-turns.ts';
import type { PlannedCall, ToolOutcome, Turn } from './tool-turns.ts';

export interface ToolLoopOptions {
  readonly work: CarryOut;
  /** Loaded when it is needed. Absent: rounds are not kept. */
  readonly checkpointer?: (() => Promise<BaseCheckpointSaver>) | undefined;
  /** Whether this name is carried out now instead of being proposed. */
  readonly isTool: (name: string) => boolean;
  /** Asks the model. @param isLast No tools are offered any more. */
  readonly askModel: (history: readonly ModelMessage[], isLast: boolean) => Promise<{ draft: Draft; usage: Usage }>;
  /** Before each round but the first: throws when no more may be spent. `partial`: what tools said so far. */
  readonly check?: (spent: Usage, partial: string) => void;
  /** A model that can't make words of results: what tools say is the answer. */
  readonly isOneRound: boolean;
}

export interface ToolLoopResult {
  readonly draft: Draft;
  readonly outcomes: readonly ToolOutcome[];
  /** For one more call of the model. */
  readonly history: readonly ModelMessage[];
  readonly usage: Usage;
}

interface LoopState {
  readonly turns: readonly Turn[];
  readonly outcomes: readonly ToolOutcome[];
  readonly spent: Usage;
}

/** Two graph steps a round; above our own limit, so that ours speaks first. */
const recursionLimit = 2 * limits.toolRounds + 10;

/** Rejects with FOLKMOOT_LIMIT when it goes on too long or in a circle, and with whatever `askModel` throws. */
export async function runToolLoop(options: ToolLoopOptions): Promise<ToolLoopResult> {
  const graph = await loopGraph(options);
  const { signal } = options.work;
  const thread = { configurable: { thread_id: options.work.askId } };
  const run = (input: Partial<LoopState> | null) =>
    graph.invoke(input, { ...thread, ...(signal ? { signal } : {}), durability: 'sync', recursionLimit });
  // From outside, so that a run begun from inside of another graph is nobody's child (asks.md 5).
  const state = await outside(async () => {
    const saved = options.checkpointer ? await graph.getState(thread) : undefined;
    if (!saved?.createdAt) return run({ turns: [] });
    return saved.next.length ? run(null) : (saved.values as LoopState);
  });
  const checkpointer = await options.checkpointer?.();
  if (checkpointer) await packThread(checkpointer, options.work.askId);
  const outcomes = [...state.outcomes].sort((a, b) => a.n - b.n);
  const draft = draftOfTurns(state.turns);
  const usage = { ...state.spent, toolCalls: state.spent.toolCalls + outcomes.length };
  return { draft, outcomes, history: historyOf(state.turns, outcomes), usage };
}

async function loopGraph(options: ToolLoopOptions) {
  const { Annotation, StateGraph, Send, START, END } = await import('@langchain/langgraph');
  const list = <T>() =>
    Annotation<readonly T[]>({ reducer: (before, more) => [...before, ...more], default: () => [] });
  const state = Annotation.Root({
    turns: list<Turn>(),
    outcomes: list<ToolOutcome>(),
    spent: Annotation<Usage>({ reducer: addUsage, default: () => emptyUsage }),
  });
  const checkpointer = await options.checkpointer?.();
  return new StateGraph(state)
    .addNode('model', (now) => nextTurn(now, options))
    .addNode('tool', async (call) => ({
      // `Send` gives a call its own input in place of the state.
      outcomes: [await outside(() => carryOut(call as unknown as PlannedCall, options.work))],
    }))
    .addEdge(START, 'model')
    .addConditionalEdges(
      'model',
      ({ turns }) => {
        const due = dueCalls(turns.at(-1));
        if (due.length) return due.map((call) => new Send('tool', call));
        return turns.at(-1)?.tools.length && !options.isOneRound ? 'model' : END;
      },
      ['tool', 'model', END],
    )
    .addConditionalEdges('tool', () => (options.isOneRound ? END : 'model'), ['model', END])
    .compile(checkpointer ? { checkpointer } : {});
}

const saidSoFar = (outcomes: readonly ToolOutcome[]): string =>
  outcomes
    .filter(({ status }) => status === 'answered')
    .map(({ said }) => said)
    .join(' ');

async function nextTurn({ turns, outcomes, spent }: LoopState, options: ToolLoopOptions): Promise<Partial<LoopState>> {
  const round = turns.length + 1;
  if (idleTurns(turns) > limits.toolRepeats)
    throw folkmootError('FOLKMOOT_LIMIT', 'The model asked its tools the same again and again.');
  if (round > limits.toolRounds)
    throw folkmootError('FOLKMOOT_LIMIT', `The model used tools in more than ${limits.toolRounds - 1} rounds.`);
  if (turns.length > 0) options.check?.({ ...spent, toolCalls: outcomes.length }, saidSoFar(outcomes));
  const history = historyOf(turns, outcomes);
  const { draft, usage } = await outside(() => options.askModel(history, round === limits.toolRounds));
  return { turns: [turnOf(draft, turns, options.isTool)], spent: usage };
}
