/** Runs that take minutes: each from the event that a conversation ended to the minutes as JSON text. */
import { asError, folkmootError, isFolkmootError } from '../errors.ts';
import type { Model } from '../model/model.ts';
import { emptyUsage } from '../model/usage.ts';
import type { EventRecord, Outcome } from '../moot.ts';
import type { RunEnd } from '../plan/run-request.ts';
import type { RunningRequest } from '../plan/run-result.ts';
import { createRuns, type Runs, type RunsOptions } from '../plan/runs.ts';
import { texts } from '../plan/text.ts';
import type { Conversations } from './conversation.ts';
import { takeMinutes } from './minutes.ts';

export interface MinutesRunsOptions extends RunsOptions<RunEnd> {
  readonly conversations: Pick<Conversations, 'readLast'>;
  readonly model: () => Model;
  readonly agentId: string;
  readonly instructions: string;
}

/** The conversation whose end an event tells. Throws FOLKMOOT_BAD_INPUT when none does. */
export function endedConversation(event: readonly EventRecord[] | undefined): string {
  const found = event?.find(({ kind, value }) => kind === 'ConversationEnded' && typeof value === 'string');
  if (found) return String(found.value);
  throw folkmootError(
    'FOLKMOOT_BAD_INPUT',
    'Minutes are taken of a conversation that ended; this message tells of none.',
  );
}

/** Payload: the minutes, as JSON of A.M.I.C.A.'s form. What fails ends as `failed`, never with half of them. */
export function createMinutesRuns(options: MinutesRunsOptions): Runs<RunEnd> {
  const { conversations, agentId, instructions, clock } = options;
  const ended = (request: RunningRequest, outcome: Outcome, payload: string, reason?: string): RunEnd => ({
    run: request.run,
    request,
    outcome,
    payload,
    ...(reason ? { reason } : {}),
    mutations: [],
    usage: emptyUsage,
  });
  return createRuns<RunEnd, never>(options, {
    async perform({ request, signal }) {
      const conversation = endedConversation(request.event);
      const given = { conversations, conversation, model: options.model(), agentId, instructions, signal, clock };
      const { minutes, usage } = await takeMinutes(given);
      signal.throwIfAborted();
      return { ...ended(request, 'done', JSON.stringify(minutes, null, 2)), usage };
    },
    saved: () => Promise.resolve(undefined),
    failed(request, thrown) {
      const code = isFolkmootError(thrown) ? thrown.code : 'FOLKMOOT_RUN_FAILED';
      const words = code.startsWith('FOLKMOOT_MODEL') ? texts.modelFailed : texts.failed;
      return { ...ended(request, 'failed', words), error: { code, message: asError(thrown).message } };
    },
    stopped: (request, stop, _saved, reason) =>
      ended(
        request,
        stop === 'timeout' ? 'timeout' : 'cancelled',
        texts[stop],
        stop === 'overlap' ? 'overlap' : (reason ?? texts[stop]),
      ),
    tooDeep: (request) => ended(request, 'refused', texts.tooDeep),
  });
}
