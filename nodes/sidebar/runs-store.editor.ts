/** The runs as this editor knows them: fetched when there is something new, kept while the view is closed. */
import type { RunChanges, RunLook } from '../../engine/watch/run-look.ts';
import type { ReadProblem, ViewTools } from './view.editor.ts';

/** As many as the runtime keeps. */
const most = 100;

export interface RunsStore {
  /** Those that wait for a person, then the others, each newest first; without those that were cleared. */
  readonly runs: readonly RunLook[];
  /** HTTP status of the last try, 200 when it worked; 0: no answer; `undefined`: not tried yet. */
  readonly status: number | undefined;
  /** Something was cleared. */
  readonly isCleared: boolean;
  /** The runtime's clock. */
  now(): number;
  /** Hides what is over. */
  clear(): void;
  /** Gets what changed. Never rejects: `status` says how it went. */
  fetch(tools: ViewTools): Promise<void>;
}

/** Somebody may still say what shall be done. @param now The runtime's clock. */
export const isWaiting = ({ waits }: RunLook, now: number): boolean => waits !== undefined && waits.until >= now;

export function createRunsStore(): RunsStore {
  const runs = new Map<string, RunLook>();
  const cleared = new Set<string>();
  let known: { readonly epoch: string; readonly revision: number } | undefined;
  let status: number | undefined;
  let ahead = 0;

  function take({ epoch, revision, now, runs: changed }: RunChanges): void {
    ahead = now - Date.now();
    if (known?.epoch !== epoch) runs.clear();
    known = { epoch, revision };
    for (const run of changed) runs.set(run.run, run);
    for (const oldest of [...runs.values()].sort((a, b) => a.startedAt - b.startedAt)) {
      if (runs.size <= most) break;
      runs.delete(oldest.run);
    }
    for (const run of cleared) if (!runs.has(run)) cleared.delete(run);
  }

  return {
    get runs() {
      const waits = (run: RunLook) => Number(isWaiting(run, this.now()));
      return [...runs.values()]
        .filter(({ run }) => !cleared.has(run))
        .sort((a, b) => waits(b) - waits(a) || b.startedAt - a.startedAt);
    },
    get status() {
      return status;
    },
    get isCleared() {
      return cleared.size > 0;
    },
    now: () => Date.now() + ahead,
    clear() {
      for (const run of runs.values())
        if (run.endedAt !== undefined && !isWaiting(run, this.now())) cleared.add(run.run);
    },
    async fetch(tools) {
      try {
        const query = known ? { epoch: known.epoch, after: known.revision } : {};
        take((await tools.read('runs', query)) as RunChanges);
        status = 200;
      } catch (problem) {
        status = (problem as ReadProblem).status;
      }
    },
  };
}
