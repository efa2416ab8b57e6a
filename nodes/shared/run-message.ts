/** From a message to a run's request, and from its result to the message that leaves (contracts.md 3). */
import { newId } from '../../engine/ids.ts';
import type { Moot, Verdict } from '../../engine/moot.ts';
import type { RunEnd, RunRequest, RunResult } from '../../engine/plan/run-request.ts';
import { eventsText } from '../../engine/events/events-text.ts';
import { mootOf, plainMessage, requestText } from './message.ts';
import type { RedMessage } from './red.ts';

export type StartedRequest = RunRequest & { readonly run: string; readonly conversation: string };

/**
 * What a message asks for. A message of a run that has ended begins a new one: `parent` is the old one, `depth` grows.
 * Throws FOLKMOOT_BAD_INPUT when there are no words.
 */
export function requestOf(message: RedMessage): StartedRequest {
  const moot = mootOf(message);
  const text = requestText(
    moot.event && typeof message.payload !== 'string' ? eventsText(moot.event) : message.payload,
  );
  return {
    run: newId(),
    text,
    conversation: moot.conversation ?? newId(),
    ...(moot.user ? { user: moot.user } : {}),
    ...(typeof message.topic === 'string' && message.topic ? { topic: message.topic } : {}),
    ...(moot.request ? { request: moot.request } : {}),
    ...(moot.run ? { parent: moot.run } : {}),
    depth: moot.run ? (moot.depth ?? 0) + 1 : (moot.depth ?? 0),
    ...(moot.event ? { event: moot.event } : {}),
    ...(moot.mutations ? { mutations: moot.mutations } : {}),
    ...(moot.data === undefined ? {} : { data: moot.data }),
    ...(moot.tainted ? { tainted: true } : {}),
    carry: plainMessage(message).message,
  };
}

/** The result of a run, whatever it did. */
export type AnyResult = RunEnd & Partial<Pick<RunResult, 'plan' | 'waits'>> & { readonly verdict?: Verdict };

/** The message of a result: the request's own, with new payload and moot; topic, `_msgid` and the rest survive. */
export function resultMessage(message: Partial<RedMessage>, result: AnyResult): Partial<RedMessage> {
  const { request, error } = result;
  // The payload is for people; why it really failed is for whoever wires the flow.
  const reason = result.reason ?? (error ? `${error.code}: ${error.message}` : undefined);
  const moot: Moot = {
    v: 1,
    run: result.run,
    ...(request.parent ? { parent: request.parent } : {}),
    ...(request.depth ? { depth: request.depth } : {}),
    ...(request.conversation ? { conversation: request.conversation } : {}),
    ...(request.request ? { request: request.request } : {}),
    ...(request.user ? { user: request.user } : {}),
    ...(request.event ? { event: request.event } : {}),
    ...(request.tainted ? { tainted: true } : {}),
    ...(result.plan ? { plan: result.plan } : {}),
    ...(result.verdict ? { verdict: result.verdict } : {}),
    mutations: result.mutations,
    usage: result.usage,
    outcome: result.outcome,
    ...(reason ? { reason } : {}),
  };
  return { ...message, payload: result.payload, moot };
}
