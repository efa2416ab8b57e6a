/**
 * Runs requests: each from its start to its one result (contracts.md 3), over the plan's graph. It keeps nothing that the
 * store doesn't, so that another process can go on where this one was stopped.
 */
import type { Clock } from '../clock.ts';
import { sleep } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { PendingQuestion } from '../model/model.ts';
import type { RunEvent } from '../moot.ts';
import type { TeamMember } from '../router/team.ts';
import { outside } from './outside.ts';
import { createOverlap } from './overlap.ts';
import type { OverlapMode } from './overlap.ts';
import { planGraph } from './plan-graph.ts';
import type { Durability, PlanGraph } from './plan-graph.ts';
import type { Checkpointer, PlanState } from './plan-state.ts';
import { createRunClock } from './run-clock.ts';
import type { RunClock } from './run-clock.ts';
import type { KeptRuns, OpenQuestions, RunPorts } from './run-ports.ts';
import type { RunRequest, RunResult } from './run-request.ts';
import { failedResult, finalResult, openQuestion, stoppedResult, tooDeepResult } from './run-result.ts';
import type { RunningRequest, Stop } from './run-result.ts';

export interface RunnerOptions extends Pick<RunPorts, 'team' | 'call' | 'ask' | 'routerDescription' | 'history'> {
  readonly clock: Clock;
  /** Called at the first run; the same one every time. */
  readonly checkpointer: () => Promise<Checkpointer>;
  readonly records?: KeptRuns;
  readonly questions?: OpenQuestions;
  /** Sends the result on. The run is ended in the records only afterwards, so that a crash in between sends it again. */
  readonly deliver?: (result: RunResult) => void | Promise<void>;
  readonly onEvent?: (event: RunEvent) => void;
  /** What fails beside a run: a listener, keeping a question. The run itself goes on. */
  readonly onProblem?: (problem: Error) => void;
  /** Default `limits.runDeadlineMs`. */
  readonly deadlineMs?: number;
  /** Default `queued`. */
  readonly overlap?: OverlapMode;
}

export interface Runner {
  /**
   * Runs a request to its one result; never rejects for what happens in the run. `undefined`: the runner was closed first;
   * the run stays open, to be resumed. A run that is going on already gives the same promise.
   */
  start(request: RunRequest): Promise<RunResult | undefined>;
  /** Goes on with a run that the records know to be open. Throws FOLKMOOT_BAD_INPUT for any other. */
  resume(run: string): Promise<RunResult | undefined>;
  /** Ends it as `cancelled`. False: it isn't running here. */
  cancel(run: string, reason?: string): boolean;
  /** A person is asked: the run's deadline stands still until `proceed`. */
  pause(run: string): void;
  proceed(run: string): void;
  /** Stops all without ending them, and waits until they settled, at most `limits.closeWaitMs`. */
  close(): Promise<void>;
  /** The ids of runs that go on or wait for their turn. */
  readonly open: readonly string[];
  graph(): Promise<PlanGraph>;
}

interface OpenRun {
  readonly request: RunningRequest;
  readonly resumed: boolean;
  readonly abort: AbortController;
  readonly time: RunClock;
  readonly ports: RunPorts;
  /** Settled when the run is in the records. */
  opened: Promise<void>;
  stop?: { readonly kind: Stop; readonly reason?: string };
  end: Promise<RunResult | undefined>;
  /** What the person is asked at its end. */
  question?: PendingQuestion | undefined;
}

