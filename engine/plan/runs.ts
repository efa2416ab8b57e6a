/**
 * The life of runs, whatever they do (a plan, a debate): opened in the records, worked on in turn, stopped by deadline,
 * person or newer run, delivered once, ended. It keeps nothing that the store doesn't, so that another process can go on
 * where this one was stopped.
 */
import type { Clock } from '../clock.ts';
import { sleep } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { RunEvent } from '../moot.ts';
import { createHandingOver } from './handing-over.ts';
import type { Leaving } from './handing-over.ts';
import { lanesOf } from './lanes.ts';
import { outside } from './outside.ts';
import { createOverlap } from './overlap.ts';
import type { OverlapMode } from './overlap.ts';
import { createRunClock } from './run-clock.ts';
import type { RunClock } from './run-clock.ts';
import type { KeptRun, KeptRuns, RunPorts, SharedWork } from './run-ports.ts';
import { askedAt } from './run-request.ts';
import type { RunEnd, RunRequest } from './run-request.ts';
import type { RunningRequest, Stop } from './run-result.ts';

export interface RunsOptions<R extends RunEnd> {
  readonly clock: Clock;
  readonly records?: KeptRuns;
  /** Sends the result on. The run is ended in the records only afterwards, so that a crash in between sends it again. */
  readonly deliver?: (result: R) => void | Promise<void>;
  readonly onEvent?: (event: RunEvent) => void;
  /** Without it every run is ours. */
  readonly shared?: SharedWork;
  /** What fails beside a run: a listener, keeping a question. The run itself goes on. */
  readonly onProblem?: (problem: Error) => void;
  /** Default `limits.runDeadlineMs`. */
  readonly deadlineMs?: number;
  /** Default `queued`. */
  readonly overlap?: OverlapMode;
}

/** A run while it is worked on. */
export interface WorkedRun {
  readonly request: RunningRequest;
  readonly resumed: boolean;
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal;
  readonly emit: RunPorts['emit'];
}

/** What one kind of run does. `S`: what is saved of it. */
export interface RunKind<R extends RunEnd, S> {
  /** From the start to the result. May reject: then it ends as `failed` or `stopped` says. */
  perform(run: WorkedRun): Promise<R>;
  /** What is saved of it so far. */
  saved(run: string): Promise<S | undefined>;
  failed(request: RunningRequest, thrown: unknown, saved: S | undefined): R;
  stopped(request: RunningRequest, stop: Exclude<Stop, 'closing'>, saved: S | undefined, reason?: string): R;
  /** A run whose message came in a circle. */
  tooDeep(request: RunningRequest): R;
  /** The result without what later requests took back before it could leave. Absent: they never do. */
  readonly withoutOvertaken?: (result: R, meanwhile: Leaving['meanwhile']) => Promise<R>;
  /** Before the result is delivered; what it throws is a problem and nothing more. */
  beforeDelivery?(result: R): Promise<void>;
  /** After the run's end was told; what it throws is a problem and nothing more. */
  afterEnd?(run: string): Promise<void>;
}

export interface Runs<R extends RunEnd> {
  /**
   * Runs a request to its one result; never rejects for what happens in the run. `undefined`: the runner was closed first;
   * the run stays open, to be resumed. A run that is going on already gives the same promise.
   */
  start(request: RunRequest): Promise<R | undefined>;
  /**
   * Goes on with a run that the records know to be open. Throws FOLKMOOT_BAD_INPUT for any other. `record`: as the records
   * gave it just now; then it takes its turn at once.
   */
  resume(run: string, record?: KeptRun): Promise<R | undefined>;
  /** Ends it as `cancelled`. False: it isn't running here. */
  cancel(run: string, reason?: string): boolean;
  /** A person is asked: the run's deadline stands still until `proceed`. */
  pause(run: string): void;
  proceed(run: string): void;
  /** Stops all without ending them, and waits until they settled, at most `limits.closeWaitMs`. */
  close(): Promise<void>;
  /** The ids of runs that go on or wait for their turn. */
  readonly open: readonly string[];
}

