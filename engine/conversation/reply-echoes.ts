/**
 * Our own replies as they come back from the broker: only then are they surely out. A process that is killed between
 * publishing a reply and noting it gets it back after its restart, from the session that the broker kept, and so doesn't
 * send it again.
 */
import type { Bus, BusMessage, Subscription } from '../bus/bus.ts';
import { readAmica } from '../bus/amica.ts';
import { senderOf } from '../bus/our-properties.ts';
import type { Sender } from '../bus/our-properties.ts';
import { amicaTopics, ourTopics } from '../bus/topics.ts';
import type { Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';

export interface ReplyEchoesOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** How our own replies are known. */
  readonly sender: Sender;
  /** The last part of the reply to this request is out. The broker gives it again until this has resolved. */
  readonly told: (requestId: string) => Promise<void>;
  readonly report: (problem: Error) => void;
}

export interface ReplyEchoes {
  /** Resolves when all that the broker kept was seen, or after `limits.echoBacklogMs`. Never rejects. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export function createReplyEchoes(options: ReplyEchoesOptions): ReplyEchoes {
  const { bus, clock, sender } = options;
  let standing: Promise<Subscription | undefined> | undefined;
  const problem = (error: unknown): undefined => void options.report(asError(error));

  const receive = async (message: BusMessage) => {
    if (message.retained || senderOf(message.properties).process !== sender.process) return;
    const reading = readAmica(message);
    if (!('message' in reading) || reading.message.kind !== 'response' || !reading.message.isComplete) return;
    await options.told(message.topic.slice(message.topic.lastIndexOf('/') + 1));
  };
  /** A message of ours arrives behind all that waits for us at the broker. */
  const fence = async () => {
    const topic = ourTopics.answers(newId());
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimer(resolve, limits.echoBacklogMs);
    const own = await bus.subscribe(topic, () => resolve()).catch(() => undefined);
    bus.publish(topic, { payload: '', expirySeconds: 1 }).catch(() => undefined);
    await promise;
    clock.clearTimer(timer);
    void own?.close().catch(() => undefined);
  };
  return {
    async start() {
      standing ??= bus.subscribe(amicaTopics.replies('+'), receive).catch(problem);
      if (await standing) await fence();
    },
    async close() {
      await (await standing)?.close();
    },
  };
}
