/** Whether a bus works, in words: for the dialog's Test button and `folkmoot doctor`. */
import type { Clock } from '../clock.ts';
import { asError, isFolkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Bus } from './bus.ts';
import { ourTopics } from './topics.ts';
import { isReply } from './valkey-outbox.ts';

export interface CheckResult {
  readonly isOk: boolean;
  /** A sentence without a full stop: what works, or what is wrong and what to do. */
  readonly text: string;
  /** The server lets this user in, and does not let it send a message to itself. */
  readonly lacksRight?: true;
}

/** Connects, and sends a message to itself. Never rejects; ends within `timeoutMs`. */
export async function checkBus(
  bus: Pick<Bus, 'onState' | 'publish' | 'subscribe'>,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<CheckResult> {
  const { promise, resolve } = Promise.withResolvers<CheckResult>();
  const began = clock.now();
  const failed = (text: string, more: Pick<CheckResult, 'lacksRight'> = {}) => resolve({ isOk: false, text, ...more });
  let late = () => failed('nobody answers there');
  const timer = clock.setTimer(() => late(), timeoutMs);
  const stop = bus.onState((state, reason = '') => {
    if (state === 'down' || state === 'closed') failed(reason.replace(/^\S+: /, '') || 'the connection was lost');
    if (state !== 'up') return;
    late = () =>
      failed('connected, but messages do not come back: the access rules of the server do not let us read and write', {
        lacksRight: true,
      });
    sendToItself(bus).then(
      () => resolve({ isOk: true, text: `connected, and messages come back (${clock.now() - began} ms)` }),
      (error: unknown) => {
        const isRefused = isFolkmootError(error, 'FOLKMOOT_BUS_REFUSED') || isReply(error);
        const words = asError(error).message.replace(/^The /, 'the ').replace(/\.$/, '');
        failed(`connected, but ${words}`, isRefused ? { lacksRight: true } : {});
      },
    );
  });
  return promise.finally(() => {
    stop();
    clock.clearTimer(timer);
  });
}

async function sendToItself(bus: Pick<Bus, 'publish' | 'subscribe'>): Promise<void> {
  const topic = ourTopics.answers(`check-${newId()}`);
  const { promise, resolve } = Promise.withResolvers<void>();
  const subscription = await bus.subscribe(topic, () => resolve());
  await bus.publish(topic, { payload: 'x', onlyNow: true });
  await promise;
  await subscription.close();
}
