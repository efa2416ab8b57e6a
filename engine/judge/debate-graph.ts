/**
 * The debate as a LangGraph graph: opening → speak (one `Send` for each debater) → weigh → speak … → decide. Compiled once
 * for each checkpointer; what a run needs from outside travels in its configuration. Saved after every round, and within
 * a round whoever spoke is not asked again.
 */
import type { LangGraphRunnableConfig, StateSnapshot } from '@langchain/langgraph';
import { outside } from '../plan/outside.ts';
import type { Checkpointer } from '../plan/plan-state.ts';
import type { RunRequest } from '../plan/run-request.ts';
import { decide, opening, speak, turns, weigh } from './debate-nodes.ts';
import type { TurnInput } from './debate-nodes.ts';
import type { DebatePorts } from './debate-ports.ts';
import { debateAnnotation } from './debate-state.ts';
import type { DebateState } from './debate-state.ts';

export interface DebateGraph {
  /** Runs to the end. `request` null goes on from what was saved. Rejects with the reason of `ports.signal` when it aborts. */
  invoke(run: string, request: RunRequest | null, ports: DebatePorts): Promise<DebateState>;
  /** What was saved of a run; `undefined`: nothing. */
  saved(run: string): Promise<DebateState | undefined>;
  /** Every saved state of a run, newest first. */
  history(run: string): AsyncIterableIterator<StateSnapshot>;
}

/** Two for each round and the ends; above the most rounds, so that our own limits speak first. */
const recursionLimit = 100;

const graphs = new WeakMap<Checkpointer, Promise<DebateGraph>>();

/** The graph over a checkpointer: compiled at its first use, the same one afterwards. */
export function debateGraph(checkpointer: Checkpointer): Promise<DebateGraph> {
  const made = graphs.get(checkpointer) ?? compile(checkpointer);
  graphs.set(checkpointer, made);
  return made;
}

async function compile(checkpointer: Checkpointer): Promise<DebateGraph> {
  const { StateGraph, Send, START, END } = await import('@langchain/langgraph');
  const round = (state: DebateState) => {
    const asked = turns(state).map((input) => new Send('speak', input));
    // Nobody is left who could be asked: that is found when it is weighed.
    return asked.length > 0 ? asked : 'weigh';
  };
  const graph = new StateGraph(await debateAnnotation())
    .addNode('opening', (state, config) => opening(state, portsOf(config)))
    .addNode('speak', (input, config) =>
      // `Send` gives a debater its own input in place of the state.
      speak(input as unknown as TurnInput, runOf(config), portsOf(config)),
    )
    .addNode('weigh', (state, config) => weigh(state, portsOf(config)))
    .addNode('decide', (state, config) => decide(state, portsOf(config)))
    .addEdge(START, 'opening')
    .addConditionalEdges('opening', (state) => (state.ending ? END : round(state)), ['speak', 'weigh', END])
    .addEdge('speak', 'weigh')
    .addConditionalEdges('weigh', (state) => (state.ending ? END : state.ended ? 'decide' : round(state)), [
      'speak',
      'weigh',
      'decide',
      END,
    ])
    .addEdge('decide', END)
    .compile({ checkpointer });
  const threadOf = (run: string) => ({ configurable: { thread_id: run } });
  return {
    invoke: (run, request, ports) =>
      // From outside, so that a debate begun from inside of another graph is nobody's child.
      outside(() =>
        graph.invoke(request ? { request } : null, {
          configurable: { thread_id: run, ports },
          signal: ports.signal,
          durability: 'sync',
          recursionLimit,
        }),
      ),
    saved: async (run) => {
      const snapshot = await outside(() => graph.getState(threadOf(run)));
      return snapshot.createdAt ? (snapshot.values as DebateState) : undefined;
    },
    history: (run) => outside(() => graph.getStateHistory(threadOf(run))),
  };
}

const portsOf = (config: LangGraphRunnableConfig): DebatePorts => config.configurable?.['ports'] as DebatePorts;
const runOf = (config: LangGraphRunnableConfig): string => String(config.configurable?.['thread_id']);
