/** Joins a runner with what its backbone keeps: run records, checkpoints, open questions. */
import { createHistory } from '../../engine/conversation/history.ts';
import type { ApprovalOptions } from '../../engine/plan/approvals.ts';
import { asError } from '../../engine/errors.ts';
import { createRunner, type Runner, type RunnerOptions } from '../../engine/plan/run.ts';
import { createRunRecords, type RunRecords } from '../../engine/plan/run-records.ts';
import type { Backbone } from '../backbone/lease.ts';
import { conversationsOf, questionsOf, turnsOf } from './conversations.ts';
import { processClock } from './process.ts';

/** What differs between those who run: whom they reach and how they plan and ask. */
export type TeamPorts = Pick<
  RunnerOptions,
  'team' | 'call' | 'tier' | 'ask' | 'routerDescription' | 'isHandled' | 'limits'
> & {
  /** Whether a person is asked in between. Default: nobody is. */
  readonly approvals?: (backbone: Backbone) => ApprovalOptions;
};

export interface MakeRunnerOptions extends Required<
  Pick<RunnerOptions, 'deadlineMs' | 'overlap' | 'deliver' | 'onEvent' | 'onProblem' | 'shared'>
> {
  /** Node id. */
  readonly owner: string;
  readonly ports: TeamPorts;
}

/** Runs of plans, for a run owner. */
export const teamRuns =
  (ports: TeamPorts) =>
  (backbone: Backbone, common: Omit<MakeRunnerOptions, 'ports'>): Runner =>
    makeRunner(backbone, { ...common, ports });

export const recordsOf = (backbone: Backbone, owner: string): RunRecords =>
  createRunRecords(backbone.store, { owner, house: backbone.house, clock: processClock });

function makeRunner(backbone: Backbone, { owner, ports: given, ...options }: MakeRunnerOptions): Runner {
  const { approvals, ...ports } = given;
  const checkpointer = checkpointerOf(backbone);
  const history = backbone.once('history', () => createHistory(conversationsOf(backbone), turnsOf(backbone)));
  const records = recordsOf(backbone, owner);
  return createRunner({
    ...options,
    ...ports,
    ...(approvals ? { approvals: approvals(backbone) } : {}),
    history: (request) => history.lines(request),
    async ask(step, context) {
      const { run, request } = context;
      const startedAt = async () => (await records.read(run))?.startedAt;
      await history.begin(run, request, startedAt).catch(options.onProblem);
      return ports.ask(step, context);
    },
    async deliver(result) {
      // What failed the run is told as its error.
      await history.keep(result, owner).catch((thrown: unknown) => {
        if (asError(thrown).message !== result.error?.message) options.onProblem(asError(thrown));
      });
      await options.deliver(result);
    },
    clock: processClock,
    checkpointer,
    records,
    questions: questionsOf(backbone),
  });
}

/** Of which there is one for each backbone; loaded on first use. */
export const checkpointerOf = (backbone: Backbone) =>
  backbone.once('checkpointer', () => {
    let loaded: ReturnType<typeof loadCheckpointer> | undefined;
    return () => (loaded ??= loadCheckpointer(backbone));
  });

async function loadCheckpointer(backbone: Backbone) {
  const { createCheckpointer } = await import('../../engine/store/checkpointer.ts');
  return createCheckpointer(backbone.store, { clock: processClock });
}
