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

export interface Deaf {
  /** `silent`: it may send there, and hears nothing; `refused`: it may not send there, and perhaps not hear either. */
  readonly why: 'silent' | 'refused';
  /** What to tell when nothing, or `part` of it, came. */
  readonly text: string;
}

export interface DeafOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** Topics to send to; default: one for answers. */
  readonly topics?: readonly string[];
  /** Something came all the same. */
  readonly hasPart?: boolean;
}

/** Nothing when what is sent to topics of ours comes back from each. */
export async function deafTo(
  pattern: string,
  { bus, clock, topics, hasPart = false }: DeafOptions,
): Promise<Deaf | undefined> {
  const sent = topics ?? [ourTopics.answers(`hears-${newId()}`)];
  const all = await Promise.all(sent.map((topic) => sendToItself(topic, bus, clock)));
  const why = (['silent', 'refused'] as const).find((one) => all.includes(one));
  return why && { why, text: `${deafWords(pattern, why, hasPart)} ${brokerHint('does not let')}` };
}

function deafWords(pattern: string, why: Deaf['why'], hasPart: boolean): string {
  const [much, where] = hasPart ? ['only a part', 'the rest'] : ['nothing', 'there'];
  if (why === 'silent')
    return `The broker gives this user ${much} of "${pattern}": its access rules do not let it read ${where}.`;
  const came = hasPart ? `Only a part of "${pattern}"` : `Nothing of "${pattern}"`;
  return `${came} came, and what this user sends there is refused: it seems that it may not read ${where} either.`;
}

async function sendToItself(topic: string, bus: Bus, clock: Clock): Promise<'heard' | 'silent' | 'refused'> {
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
