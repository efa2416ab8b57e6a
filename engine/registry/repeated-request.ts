/**
 * A request whose answer is awaited over losses of the connection. A broker that dies takes requests and answers on their
 * way with it, so the same is sent again when it is back; whichever is answered first counts.
 */
import type { Bus, BusMessage } from '../bus/bus.ts';
import type { Clock, Timer } from '../clock.ts';
import { asError, folkmootError, isFolkmootError } from '../errors.ts';
import type { Registry } from './registry.ts';

export interface RepeatedRequest {
  readonly bus: Pick<Bus, 'state' | 'onState'>;
  readonly clock: Clock;
  readonly registry: Pick<Registry, 'unsureMs'>;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Sends it once. Who gets it must do nothing twice for the same request. @param leftMs Until the deadline. */
  readonly send: (leftMs: number, signal: AbortSignal) => Promise<BusMessage>;
}

/** The connection is back: the same is sent again so long after that, and then every so long. */
export const backMs = 2_000;
export const backEveryMs = 5_000;

/** Throws FOLKMOOT_DEADLINE, FOLKMOOT_BUS_LOST, what sending throws, or the signal's reason. */
export async function requestRepeatedly(options: RepeatedRequest): Promise<BusMessage> {
  const { bus, clock, registry, deadlineMs, signal } = options;
  const { promise, resolve, reject } = Promise.withResolvers<BusMessage>();
  const over = new AbortController();
  const until = clock.now() + deadlineMs;
  let timer: Timer | undefined;
  const sendIn = (ms: number) => {
    clock.clearTimer(timer);
    timer = clock.setTimer(() => {
      void send(false);
      sendIn(backEveryMs);
    }, ms);
  };
  const send = async (isFirst: boolean) => {
    const wasUp = bus.state === 'up';
    try {
      resolve(await options.send(until - clock.now(), over.signal));
    } catch (error) {
      const isLost = wasUp && isFolkmootError(error, 'FOLKMOOT_BUS_LOST');
      const mayGoOn = isLost || (!isFirst && isFolkmootError(error, 'FOLKMOOT_BUS_FULL'));
      if (!mayGoOn || bus.state === 'closed') return reject(asError(error));
      // Not by the loss of the connection, which begins anew when it is back.
      if (isLost && bus.state === 'up') sendIn(backMs);
    }
  };
  const onAbort = () => reject(asError(signal.reason));
  signal.addEventListener('abort', onAbort, { once: true });
  const stop = bus.onState((state) => {
    clock.clearTimer(timer);
    if (state === 'closed') reject(lost());
    // Also for one that begins while others are not back yet.
    if (state === 'up' && registry.unsureMs > 0) sendIn(backMs);
  });
  const deadline = clock.setTimer(() => reject(bus.state === 'up' ? late(deadlineMs) : lost()), deadlineMs);
  try {
    void send(true);
    return await promise;
  } finally {
    stop();
    signal.removeEventListener('abort', onAbort);
    clock.clearTimer(timer);
    clock.clearTimer(deadline);
    over.abort();
  }
}

const lost = () => folkmootError('FOLKMOOT_BUS_LOST', 'The connection to the broker was lost, and is not back.');

const late = (ms: number) => folkmootError('FOLKMOOT_DEADLINE', `No answer came within ${ms} ms.`);
