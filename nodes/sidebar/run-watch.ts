/** Joins the feed of runs with a list of them, and tells of changes a few times a second at most. */
import type { Clock, Timer } from '../../engine/clock.ts';
import { limits } from '../../engine/limits.ts';
import type { RunList } from '../../engine/watch/run-list.ts';
import type { RunFeed } from '../shared/process.ts';

export interface RunWatchOptions {
  readonly feed: RunFeed;
  readonly clock: Clock;
  readonly makeList: (onChange: () => void) => RunList;
  /** Called with the newest revision, at most once in `limits.watchedEveryMs`. */
  readonly tell: (revision: number) => void;
}

export interface RunWatch {
  readonly list: RunList;
  readonly close: () => void;
}

export function watchRuns({ feed, clock, makeList, tell }: RunWatchOptions): RunWatch {
  let timer: Timer | undefined;
  const list = makeList(() => {
    timer ??= clock.setTimer(() => {
      timer = undefined;
      safely(() => tell(list.since(Number.MAX_SAFE_INTEGER).revision));
    }, limits.watchedEveryMs);
  });
  const ends = [
    feed.onStarted(({ run, owner, wanted }) =>
      safely(() => list.opened({ run, owner, ...(wanted ? { request: wanted } : {}) })),
    ),
    feed.onHappened((event) => safely(() => list.happened(event))),
    feed.onAsked((ask) => safely(() => list.asked(ask))),
    feed.onAnswered(({ id, status }) => safely(() => list.answered(id, status))),
    feed.onEnded(({ run, outcome, result }) => safely(() => list.ended(run, outcome, result ?? { reason: 'removed' }))),
    feed.onReported(({ run, payload, lines }) => safely(() => list.reported(run, payload, lines))),
  ];
  return {
    list,
    close() {
      for (const end of ends) end();
      clock.clearTimer(timer);
      timer = undefined;
    },
  };
}

/** Watching never stops a run. */
function safely(action: () => void): void {
  try {
    action();
  } catch {
    // Only a line of a list is lost.
  }
}
