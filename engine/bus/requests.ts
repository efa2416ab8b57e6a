/** Request and reply over publish and subscribe: a response topic of this process, told apart by correlation. */
import type { Clock } from '../clock.ts';
import { folkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Bus, BusMessage, Outgoing, Subscription } from './bus.ts';

export interface RequestsOptions {
  readonly clock: Clock;
  /** Where answers arrive. */
  readonly answerTopic: string;
  /** Most requests that wait at once. */
  readonly most: number;
  readonly publish: Bus['publish'];
  readonly subscribe: Bus['subscribe'];
}

export interface Requests {
  readonly request: Bus['request'];
  /** Ends all that wait with this error. */
  close(reason: Error): void;
}

interface Waiting {
  readonly accept: (answer: BusMessage) => boolean;
  readonly settle: (answer: BusMessage | Error) => void;
}

/** What both adapters use for `Bus.request`. The answers' subscription stands before the first request leaves. */
export function createRequests(options: RequestsOptions): Requests {
  const { clock } = options;
  const waiting = new Map<string, Waiting>();
  let listening: Promise<Subscription> | undefined;
  let closed: Error | undefined;

  const listen = () => {
    listening ??= options.subscribe(options.answerTopic, (answer) => {
      const asked = waiting.get(answer.correlation ?? '');
      if (asked?.accept(answer)) asked.settle(answer);
    });
    listening.catch(() => (listening = undefined));
    return listening;
  };

  const request: Bus['request'] = async (topic, message, { timeoutMs, signal, accept = () => true }) => {
    if (closed) throw closed;
    if (waiting.size >= options.most) {
      throw folkmootError('FOLKMOOT_BUS_FULL', `${waiting.size} requests on the bus already wait for an answer.`);
    }
    signal?.throwIfAborted();
    const ended = new AbortController();
    const correlation = newId();
    const answer = new Promise<BusMessage>((resolve, reject) => {
      const timer = clock.setTimer(
        () => settle(folkmootError('FOLKMOOT_DEADLINE', `No answer came to "${topic}" within ${timeoutMs} ms.`)),
        timeoutMs,
      );
      const onAbort = () => settle(signal?.reason as Error);
      const settle = (outcome: BusMessage | Error) => {
        waiting.delete(correlation);
        clock.clearTimer(timer);
        signal?.removeEventListener('abort', onAbort);
        if ('payload' in outcome) return resolve(outcome);
        reject(outcome);
        ended.abort(outcome);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.set(correlation, { settle, accept });
    });
    send(topic, message, correlation, ended.signal).catch((error: Error) => waiting.get(correlation)?.settle(error));
    return answer;
  };

  const send = async (topic: string, message: Outgoing, correlation: string, signal: AbortSignal) => {
    await listen();
    await options.publish(topic, { ...message, responseTopic: options.answerTopic, correlation }, signal);
  };

  return {
    request,
    close(reason) {
      closed = reason;
      for (const entry of [...waiting.values()]) entry.settle(reason);
    },
  };
}
