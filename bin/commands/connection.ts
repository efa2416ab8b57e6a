/** Whether the broker is there, for commands that need it. */
import type { Bus } from '../../engine/bus/bus.ts';

/** Resolves with the first try to connect: nothing when the broker is there, else what to tell. */
export function firstState(bus: Bus, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('Stopped.'), { once: true });
    bus.onState((state, reason) => {
      if (state === 'up') resolve(undefined);
      if (state !== 'down') return;
      const hint = 'Start the home with "npm start", or name a broker with --broker.';
      resolve(`There is no connection to ${reason ?? 'the broker'}. ${hint}`);
    });
  });
}
