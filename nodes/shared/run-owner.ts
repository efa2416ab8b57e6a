/**
 * What a router, an agent and a judge share when a run begins at them: one run for each message, its one result on the
 * first output, the second or at Catch, its events, and going on with it after a restart.
 */
import { folkmootError, isFolkmootError, type ErrorCode } from '../../engine/errors.ts';
import { forcedWords } from '../../engine/conversation/reply-words.ts';
import { emptyUsage } from '../../engine/model/usage.ts';
import { ourTopics } from '../../engine/bus/topics.ts';
import type { Outcome, RequestInfo, RunEvent } from '../../engine/moot.ts';
import type { OverlapMode } from '../../engine/plan/overlap.ts';
import type { SharedWork } from '../../engine/plan/run-ports.ts';
import type { Runs, RunsOptions } from '../../engine/plan/runs.ts';
import { isPaused } from '../backbone/reporting.ts';
import type { Backbone, BackboneLease } from '../backbone/lease.ts';
import type { InputContext, NodeKit } from './define-node.ts';
import { flowsReady } from './flows-ready.ts';
import { serveHome } from './home-service.ts';
import type { Fields } from './fields.ts';
import { createLoopGuard } from './loop-guard.ts';
import { mootOf } from './message.ts';
import { recordsOf } from './make-runner.ts';
import { createProblemLog } from './problem-log.ts';
import { processClock, runFeed } from './process.ts';
import { whenConnected } from './when-connected.ts';
import type { RedMessage } from './red.ts';
import { untilTakenOver } from './taken-over.ts';
import { requestOf, resultMessage, type AnyResult, type StartedRequest } from './run-message.ts';
import { mayAct, mayGoOn, runBegan, runEnded, tellLeft } from './shared-work.ts';
import { markAsker } from './walk.ts';

export interface RunOwner {
  /** An ordinary message. Rejects when the run has no other way to end than Catch. */
  take(message: RedMessage, context: InputContext): Promise<void>;
  close(removed: boolean): Promise<void>;
}

interface Waiting {
  readonly message: RedMessage;
  readonly context: InputContext;
  failure?: Error;
}

export interface RunOwnerOptions {
  readonly lease: BackboneLease;
  readonly deadlineMs: number;
  readonly overlap: OverlapMode;
  /** Who carries the runs out. */
  readonly runs: (backbone: Backbone, common: CommonOptions) => Runs<AnyResult>;
  /** What leaves by the first output. Default: `done`, `asked`, `refused`. */
  readonly byFirst?: readonly Outcome[];
  /** The run that carries an answer to what waits out. Without it nothing can wait here. */
  readonly answers?: (message: RedMessage, backbone: Backbone) => Promise<StartedRequest>;
  /** What leaves by the second although nothing is wired there: no error, but nothing to go on with either. */
  readonly bySecond?: readonly Outcome[];
}

/** The same for every kind of run. */
export type CommonOptions = Required<
  Pick<RunsOptions<AnyResult>, 'deadlineMs' | 'overlap' | 'deliver' | 'onEvent' | 'onProblem' | 'shared'>
> & { readonly owner: string };

/** Of all who begin runs (contracts.md 1). */
const asksPort = 3;

const codes: Partial<Record<Outcome, ErrorCode>> = {
  limit: 'FOLKMOOT_LIMIT',
  timeout: 'FOLKMOOT_DEADLINE',
  cancelled: 'FOLKMOOT_CANCELLED',
};

const pausedResult = (request: StartedRequest): AnyResult => ({
  ...{ run: request.run, request, outcome: 'refused', reason: 'paused', mutations: [], usage: emptyUsage },
  payload: forcedWords('paused'),
});

const feedOf = (owner: string, request: AnyResult['request']) => ({
  ...{ run: request.run ?? '', owner },
  ...(request.conversation ? { conversation: request.conversation } : {}),
  ...(request.request ? { request: request.request } : {}),
});

