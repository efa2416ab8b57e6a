/** What a backbone tells others of itself, and hears of all: counters and control. Only where the bus is shared. */
import { reasons } from '../../engine/apply/report.ts';
import { createOurMessages } from '../../engine/bus/our-message.ts';
import { pausedWords } from '../../engine/conversation/reply-words.ts';
import { createControl, type Control } from '../../engine/people/control.ts';
import { readSenders } from '../../engine/people/senders.ts';
import { publishMetrics } from '../../engine/watch/metrics-publisher.ts';
import { processClock } from '../shared/process.ts';
import type { Backbone } from './open-backbone.ts';

/** Problems wait for somebody who can say them: the first listener does. */
export interface Reporting {
  readonly control: Control;
  onProblem(listener: (problem: Error) => void): () => void;
}

/** Nothing where the bus stays within the process. */
export const reportingOf = (backbone: Backbone): Reporting | undefined =>
  backbone.bus.kind === 'in-process' ? undefined : backbone.once('reporting', () => begin(backbone));

/** Somebody has paused the house: nothing acts. */
export const isPaused = (backbone: Backbone): boolean => reportingOf(backbone)?.control.isPaused === true;

/** Nothing leaves for devices: what would have been done is told. */
export const isShadow = (backbone: Backbone): boolean => reportingOf(backbone)?.control.isShadow === true;

/** Why nothing that acts may be done now, in words, and counts it; nothing when it may. */
export function heldBack(backbone: Backbone): string | undefined {
  const why = isPaused(backbone) ? 'paused' : isShadow(backbone) ? 'shadow' : undefined;
  if (why) backbone.metrics.heldBack(why);
  return why && reasons[why];
}

/** What another house is told that asks while this one is paused, and counts it; nothing while it isn't. */
export function pausedAnswer(backbone: Backbone): string | undefined {
  const state = reportingOf(backbone)?.control.state;
  if (!state?.paused) return undefined;
  backbone.metrics.heldBack('paused');
  return pausedWords(backbone.house, state.by);
}

/** Resolves when the house isn't paused; rejects with the signal's reason. */
export async function untilGoing(backbone: Backbone, signal: AbortSignal): Promise<void> {
  const control = reportingOf(backbone)?.control;
  await control?.ready;
  signal.throwIfAborted();
  if (!control?.isPaused) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  const forget = control.onChange(({ paused }) => {
    if (!paused) resolve();
  });
  await promise.finally(() => {
    forget();
    signal.removeEventListener('abort', onAbort);
  });
}

function begin(backbone: Backbone): Reporting {
  const { bus, store, house, processId: process, metrics, settings } = backbone;
  const listeners = new Set<(problem: Error) => void>();
  const report = (problem: Error) => {
    const [first] = listeners;
    first?.(problem);
  };
  const messages = createOurMessages({ clock: processClock, report });
  const control = createControl({
    ...{ bus, store, house, messages, report },
    clock: processClock,
    senders: readSenders(settings.allowedSenders),
    sender: { house, process },
  });
  const stop = publishMetrics({ bus, metrics, clock: processClock, process, house });
  backbone.onClose(async () => {
    stop();
    await control.close();
    messages.close();
  });
  return {
    control,
    onProblem(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
