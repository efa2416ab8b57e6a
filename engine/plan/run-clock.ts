/** The time of a run: its deadline, which stands still while a person is asked, and its hard end, which never does. */
import type { Clock, Timer } from '../clock.ts';

export interface RunClockOptions {
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly hardEndMs: number;
  /** Called once, when the first of both is reached. */
  readonly onEnd: () => void;
}

export interface RunClock {
  /** A person is asked: counts, so that it stands still until each one was answered. */
  pause(): void;
  proceed(): void;
  /** No timer is left afterwards. */
  stop(): void;
}

/** Starts at once. */
export function createRunClock({ clock, deadlineMs, hardEndMs, onEnd }: RunClockOptions): RunClock {
  let left = deadlineMs;
  let since = clock.now();
  let asked = 0;
  let stopped = false;
  let timer: Timer | undefined;
  const end = () => {
    if (stopped) return;
    stop();
    onEnd();
  };
  const hardEnd = clock.setTimer(end, hardEndMs);
  function go() {
    since = clock.now();
    timer = clock.setTimer(end, left);
  }
  function stop() {
    stopped = true;
    clock.clearTimer(timer);
    clock.clearTimer(hardEnd);
  }
  go();
  return {
    pause() {
      asked += 1;
      if (asked > 1 || stopped) return;
      clock.clearTimer(timer);
      left = Math.max(0, left - (clock.now() - since));
    },
    proceed() {
      if (asked === 0) return;
      asked -= 1;
      if (asked === 0 && !stopped) go();
    },
    stop,
  };
}
