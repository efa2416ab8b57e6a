/**
 * Between a result that has left and the note of who carries it out there is a moment in which only the run knows the
 * commands. So it counts as open until they are written down: after a crash in between it delivers them again.
 */
import { sleep } from '../../engine/clock.ts';
import { limits } from '../../engine/limits.ts';
import { mayReachCarrier } from './carriers.ts';
import type { NodeKit } from './define-node.ts';
import type { Fields } from './fields.ts';
import { processClock, runFeed } from './process.ts';
import type { AnyResult } from './run-message.ts';

/** All who begin runs give commands by their first output. */
const resultPort = 0;

/**
 * Called before the result is sent. Undefined when nobody behind could carry any of its commands out. What it gives resolves
 * when somebody wrote them down, after `limits.takenOverMs`, or at close.
 */
export function untilTakenOver<F extends Fields>(
  { RED, node, signal }: NodeKit<F>,
  { run, mutations }: AnyResult,
): Promise<void> | undefined {
  const names = mutations.map(({ function: name }) => name);
  if (signal.aborted || !mayReachCarrier(RED, node, resultPort, names)) return undefined;
  const over = new AbortController();
  const stop = runFeed.onTookOver((which) => {
    if (which === run) over.abort();
  });
  return sleep(processClock, limits.takenOverMs, AbortSignal.any([signal, over.signal]))
    .catch(() => undefined)
    .finally(stop);
}