const sharedWork = (left: SharedWork['left']): SharedWork => ({
  mayGoOn: ({ request }, signal) => mayGoOn(request, signal),
  mayAct: ({ request }, signal) => mayAct(request, signal),
  left,
});

/** Without connections nobody knows what was left open. */
const isUp = ({ bus, store }: Backbone): boolean => bus.state === 'up' && (store.link?.state ?? 'up') === 'up';

export function createRunOwner<F extends Fields>(kit: NodeKit<F>, options: RunOwnerOptions): RunOwner {
  const { lease, runs, byFirst = ['done', 'asked', 'refused'], bySecond = [] } = options;
  const guard = createLoopGuard(processClock);
  const waiting = new Map<string, Waiting>();
  /** Of open runs: events name the request, so that bus-out can tell its person of them. */
  const requests = new Map<string, RequestInfo>();
  const problems = createProblemLog(kit);
  const runner = makeRuns();
  /** What was left open has taken its turns. */
  const resumed = runner.then(resumeOpen).catch((error: unknown) => {
    if (!kit.signal.aborted) kit.error(error);
  });

  function makeRuns(): Promise<Runs<AnyResult>> {
    markAsker(kit.node, asksPort);
    const { deadlineMs, overlap } = options;
    const onProblem = (problem: Error) => problems.beside(problem);
    const made = lease.ready.then((backbone) => {
      serveHome(kit.RED, backbone);
      return runs(backbone, {
        owner: kit.id,
        deadlineMs,
        overlap,
        deliver,
        onEvent,
        onProblem,
        shared: sharedWork(left),
      });
    });
    let standing: Runs<AnyResult> | undefined;
    const known = made.then((all) => void (standing = all)).catch(() => undefined);
    // The runs must settle before the node's close can: their inputs are awaited there. In the same turn where it can be:
    // a result that comes after the abort would reach nobody.
    const close = () => void (standing ? standing.close() : known.then(() => standing?.close()));
    kit.signal.addEventListener('abort', close, { once: true });
    return made;
  }

  function onEvent(event: RunEvent): void {
    const request = requests.get(event.run);
    const moot = { v: 1 as const, run: event.run, ...(request ? { request } : {}) };
    kit.send([null, null, { payload: event, topic: event.kind, moot }]);
    publish(event);
    runFeed.happened(event);
    if (event.kind !== 'ended') return;
    requests.delete(event.run);
    runEnded(event.run);
  }

  /** Others may follow a run on the bus. It isn't worth a queue's place: what can't leave now is left out. */
  function publish(event: RunEvent): void {
    void lease.ready
      .then(({ bus }) =>
        bus.state === 'up'
          ? bus.publish(ourTopics.runEvents(event.run), { payload: JSON.stringify(event) })
          : undefined,
      )
      .catch(() => undefined);
  }

  function opened(request: StartedRequest): void {
    guard.opened(request.run);
    if (request.request) requests.set(request.run, request.request);
    runBegan(request.run, request.request);
    kit.status('thinking');
    runFeed.started({ ...feedOf(kit.id, request), deadlineMs: options.deadlineMs, wanted: request });
  }

  /** Called once for each run, before it counts as ended. */
  function deliver(result: AnyResult): Promise<void> | undefined {
    guard.ended(result.run);
    const found = waiting.get(result.run);
    const message = resultMessage(
      found?.message ?? (result.request.carry as Partial<RedMessage> | undefined) ?? {},
      result,
    );
    const send = found ? found.context.send.bind(found.context) : kit.send.bind(kit);
    const isFirst = byFirst.includes(result.outcome);
    const isSecond = bySecond.includes(result.outcome) || (kit.node.wires?.[1]?.length ?? 0) > 0;
    const takenOver = isFirst ? untilTakenOver(kit, result) : undefined;
    if (isFirst) send([message]);
    else if (isSecond) send([null, message]);
    else fail(result, message, found);
    kit.status(isFirst || bySecond.includes(result.outcome) ? 'done' : 'failed');
    problems.ended(result.error, !isFirst && !isSecond);
    runFeed.ended({ ...feedOf(kit.id, { ...result.request, run: result.run }), outcome: result.outcome, result });
    return takenOver;
  }

  function left(run: string, request: AnyResult['request'], reason: string): void {
    // Another house does it: nothing leaves here.
    tellLeft(request.request, reason);
    guard.ended(run);
    kit.status('done');
    runFeed.ended({ ...feedOf(kit.id, { ...request, run }), outcome: 'cancelled' });
  }

  /** The message that Catch gets is the run's one ending. */
  function fail(result: AnyResult, message: Partial<RedMessage>, found: Waiting | undefined): void {
    const code = (result.error?.code as ErrorCode | undefined) ?? codes[result.outcome] ?? 'FOLKMOOT_PLAN_INVALID';
    const what = result.error?.message ?? `The run ended as ${result.outcome}: ${result.reason ?? result.payload}`;
    const error = Object.assign(new Error(what), { code, name: 'FolkmootError' });
    if (!found) return kit.node.error(error, message as RedMessage);
    Object.assign(found.message, message);
    found.failure = error;
  }

  async function resumeOpen(made: Runs<AnyResult>): Promise<void> {
    await flowsReady(kit.RED, kit.signal);
    // What a run ends in most often goes over the same broker; before that is there, devices would only fail.
    if (!(await whenConnected(await lease.ready, kit.signal))) return;
    for (const run of await recordsOf(await lease.ready, kit.id).openRuns()) {
      if (kit.signal.aborted || waiting.has(run.run)) continue;
      opened({ ...run.request, run: run.run, conversation: run.request.conversation ?? run.run });
      // All at once, oldest first: one that takes long must not hold up the others, and what comes now stands behind them.
      made.resume(run.run, run).catch((error: unknown) => {
        if (!isFolkmootError(error, 'FOLKMOOT_BAD_INPUT')) kit.error(error);
      });
    }
  }

  return {
    async take(message, context) {
      const moot = mootOf(message);
      const made = await runner;
      if (moot.answer) {
        const { decision, run } = moot.answer;
        if (decision === 'cancel' && run && made.cancel(run, moot.answer.text)) return;
        if (!options.answers)
          throw folkmootError(
            'FOLKMOOT_BAD_INPUT',
            'Nothing waits for this answer: it is over, or it was never asked.',
          );
      } else guard.check(moot);
      const answers = moot.answer && options.answers;
      const request = answers ? await answers(message, await lease.ready) : requestOf(message);
      const entry: Waiting = { message, context };
      waiting.set(request.run, entry);
      try {
        const backbone = await lease.ready;
        const isRefused = isPaused(backbone);
        if (isRefused) backbone.metrics.heldBack('paused');
        // Nobody waits for words about what a sensor told.
        if (isRefused && request.event && !request.request) return;
        if (isRefused) void deliver(pausedResult(request));
        else {
          // What was asked before a restart comes before what is asked after it.
          if (isUp(backbone)) await resumed;
          opened(request);
          await made.start(request);
        }
        if (entry.failure) throw entry.failure;
      } finally {
        waiting.delete(request.run);
      }
    },
    async close(removed) {
      const made = await runner.catch(() => undefined);
      await made?.close();
      if (removed) await endOpen();
      await lease.release();
    },
  };

  /** Nobody is left to send a message: the runs end in the store, and whoever listens is told. */
  async function endOpen(): Promise<void> {
    const backbone = await lease.ready.catch(() => undefined);
    if (!backbone) return;
    for (const { run, request } of await recordsOf(backbone, kit.id).openRuns()) {
      await recordsOf(backbone, kit.id).end(run, { outcome: 'cancelled', reason: 'removed' });
      runFeed.ended({ ...feedOf(kit.id, { ...request, run }), outcome: 'cancelled' });
      const at = new Date(processClock.now()).toISOString();
      publish({ run, at, kind: 'ended', data: { outcome: 'cancelled', reason: 'removed' } });
    }
  }
}
