/** Runs debates: each from its question to its one result (contracts.md 3), over the debate's graph. */
import { asError, isFolkmootError } from '../errors.ts';
import { emptyUsage } from '../model/usage.ts';
import type { Outcome, Verdict } from '../moot.ts';
import type { Checkpointer } from '../plan/plan-state.ts';
import type { RunEnd, RunRequest } from '../plan/run-request.ts';
import type { RunningRequest } from '../plan/run-result.ts';
import { createRuns } from '../plan/runs.ts';
import type { Runs, RunsOptions, WorkedRun } from '../plan/runs.ts';
import { packThread } from '../store/checkpointer.ts';
import { debateGraph } from './debate-graph.ts';
import type { DebateGraph } from './debate-graph.ts';
import { decidedMutations } from './debate-nodes.ts';
import type { DebatePorts } from './debate-ports.ts';
import type { DebateState } from './debate-state.ts';
import { texts } from './words.ts';

/** `done` with a verdict; `undecided`, also with one; else without. Its mutations are what was decided, and nothing else. */
export interface DebateResult extends RunEnd {
  readonly verdict?: Verdict;
}

export interface DebatesOptions
  extends RunsOptions<DebateResult>, Pick<DebatePorts, 'team' | 'ask' | 'rules' | 'model'> {
  /** Called at the first debate; the same one every time. */
  readonly checkpointer: () => Promise<Checkpointer>;
}

export interface Debates extends Runs<DebateResult> {
  graph(): Promise<DebateGraph>;
}

export function createDebates(options: DebatesOptions): Debates {
  const graph = async () => debateGraph(await options.checkpointer());
  const { team, ask, rules, model, clock } = options;

  async function perform({ request, resumed, signal, emit }: WorkedRun): Promise<DebateResult> {
    const made = await graph();
    const saved = resumed ? await made.saved(request.run) : undefined;
    if (saved?.ending) return resultOf(request, saved);
    signal.throwIfAborted();
    const ports: DebatePorts = { team, ask, rules, model, clock, signal, emit };
    return resultOf(request, await made.invoke(request.run, saved ? null : withoutCarry(request), ports));
  }

  const runs = createRuns<DebateResult, DebateState>(options, {
    perform,
    saved: async (run) => (await graph()).saved(run),
    failed: failedResult,
    stopped: (request, stop, saved, reason) =>
      endedResult(request, saved, {
        outcome: stop === 'timeout' ? 'timeout' : 'cancelled',
        reason: stop === 'overlap' ? 'overlap' : (reason ?? texts[stop]),
        payload: texts[stop],
      }),
    afterEnd: async (run) => packThread(await options.checkpointer(), run),
    tooDeep: (request) => ({
      ...endedResult(request, undefined, { outcome: 'refused', payload: texts.tooDeep }),
      error: { code: 'FOLKMOOT_TOO_DEEP', message: `Run ${request.run} is the ${request.depth ?? 0}th in a row.` },
    }),
  });
  return {
    ...runs,
    get open() {
      return runs.open;
    },
    graph,
  };
}

/** What the owner carries is kept in the records, not once more in every saved state. */
const withoutCarry = ({ carry: _carry, ...request }: RunningRequest): RunRequest => request;

function resultOf(request: RunningRequest, state: DebateState): DebateResult {
  const { outcome, reason, payload, error } = state.ending ?? { outcome: 'failed' as const, payload: texts.failed };
  return {
    ...endedResult(request, state, { outcome, payload, ...(reason ? { reason } : {}) }),
    mutations: outcome === 'done' ? decidedMutations(state) : [],
    ...(state.verdict ? { verdict: state.verdict } : {}),
    ...(error ? { error } : {}),
  };
}

function endedResult(
  request: RunningRequest,
  state: DebateState | undefined,
  ending: { readonly outcome: Outcome; readonly reason?: string; readonly payload: string },
): DebateResult {
  return { run: request.run, request, ...ending, mutations: [], usage: state?.usage ?? emptyUsage };
}

const outcomes: Readonly<Record<string, Outcome>> = { FOLKMOOT_DEADLINE: 'timeout', FOLKMOOT_LIMIT: 'limit' };

/** Something was thrown that no debater caused: the judge's model, or saving. */
function failedResult(request: RunningRequest, thrown: unknown, saved: DebateState | undefined): DebateResult {
  const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_RUN_FAILED';
  const outcome = outcomes[code] ?? 'failed';
  const payload = code.startsWith('FOLKMOOT_MODEL')
    ? texts.noJudgement
    : outcome === 'timeout'
      ? texts.timeout
      : texts.failed;
  return { ...endedResult(request, saved, { outcome, payload }), error: { code, message: asError(thrown).message } };
}
