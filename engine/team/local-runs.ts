/** Runs of a local team: checkpoints in memory, forgotten when a run is over. */
import type { MemorySaver } from '@langchain/langgraph';
import { folkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import { createRunner } from '../plan/run.ts';
import type { RunnerOptions } from '../plan/run.ts';
import type { RunRequest, RunResult } from '../plan/run-request.ts';

export interface LocalRuns {
  /** To its one result; throws FOLKMOOT_CANCELLED when it was closed first. */
  run(request: RunRequest, signal?: AbortSignal): Promise<RunResult>;
  close(): Promise<void>;
}

export function createLocalRuns(
  options: Pick<RunnerOptions, 'clock' | 'call' | 'team' | 'ask' | 'routerDescription' | 'deadlineMs'>,
) {
  let saver: Promise<MemorySaver> | undefined;
  const checkpointer = () => (saver ??= import('@langchain/langgraph').then((graphs) => new graphs.MemorySaver()));
  const runner = createRunner({ ...options, checkpointer });
  return {
    async run(request, signal) {
      const run = newId();
      const stop = () => void runner.cancel(run);
      signal?.addEventListener('abort', stop, { once: true });
      if (signal?.aborted) throw signal.reason as Error;
      try {
        const result = await runner.start({ ...request, run });
        if (!result) throw folkmootError('FOLKMOOT_CANCELLED', 'It was closed.');
        return result;
      } finally {
        signal?.removeEventListener('abort', stop);
        await (await saver)?.deleteThread(run);
      }
    },
    close: () => runner.close(),
  } satisfies LocalRuns;
}