export function createRunner(options: RunnerOptions): Runner {
  const { clock, records } = options;
  const runs = new Map<string, OpenRun>();
  let closed = false;
  const graph = async () => planGraph(await options.checkpointer());
  const problem = (thrown: unknown) => outside(() => options.onProblem?.(asError(thrown)));
  const overlap = createOverlap<OpenRun, RunResult | undefined>({
    mode: options.overlap ?? 'queued',
    work: (run, signal) => {
      signal.addEventListener('abort', () => stop(run, 'overlap'), { once: true });
      return work(run);
    },
  });

  function stop(run: OpenRun, kind: Stop, reason?: string): void {
    if (run.stop) return;
    run.stop = { kind, ...(reason ? { reason } : {}) };
    run.time.stop();
    run.abort.abort(
      folkmootError(kind === 'timeout' ? 'FOLKMOOT_DEADLINE' : 'FOLKMOOT_CANCELLED', 'The run was stopped.'),
    );
  }

  function begin(request: RunningRequest, startedAt: number, resumed: boolean): Promise<RunResult | undefined> {
    const abort = new AbortController();
    const run: OpenRun = {
      request,
      resumed,
      abort,
      time: createRunClock({
        clock,
        deadlineMs: options.deadlineMs ?? limits.runDeadlineMs,
        hardEndMs: Math.max(0, startedAt + limits.runHardEndMs - clock.now()),
        onEnd: () => stop(run, 'timeout'),
      }),
      ports: portsOf(request, abort.signal),
      opened: Promise.resolve(),
      end: Promise.resolve(undefined),
    };
    runs.set(request.run, run);
    if (!resumed && records) run.opened = records.open(request, startedAt);
    // Handled where it is awaited; a run that is dropped before must not end the process.
    run.opened.catch(() => undefined);
    run.end = settle(run);
    return run.end;
  }

  async function settle(run: OpenRun): Promise<RunResult | undefined> {
    try {
      const end = await overlap.push(run, run.abort.signal);
      if (end.dropped) stop(run, 'overlap');
      const result = end.dropped ? stopped(run, undefined) : end.value;
      if (result) await conclude(run, result);
      return result;
    } finally {
      run.time.stop();
      runs.delete(run.request.run);
    }
  }

  /** From the start to the result; never rejects. */
  async function work(run: OpenRun): Promise<RunResult | undefined> {
    const { request, ports } = run;
    let made: PlanGraph | undefined;
    try {
      await run.opened;
      ports.signal.throwIfAborted();
      if ((request.depth ?? 0) > limits.runDepth) return tooDeepResult(request);
      ports.emit('started', { text: request.text, resumed: run.resumed });
      made = await graph();
      const saved = run.resumed ? await made.saved(request.run) : undefined;
      if (saved?.state.ending) return ended(run, saved.state);
      const durability = durabilityOf(await options.team());
      ports.signal.throwIfAborted();
      const state = await made.invoke(request.run, saved ? null : withoutCarry(request), ports, durability);
      return ended(run, state);
    } catch (thrown) {
      const saved = await made?.saved(request.run).catch(() => undefined);
      return run.stop ? stopped(run, saved?.state) : failedResult(request, thrown, saved?.state);
    }
  }

  function ended(run: OpenRun, state: PlanState): RunResult {
    run.question = openQuestion(state);
    return finalResult(run.request, state);
  }

  function stopped({ request, stop: why }: OpenRun, state: PlanState | undefined): RunResult | undefined {
    const kind = why?.kind ?? 'cancelled';
    return kind === 'closing' ? undefined : stoppedResult(request, kind, state, why?.reason);
  }

  async function conclude(run: OpenRun, result: RunResult): Promise<void> {
    const { outcome, reason } = result;
    try {
      await run.opened.catch(() => undefined);
      if (run.question) await options.questions?.open(run.request, run.question);
    } catch (thrown) {
      problem(thrown);
    }
    try {
      await outside(() => options.deliver?.(result));
      await records?.end(result.run, { outcome, ...(reason ? { reason } : {}) });
    } catch (thrown) {
      problem(thrown);
    }
    run.ports.emit('ended', { outcome, ...(reason ? { reason } : {}), payload: result.payload });
  }

  function portsOf(request: RunningRequest, signal: AbortSignal): RunPorts {
    const { team, call, ask, routerDescription, history, questions } = options;
    return {
      ...{ team, call, ask, signal },
      ...(routerDescription === undefined ? {} : { routerDescription }),
      ...(history ? { history } : {}),
      ...(questions ? { takeQuestion: (asked) => questions.take(asked) } : {}),
      emit(kind, data, of) {
        const at = new Date(clock.now()).toISOString();
        try {
          outside(() => options.onEvent?.({ run: request.run, at, kind, ...of, data }));
        } catch (thrown) {
          problem(thrown);
        }
      },
    };
  }

  return {
    start(request) {
      const run = request.run ?? newId();
      const known = runs.get(run);
      if (known) return known.end;
      if (closed) return Promise.resolve(undefined);
      return begin({ ...request, run }, clock.now(), false);
    },
    async resume(run) {
      const known = runs.get(run);
      if (known) return known.end;
      const record = await records?.find(run);
      if (closed) return undefined;
      if (!record) throw folkmootError('FOLKMOOT_BAD_INPUT', `Run ${run} does not wait for anything.`);
      return runs.get(run)?.end ?? begin({ ...record.request, run }, record.startedAt, true);
    },
    cancel(run, reason) {
      const found = runs.get(run);
      if (found) stop(found, 'cancelled', reason);
      return found !== undefined;
    },
    pause: (run) => runs.get(run)?.time.pause(),
    proceed: (run) => runs.get(run)?.time.proceed(),
    async close() {
      closed = true;
      const ends = [...runs.values()].map((run) => {
        stop(run, 'closing');
        return run.end;
      });
      const waited = new AbortController();
      const limit = sleep(clock, limits.closeWaitMs, waited.signal).catch(() => undefined);
      await Promise.race([Promise.allSettled(ends), limit]);
      waited.abort();
    },
    get open() {
      return [...runs.keys()];
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
