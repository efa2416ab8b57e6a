/**
 * Whether this user may hear what it listens to. Some brokers refuse a subscription; others, such as mosquitto with an
 * access list, take every one and then give nothing. That shows only by what comes back, and not always.
 */
import type { Bus, Subscription } from '../../engine/bus/bus.ts';
import { ourTopics } from '../../engine/bus/topics.ts';
import type { Clock, Timer } from '../../engine/clock.ts';
import { isReply } from '../../engine/bus/valkey-outbox.ts';
import { asError, isFolkmootError } from '../../engine/errors.ts';
import { newId } from '../../engine/ids.ts';
import { limits } from '../../engine/limits.ts';
import { brokerHint } from './connection.ts';

/** A subscription or a message that the server's access rules do not allow. */
export const isRefusal = (error: unknown): boolean => isFolkmootError(error, 'FOLKMOOT_BUS_REFUSED') || isReply(error);

/** What to tell of one or more refusals: which, and what to do. */
export function refusedWords(errors: readonly unknown[]): string {
  const messages = errors.map((error) => asError(error).message);
  const named = messages.flatMap((message) => /to subscribe to "([^"]*)"/.exec(message)?.[1] ?? []);
  if (named.length < messages.length) return `${messages.join('\n')} ${brokerHint(messages.join())}`;
  const isValkey = messages.some((message) => message.includes('NOPERM'));
  const what = `The ${isValkey ? 'server' : 'broker'} does not let this user hear ${named.map((one) => `"${one}"`).join(', ')}.`;
  return `${what} ${brokerHint(isValkey ? messages.join() : what)}`;
}

/** Nothing when what is sent to a topic of ours comes back; else what to tell when nothing else came either. */
export async function deafTo(pattern: string, bus: Bus, clock: Clock): Promise<string | undefined> {
  const isSent = await sendToItself(bus, clock);
  if (isSent === 'heard') return undefined;
  const hint = brokerHint('does not let');
  return isSent === 'silent'
    ? `The broker gives this user nothing of "${pattern}": its access rules do not let it read there. ${hint}`
    : `Nothing of "${pattern}" came, and what this user sends there is refused: it seems that it may not read there either. ${hint}`;
}

async function sendToItself(bus: Bus, clock: Clock): Promise<'heard' | 'silent' | 'refused'> {
  const topic = ourTopics.answers(`hears-${newId()}`);
  const { promise, resolve } = Promise.withResolvers<'heard' | 'silent' | 'refused'>();
  let subscription: Subscription | undefined;
  let timer: Timer | undefined;
  try {
    subscription = await bus.subscribe(topic, () => resolve('heard'));
    await bus.publish(topic, { payload: '{}', onlyNow: true });
    timer = clock.setTimer(() => resolve('silent'), limits.registryReadyMs);
    return await promise;
  } catch (error) {
    // A connection that was lost just now says nothing of rights.
    return isRefusal(error) ? 'refused' : 'heard';
  } finally {
    clock.clearTimer(timer);
    await subscription?.close();
  }
}
