/** Runs requests by the plan's graph: each from its start to its one result (contracts.md 3). */
import type { PendingQuestion } from '../model/model.ts';
import { packThread } from '../store/checkpointer.ts';
import type { TeamMember } from '../router/team.ts';
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
  extends RunsOptions<RunResult>, Pick<RunPorts, 'team' | 'call' | 'ask' | 'routerDescription' | 'history'> {
  /** Called at the first run; the same one every time. */
  readonly checkpointer: () => Promise<Checkpointer>;
  readonly questions?: Pick<OpenQuestions, 'open' | 'take'>;
}

export interface Runner extends Runs<RunResult> {
  graph(): Promise<PlanGraph>;
}

export function createRunner(options: RunnerOptions): Runner {
  const graph = async () => planGraph(await options.checkpointer());
  /** What the person is asked at the end of a run. */
  const asked = new Map<string, PendingQuestion>();

  function portsOf({ signal, emit }: WorkedRun): RunPorts {
    const { team, call, ask, routerDescription, history, questions } = options;
    return {
      ...{ team, call, ask, signal, emit },
      ...(routerDescription === undefined ? {} : { routerDescription }),
      ...(history ? { history } : {}),
      ...(questions ? { takeQuestion: (request) => questions.take(request) } : {}),
    };
  }

  async function perform(run: WorkedRun): Promise<RunResult> {
    const { request } = run;
    const made = await graph();
    const saved = run.resumed ? await made.saved(request.run) : undefined;
    if (saved?.state.ending) return ended(request, saved.state);
    const durability = durabilityOf(await options.team());
    run.signal.throwIfAborted();
    const state = await made.invoke(request.run, saved ? null : withoutCarry(request), portsOf(run), durability);
    return ended(request, state);
  }

  function ended(request: RunningRequest, state: PlanState): RunResult {
    const question = openQuestion(state);
    if (question) asked.set(request.run, question);
    return finalResult(request, state);
  }

  const runs = createRuns<RunResult, PlanState>(options, {
    perform,
    saved: async (run) => (await (await graph()).saved(run))?.state,
    failed: failedResult,
    stopped: stoppedResult,
    tooDeep: tooDeepResult,
    async beforeDelivery({ run, request }) {
      const question = asked.get(run);
      asked.delete(run);
      if (question) await options.questions?.open({ ...request, run }, question);
    },
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
