/**
 * What a request came to: the report of whoever carried its commands out, else the words of the last run that worked on it.
 * A router's result may go on to a judge and to apply, and only a short silence tells that it does not.
 */
import type { McpAnswer } from '../../engine/http/mcp/mcp-offer.ts';
import { limits } from '../../engine/limits.ts';
import type { Outcome } from '../../engine/moot.ts';
import { processClock, runFeed, type RunEnded } from '../shared/process.ts';

export interface AwaitedReply {
  /** Resolves in any case; after `limits.runDeadlineMs` of silence in words that say so. */
  readonly reply: Promise<McpAnswer>;
  stop(): void;
}

/** Milliseconds after a run's end in which somebody else begins with its result. */
const handOverMs = 100;
const handOverOfCommandsMs = 2_000;

const wentWell: readonly Outcome[] = ['done', 'asked', 'refused'];
const silence: McpAnswer = {
  text: 'It takes too long. It may still be done: look before you ask again.',
  isError: true,
};
const changed: McpAnswer = {
  text: 'The flow was changed meanwhile. It may still be done: look before you ask again.',
  isError: true,
};

export function awaitReply(requestId: string, signal: AbortSignal): AwaitedReply {
  const runs = new Set<string>();
  let said: McpAnswer = silence;
  let end: (answer: McpAnswer) => void = () => undefined;
  const reply = new Promise<McpAnswer>((resolve) => (end = resolve));
  let timer = processClock.setTimer(() => finish(silence), limits.runDeadlineMs);

  const within = (ms: number, answer: () => McpAnswer) => {
    processClock.clearTimer(timer);
    timer = processClock.setTimer(() => finish(answer()), ms);
  };
  const isMine = (request?: { readonly id: string }) => request?.id === requestId;
  const onAbort = () => finish(changed);
  const stops = [
    runFeed.onStarted(({ run, request, deadlineMs }) => {
      if (!isMine(request)) return;
      runs.add(run);
      within(Math.max(deadlineMs, limits.runDeadlineMs), () => silence);
    }),
    runFeed.onHappened(({ run }) => {
      if (runs.has(run) && said === silence) within(limits.runDeadlineMs, () => silence);
    }),
    runFeed.onEnded((ended) => {
      if (!isMine(ended.request)) return;
      runs.add(ended.run);
      said = answerOf(ended);
      within(ended.result?.mutations.length ? handOverOfCommandsMs : handOverMs, () => said);
    }),
    runFeed.onTookOver((run) => {
      if (runs.has(run)) within(limits.runDeadlineMs, () => said);
    }),
    runFeed.onWorking(({ request, withinMs }) => {
      if (isMine(request)) within(withinMs + limits.replyGraceMs, () => said);
    }),
    runFeed.onReported(({ run, payload, lines }) => {
      if (!runs.has(run)) return;
      const text = wordsOf(payload);
      finish(text ? { ...said, text, data: { ...said.data, report: lines } } : said);
    }),
  ];
  signal.addEventListener('abort', onAbort, { once: true });

  function finish(answer: McpAnswer): void {
    processClock.clearTimer(timer);
    signal.removeEventListener('abort', onAbort);
    for (const stop of stops) stop();
    end(answer);
  }
  return { reply, stop: () => finish(said) };
}

const wordsOf = (payload: unknown): string =>
  typeof payload === 'string' ? payload : payload === undefined || payload === null ? '' : JSON.stringify(payload);

function answerOf({ outcome, result }: RunEnded): McpAnswer {
  const text = wordsOf(result?.payload) || `It ended as ${outcome}.`;
  const commands = (result?.mutations ?? []).map(({ function: name, parameters }) => ({ function: name, parameters }));
  return {
    ...{ text, isError: !wentWell.includes(outcome) },
    data: { outcome, ...(result?.reason ? { reason: result.reason } : {}), ...(commands.length ? { commands } : {}) },
  };
}