interface OpenRun<R> extends WorkedRun, Leaving {
  readonly request: RunningRequest;
  readonly abort: AbortController;
  readonly time: RunClock;
  /** Settled when the run is in the records. */
  opened: Promise<void>;
  stop?: { readonly kind: Stop; readonly reason?: string };
  /** Why it is another's, in words. */
  left?: string | undefined;
  /** From the result to its delivery, where that belongs to its turn. */
  conclusion?: Promise<R | undefined>;
  end: Promise<R | undefined>;
}

type Kept = Omit<KeptRun, 'request'>;

const orderOf = ({ askedAt: asked }: Leaving) => asked;

const lanesOfRun = ({ request }: WorkedRun) => lanesOf(request);

export function createRuns<R extends RunEnd, S>(options: RunsOptions<R>, kind: RunKind<R, S>): Runs<R> {
  const { clock, records, overlap: mode = 'queued' } = options;
  const runs = new Map<string, OpenRun<R>>();
  const closing = new AbortController();
  const leftResult = ({ request, left }: OpenRun<R>): R => kind.stopped(request, 'cancelled', undefined, left);
  const isKept = () => closing.signal.aborted && records !== undefined;
  const problem = (thrown: unknown) => outside(() => options.onProblem?.(asError(thrown)));
  const handingOver = createHandingOver<R>({ runs, records, problem, without: kind.withoutOvertaken });
  const overlap = createOverlap<OpenRun<R>, R | undefined>({ mode, lanes: lanesOfRun, order: orderOf, work: takeTurn });

  function stop(run: OpenRun<R>, how: Stop, reason?: string): void {
    if (run.stop) return;
    run.stop = { kind: how, ...(reason ? { reason } : {}) };
    run.time.stop();
    run.abort.abort(
      folkmootError(how === 'timeout' ? 'FOLKMOOT_DEADLINE' : 'FOLKMOOT_CANCELLED', 'The run was stopped.'),
    );
  }

  function begin(
    request: RunningRequest,
    { startedAt, meanwhile = [] }: Kept,
    resumed: boolean,
  ): Promise<R | undefined> {
    const abort = new AbortController();
    const asked = askedAt({ request, startedAt });
    const run: OpenRun<R> = {
      ...{ request, askedAt: asked, meanwhile: [...meanwhile, ...handingOver.doneAfter(asked)] },
      resumed,
      abort,
      signal: abort.signal,
      emit: emitterOf(request.run),
      time: createRunClock({
        clock,
        deadlineMs: options.deadlineMs ?? limits.runDeadlineMs,
        hardEndMs: Math.max(0, startedAt + limits.runHardEndMs - clock.now()),
        onEnd: () => stop(run, 'timeout'),
      }),
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

  async function settle(run: OpenRun<R>): Promise<R | undefined> {
    try {
      const end = await overlap.push(run, run.signal);
      if (end.dropped) stop(run, 'overlap');
      return await (run.conclusion ?? conclude(run, end.dropped ? stopped(run, undefined) : end.value));
    } finally {
      run.time.stop();
      runs.delete(run.request.run);
    }
  }

  async function takeTurn(run: OpenRun<R>, signal: AbortSignal): Promise<R | undefined> {
    signal.addEventListener('abort', () => stop(run, 'overlap'), { once: true });
    const result = await work(run);
    // Then a turn lasts until the delivery: whoever is next may answer what this one asks.
    if (mode === 'queued' || mode === 'conversation') await (run.conclusion = conclude(run, result));
    return result;
  }

  /** From the start to the result; never rejects. */
  async function work(run: OpenRun<R>): Promise<R | undefined> {
    const { request } = run;
    try {
      await run.opened;
      run.signal.throwIfAborted();
      if ((request.depth ?? 0) > limits.runDepth) return kind.tooDeep(request);
      if (run.resumed && (run.left = await options.shared?.mayGoOn(request, run.signal))) return leftResult(run);
      run.emit('started', { text: request.text, resumed: run.resumed, ...originOf(request) });
      return await kind.perform(run);
    } catch (thrown) {
      const saved = await kind.saved(request.run).catch(() => undefined);
      return run.stop ? stopped(run, saved) : kind.failed(request, thrown, saved);
    }
  }

  function stopped({ request, stop: why }: OpenRun<R>, saved: S | undefined): R | undefined {
    const how = why?.kind ?? 'cancelled';
    return how === 'closing' ? undefined : kind.stopped(request, how, saved, why?.reason);
  }

  /** Nothing when the runner was closed first: nobody would get the result, so whoever goes on with the run delivers it. */
  async function conclude(run: OpenRun<R>, worked: R | undefined): Promise<R | undefined> {
    if (!worked) return undefined;
    try {
      await run.opened.catch(() => undefined);
      if (isKept()) return undefined;
      if (options.shared) run.left ??= await options.shared.mayAct(run.request, closing.signal);
      if (run.left === undefined) await kind.beforeDelivery?.(worked);
    } catch (thrown) {
      if (!isKept()) problem(thrown);
    }
    if (run.left !== undefined) return leave(run, leftResult(run));
    return handingOver.take(run, worked, (result) => leave(run, result));
  }

  async function leave(run: OpenRun<R>, result: R): Promise<R | undefined> {
    if (isKept()) return undefined;
    const { outcome, reason } = result;
    try {
      await outside(() =>
        run.left === undefined ? options.deliver?.(result) : options.shared?.left(result.run, run.request, run.left),
      );
      await records?.end(result.run, { outcome, ...(reason ? { reason } : {}) });
    } catch (thrown) {
      problem(thrown);
    }
    run.emit('ended', { outcome, ...(reason ? { reason } : {}), payload: result.payload });
    await kind.afterEnd?.(result.run).catch(problem);
    return result;
  }

  function emitterOf(run: string): RunPorts['emit'] {
    return (what, data, of) => {
      const at = new Date(clock.now()).toISOString();
      try {
        outside(() => options.onEvent?.({ run, at, kind: what, ...of, data }));
      } catch (thrown) {
        problem(thrown);
      }
    };
  }

  return {
    start(request) {
      const run = request.run ?? newId();
      const known = runs.get(run);
      if (known) return known.end;
      // Nobody can begin with it any more: whoever comes next does.
      if (closing.signal.aborted)
        return Promise.resolve(records?.open({ ...request, run }, clock.now())).then(() => undefined);
      return begin({ ...request, run }, { startedAt: clock.now() }, false);
    },
    async resume(run, given) {
      const known = runs.get(run);
      if (known) return known.end;
      const record = given ?? (await records?.find(run));
      if (closing.signal.aborted) return undefined;
      if (!record) throw folkmootError('FOLKMOOT_BAD_INPUT', `Run ${run} does not wait for anything.`);
      return runs.get(run)?.end ?? begin({ ...record.request, run }, record, true);
    },
    cancel(run, reason) {
      const found = runs.get(run);
      if (found) stop(found, 'cancelled', reason);
      return found !== undefined;
    },
    pause: (run) => runs.get(run)?.time.pause(),
    proceed: (run) => runs.get(run)?.time.proceed(),
    async close() {
      closing.abort(folkmootError('FOLKMOOT_CANCELLED', 'The runner was closed.'));
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
  };
}

/** By what a message is followed from its sender to its run: the request's id (on A.M.I.C.A.'s topics its MESSAGE_ID). */
const originOf = ({ request, conversation }: RunRequest) => ({
  ...(request ? { request: request.id } : {}),
  ...(conversation ? { conversation } : {}),
});
