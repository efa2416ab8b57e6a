/** Runs a handler within its time. */
import type { Clock } from '../clock.ts';
import { sleep, systemClock } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Mutation } from '../moot.ts';
import type { Handler } from './registry.ts';

export interface HandlerTime {
  readonly signal?: AbortSignal | undefined;
  /** The longest time of one handler, in milliseconds. Default `limits.handlerMs`. */
  readonly handlerMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** What it gives. Throws what it throws, FOLKMOOT_DEADLINE when its time is over, or the signal's reason. */
export async function runHandler(handler: Handler, call: Mutation, time: HandlerTime): Promise<unknown> {
  const { clock = systemClock, handlerMs = limits.handlerMs } = time;
  const over = new AbortController();
  const ended = new AbortController();
  const signals = time.signal ? [time.signal, over.signal] : [over.signal];
  const late = sleep(clock, handlerMs, AbortSignal.any([ended.signal, ...signals])).then(() => {
    const error = folkmootError('FOLKMOOT_DEADLINE', `${call.function} took longer than ${handlerMs / 1000} s.`);
    over.abort(error);
    throw error;
  });
  try {
    return await Promise.race([Promise.resolve(handler(call, { signal: AbortSignal.any(signals) })), late]);
  } finally {
    ended.abort();
    late.catch(() => undefined);
  }
}
