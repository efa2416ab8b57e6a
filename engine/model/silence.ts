/** Deadlines count silence: each sign of life starts the clock anew (contracts.md 4). */
import type { Clock, Timer } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';

export interface SilenceWatch {
  /** Aborts with FOLKMOOT_DEADLINE after silence, or with the outer signal's reason. */
  readonly signal: AbortSignal;
  heard(): void;
  /** Nobody is to be heard until `heard` is called. */
  pause(): void;
  /** Settles with the work, or rejects as soon as the signal aborts, also when the work never does. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Always to be called: takes timer and listeners away. */
  end(): void;
}

export interface SilenceOptions {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
  /** Who is silent, for the error's text. */
  readonly what: string;
}

export function watchSilence({ clock, ms, signal, what }: SilenceOptions): SilenceWatch {
  const controller = new AbortController();
  let timer: Timer | undefined;
  const stop = () => controller.abort(asError(signal?.reason));
  const heard = () => {
    clock.clearTimer(timer);
    timer = controller.signal.aborted ? undefined : clock.setTimer(late, ms);
  };
  const late = () =>
    controller.abort(
      folkmootError('FOLKMOOT_DEADLINE', `The model ${what} was silent for ${Math.round(ms / 1000)} seconds.`),
    );
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  heard();
  return {
    signal: controller.signal,
    heard,
    pause: () => clock.clearTimer(timer),
    race: (work) => raceAbort(work, controller.signal),
    end() {
      clock.clearTimer(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}

function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(asError(signal.reason));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
