/** Processes that say again and again that they are there, and then don't: for buses and programs without a last will. */
import type { PresenceBody } from '../bus/our-payloads.ts';
import type { Clock, Timer } from '../clock.ts';
import { limits } from '../limits.ts';
import { presenceMisses } from './presence.ts';

export interface Absences {
  heard(presence: PresenceBody): void;
  close(): void;
}

/** @param absent Told once for each time that a process stays away. */
export function createAbsences(clock: Clock, absent: (process: string) => void): Absences {
  const timers = new Map<string, Timer>();
  const forget = (process: string) => {
    clock.clearTimer(timers.get(process));
    timers.delete(process);
  };
  return {
    heard({ process, status, seconds }) {
      forget(process);
      if (status !== 'online' || seconds === undefined || timers.size >= limits.registryEntries) return;
      const gone = () => {
        timers.delete(process);
        absent(process);
      };
      timers.set(process, clock.setTimer(gone, seconds * presenceMisses * 1000));
    },
    close() {
      for (const process of [...timers.keys()]) forget(process);
    },
  };
}
