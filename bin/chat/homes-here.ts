/** Which homes are on the broker, for what somebody asks while none is: it would wait for nobody. */
import type { Bus } from '../../engine/bus/bus.ts';
import { readOur } from '../../engine/bus/our-message.ts';
import { ourPatterns } from '../../engine/bus/topics.ts';

export interface HomesHere {
  /** As far as they tell. */
  readonly isAny: boolean;
  /** Calls when one comes, also the same one again after the broker was away. Gives what ends it. */
  onArrival(listener: () => void): () => void;
  close(): void;
}

/** Where this user may not hear of them, it knows of none and never calls. */
export async function watchHomes(bus: Pick<Bus, 'subscribe' | 'onState'>): Promise<HomesHere> {
  const here = new Map<string, string>();
  const listeners = new Set<() => void>();
  const stop = bus.onState((state) => {
    // A broker that was away may have forgotten what they were asked.
    if (state === 'down') here.clear();
  });
  const subscription = await bus
    .subscribe(ourPatterns.presence, (message) => {
      const reading = readOur('presence', message);
      if (!('body' in reading)) return;
      const { process, status, since } = reading.body;
      if (status === 'offline') return void here.delete(process);
      if (here.get(process) === since) return;
      here.set(process, since);
      for (const listener of [...listeners]) listener();
    })
    .catch(() => undefined);
  return {
    get isAny() {
      return here.size > 0;
    },
    onArrival(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      stop();
      listeners.clear();
      void subscription?.close().catch(() => undefined);
    },
  };
}
