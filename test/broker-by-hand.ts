/** A bus whose broker is the spec: what is acknowledged, comes back or is lost. */
import type { BusMessage, BusState, Outgoing } from '../engine/bus/bus.ts';
import { topicMatches } from '../engine/bus/topics.ts';
import { folkmootError } from '../engine/errors.ts';

export interface Sent {
  readonly topic: string;
  readonly text: string;
  readonly id: string;
  /** The broker acknowledges it. */
  readonly ack: () => void;
  readonly fail: (error: Error) => void;
  /** It comes back. */
  readonly echo: () => void;
}

/** A broker by hand: nothing is acknowledged, comes back or is lost unless the spec says so. */
export function brokerByHand() {
  const sent: Sent[] = [];
  const ears: { pattern: string; handle: (message: BusMessage) => void | Promise<void> }[] = [];
  const states = new Set<(state: BusState, reason?: string) => void>();
  let state: BusState = 'up';
  let mayListen = true;
  const lost = folkmootError('FOLKMOOT_BUS_LOST', 'It is gone.');
  const open = new Set<(error: Error) => void>();
  return {
    sent,
    ears,
    forbidListening: () => void (mayListen = false),
    set(next: BusState, reason?: string) {
      state = next;
      if (next === 'down') for (const fail of [...open]) fail(lost);
      for (const listener of states) listener(next, reason);
    },
    bus: {
      get state() {
        return state;
      },
      onState(listener: (now: BusState, reason?: string) => void) {
        states.add(listener);
        listener(state);
        return () => void states.delete(listener);
      },
      publish: (topic: string, { payload, properties = {} }: Outgoing) =>
        new Promise<void>((resolve, reject) => {
          if (state !== 'up') return reject(lost);
          const fail = (error: Error) => {
            open.delete(fail);
            reject(error);
          };
          open.add(fail);
          const message = { topic, payload: Buffer.from(payload), properties, retained: false };
          sent.push({
            topic,
            text: Buffer.from(payload).toString(),
            id: properties['OUTBOX_ID'] ?? '',
            fail,
            ack: () => {
              open.delete(fail);
              resolve();
            },
            echo: () => {
              for (const { pattern, handle } of ears) if (topicMatches(pattern, topic)) void handle(message);
            },
          });
        }),
      subscribe: async (pattern: string, handle: (message: BusMessage) => void | Promise<void>) => {
        if (!mayListen) throw folkmootError('FOLKMOOT_BUS_REFUSED', 'No.');
        const ear = { pattern, handle };
        ears.push(ear);
        return { close: async () => void ears.splice(ears.indexOf(ear), 1) };
      },
    },
  };
}
