/** Runs requests by the plan's graph: each from its start to its one result (contracts.md 3). */
import { packThread } from '../store/checkpointer.ts';
import type { TeamMember } from '../router/team.ts';
import { createApprovals } from './approvals.ts';
import type { ApprovalOptions } from './approvals.ts';
import { specsOf } from '../router/dependencies.ts';
import { outside } from './outside.ts';
import { withoutOvertaken } from './overtaken.ts';
import { planGraph } from './plan-graph.ts';
import type { Durability, PlanGraph } from './plan-graph.ts';
import type { Checkpointer, PlanState } from './plan-state.ts';
import type { OpenQuestions, RunPorts } from './run-ports.ts';
import type { RunRequest, RunResult } from './run-request.ts';
import { failedResult, finalResult, openQuestion, stoppedResult, tooDeepResult } from './run-result.ts';
import type { RunningRequest } from './run-result.ts';
import { createRuns } from './runs.ts';
import type { Runs, RunsOptions, WorkedRun } from './runs.ts';

export interface RunnerOptions
  extends
    RunsOptions<RunResult>,
    Pick<
      RunPorts,
      'team' | 'call' | 'tier' | 'ask' | 'routerDescription' | 'history' | 'isHandled' | 'evaluates' | 'limits'
    > {
  /** Called at the first run; the same one every time. */
  readonly checkpointer: () => Promise<Checkpointer>;
  readonly questions?: Pick<OpenQuestions, 'open' | 'take'>;
  /** Whether a person is asked in between, and where what waits is kept. Default: nobody is. */
  readonly approvals?: ApprovalOptions;
}

export interface Runner extends Runs<RunResult> {
  graph(): Promise<PlanGraph>;
}

export function createRunner(options: RunnerOptions): Runner {
  const graph = async () => planGraph(await options.checkpointer());
  /** How runs ended whose results are not delivered yet. */
  const ends = new Map<string, { readonly state: PlanState; readonly emit: RunPorts['emit'] }>();
  const approvals =
    options.approvals &&
    createApprovals({
      ...options.approvals,
      clock: options.clock,
      isOpen: async (run) => runs.open.includes(run) || (await options.records?.find(run)) !== undefined,
    });

  function portsOf({ signal, emit }: WorkedRun): RunPorts {
    const {
      team,
      call,
      tier,
      ask,
      routerDescription,
      history,
      questions,
      isHandled,
      limits,
      evaluates = true,
    } = options;
    return {
      ...{ team, call, tier, ask, signal, emit, evaluates },
      ...(isHandled ? { isHandled } : {}),
      ...(limits ? { limits } : {}),
      ...(routerDescription === undefined ? {} : { routerDescription }),
      ...(history ? { history } : {}),
      ...(questions ? { takeQuestion: (request) => questions.take(request) } : {}),
      ...(approvals ? { approvals } : {}),
    };
  }

  async function perform(run: WorkedRun): Promise<RunResult> {
    const { request } = run;
    const made = await graph();
    const saved = run.resumed ? await made.saved(request.run) : undefined;
    if (saved?.state.ending) return ended(run, saved.state);
    const durability = durabilityOf(await options.team());
    run.signal.throwIfAborted();
    const state = await made.invoke(request.run, saved ? null : withoutCarry(request), portsOf(run), durability);
    return ended(run, state);
  }

  function ended({ request, emit }: WorkedRun, state: PlanState): RunResult {
    ends.set(request.run, { state, emit });
    return finalResult(request, state);
  }

  async function settle({ run, request, outcome }: RunResult): Promise<void> {
    const end = ends.get(run);
    ends.delete(run);
    if (!end) return;
    const { state, emit } = end;
    await approvals?.settle({ state: { ...state, request: { ...state.request, run } }, outcome, emit });
    // What waits keeps its questions with it: a yes would not be clear otherwise.
    const question = state.waits || state.leg?.keeps ? undefined : openQuestion(state);
    if (question) await options.questions?.open({ ...request, run }, question);
  }

  const runs = createRuns<RunResult, PlanState>(options, {
    perform,
    saved: async (run) => (await (await graph()).saved(run))?.state,
    failed: failedResult,
    stopped: stoppedResult,
    tooDeep: tooDeepResult,
    withoutOvertaken: async (result, meanwhile) =>
      withoutOvertaken(result, meanwhile, specsOf(await outside(() => options.team()))),
    beforeDelivery: settle,
    afterEnd: async (run) => packThread(await options.checkpointer(), run),
  });
  return {
    ...runs,
    get open() {
      return runs.open;
    },
    graph,
  };
}

/** `exit` saves only at the end: enough when nothing but reading can happen. */
const durabilityOf = (team: readonly TeamMember[]): Durability => {
  const risks = team.flatMap(({ functions, generates }) =>
    functions.filter(({ name }) => generates.includes(name)).map(({ risk }) => risk),
  );
  return risks.every((risk) => risk === 'read') ? 'exit' : 'sync';
};

/** What the owner carries is kept in the records, not once more in every saved state. */
const withoutCarry = ({ carry: _carry, ...request }: RunningRequest): RunRequest => request;
