/**
 * The plan as a LangGraph graph (architecture.md 6): classify → makePlan → dispatch → step (one `Send` each for those whose
 * predecessors are done) → dispatch → … → finish. Compiled once for each checkpointer, never for a run: what a run needs
 * from outside travels in its configuration.
 */
import type { LangGraphRunnableConfig, StateSnapshot } from '@langchain/langgraph';
import { outside } from './outside.ts';
import { boardView } from './board-view.ts';
import { specsOf } from '../router/dependencies.ts';
import { stepsToAskAgain } from './evaluate.ts';
import type { AskedAgain } from './evaluate.ts';
import { limitReached } from './limit-reached.ts';
import { classify, dispatch, finish, plan, readySteps, step } from './plan-nodes.ts';
import type { StepInput } from './plan-nodes.ts';
import { planAnnotation } from './plan-state.ts';
import type { Checkpointer, PlanState } from './plan-state.ts';
import type { RunPorts } from './run-ports.ts';
import type { RunRequest } from './run-request.ts';
import { acts } from './waits.ts';

/** `sync` saves after every step; `exit` only at the end, for runs that can do nothing but read. */
export type Durability = 'sync' | 'exit';

export interface PlanGraph {
  /**
   * Runs to the end. `request` null goes on from what was saved. Rejects with the reason of `ports.signal` when it aborts.
   */
  invoke(run: string, request: RunRequest | null, ports: RunPorts, durability: Durability): Promise<PlanState>;
  /** What was saved of a run; `undefined`: nothing. `next` is empty when it came to its end. */
  saved(run: string): Promise<{ readonly state: PlanState; readonly next: readonly string[] } | undefined>;
  /** Every saved state of a run, newest first: LangGraph's own state history. */
  history(run: string): AsyncIterableIterator<StateSnapshot>;
}

/** Above the waves of the longest plan, so that our own limits speak first. */
const recursionLimit = 200;

const graphs = new WeakMap<Checkpointer, Promise<PlanGraph>>();

/** The graph over a checkpointer: compiled at its first use, the same one afterwards. */
export function planGraph(checkpointer: Checkpointer): Promise<PlanGraph> {
  const known = graphs.get(checkpointer);
  if (known) return known;
  const made = compile(checkpointer);
  graphs.set(checkpointer, made);
  return made;
}

async function compile(checkpointer: Checkpointer): Promise<PlanGraph> {
  const { StateGraph, Send, START, END } = await import('@langchain/langgraph');
  const route = async (state: PlanState, config: LangGraphRunnableConfig) => {
    const ready = readySteps(state);
    const ports = portsOf(config);
    if (ready.length === 0 && state.mutations.length === 0) return 'finish';
    if (limitReached(state, ports)) return 'finish';
    const team = await outside(() => ports.team());
    const specs = specsOf(team);
    const isOver = ready.length === 0 || isGroupOver(state, specs);
    const { isHandled } = ports;
    const again = isOver && ports.evaluates !== false ? stepsToAskAgain(state, { specs, isHandled }) : [];
    if (isOver && again.length === 0) return 'finish';
    const { board: before = [], approved = [] } = state.leg ?? {};
    const board = [...(state.request.mutations ?? []), ...before, ...approved, ...state.mutations];
    const asked: readonly (AskedAgain | Omit<AskedAgain, 'finding'>)[] = again.length ? again : ready;
    return asked.map(({ step: one, index, ...why }) => {
      const accepts = team.find(({ agentId }) => agentId === one.agent)?.accepts ?? [];
      const input: StepInput = {
        step: one,
        index,
        count: state.plan.steps.length,
        request: state.request,
        // What it brought itself is no longer there when it is asked again.
        mutations: boardView(
          board.filter(({ run, step: of }) => run === undefined || of !== one.id),
          accepts,
        ),
        ...why,
      };
      return new Send('step', input);
    });
  };
  const graph = new StateGraph(await planAnnotation())
    .addNode('classify', (state, config) => classify(state, runOf(config), portsOf(config)))
    .addNode('makePlan', (state, config) => plan(state, portsOf(config)))
    .addNode('dispatch', (state) => dispatch(state))
    .addNode('step', (input, config) =>
      // `Send` gives a step its own input in place of the state.
      step(input as unknown as StepInput, runOf(config), portsOf(config)),
    )
    .addNode('finish', (state, config) => finish(state, portsOf(config)))
    .addEdge(START, 'classify')
    .addConditionalEdges(
      'classify',
      (state) => (state.ending ? END : state.plan.steps.length === 0 ? 'makePlan' : afterPlan(state)),
      ['makePlan', 'dispatch', 'finish', END],
    )
    .addConditionalEdges('makePlan', (state) => (state.ending ? END : afterPlan(state)), ['dispatch', 'finish', END])
    .addConditionalEdges('dispatch', route, ['step', 'finish'])
    .addEdge('step', 'dispatch')
    .addEdge('finish', END)
    .compile({ checkpointer });
  const threadOf = (run: string) => ({ configurable: { thread_id: run } });
  return {
    invoke: (run, request, ports, durability) =>
      // From outside, so that a run begun from inside of another graph is nobody's child.
      outside(() =>
        graph.invoke(request ? { request } : null, {
          configurable: { thread_id: run, ports },
          signal: ports.signal,
          durability,
          recursionLimit,
        }),
      ),
    saved: async (run) => {
      const snapshot = await outside(() => graph.getState(threadOf(run)));
      if (!snapshot.createdAt) return undefined;
      return { state: snapshot.values as PlanState, next: snapshot.next };
    },
    history: (run) => outside(() => graph.getStateHistory(threadOf(run))),
  };
}

/** A person sees a plan before any step of it. */
const afterPlan = ({ asks }: PlanState) => (asks.plan ? 'finish' : 'dispatch');

/** The commands of one group are shown before the next one is asked. */
const isGroupOver = ({ asks, mutations }: PlanState, specs: ReturnType<typeof specsOf>): boolean =>
  asks.commands && asks.byGroup && acts(mutations, specs);

const portsOf = (config: LangGraphRunnableConfig): RunPorts => config.configurable?.['ports'] as RunPorts;
const runOf = (config: LangGraphRunnableConfig): string => String(config.configurable?.['thread_id']);
