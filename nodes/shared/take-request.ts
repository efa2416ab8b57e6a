/** A request that comes over a wire from a serve node is as if a person had asked: its run's outputs act. */
import { asError, isFolkmootError } from '../../engine/errors.ts';
import type { TakenAsk } from './ask-registry.ts';
import type { InputContext } from './define-node.ts';
import { runFeed } from './process.ts';
import type { RedMessage } from './red.ts';
import type { RunOwner } from './run-owner.ts';

/**
 * Ends the ask when its run has begun: from then on the run is kept, and must not be asked for again. Rejects with what
 * failed, for Catch.
 */
export async function takeRequest(
  owner: RunOwner,
  ask: TakenAsk,
  message: RedMessage,
  context: InputContext,
): Promise<void> {
  const { ask: _ask, run: _run, ...moot } = message.moot ?? { v: 1 as const };
  const stop = runFeed.onStarted(({ request }) => {
    if (request?.id === moot.request?.id) ask.end({ status: 'answered', payload: null, mutations: [] });
  });
  try {
    await owner.take(Object.assign(message, { _msgid: moot.request?.id ?? message._msgid, moot }), context);
    ask.end({ status: 'answered', payload: null, mutations: [] });
  } catch (thrown) {
    const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_RUN_FAILED';
    ask.end({ status: 'failed', payload: null, mutations: [], error: { code, message: asError(thrown).message } });
    throw thrown;
  } finally {
    stop();
  }
}
