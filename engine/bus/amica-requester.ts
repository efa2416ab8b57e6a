/**
 * Asking over A.M.I.C.A.'s topics, as its command line does: a broadcast that any number of agents may answer. Each
 * agent's reply comes in order; the first that is whole does not end it, for another one may be the better one.
 */
import type { Clock, Timer } from '../clock.ts';
import { asError, folkmootError } from '../errors.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import { readAmica, writeRequest } from './amica.ts';
import type { Bus, BusMessage } from './bus.ts';
import { senderOf } from './our-properties.ts';
import { createReplyOrder } from './reply-order.ts';
import type { OrderedPart, ReplyOrder } from './reply-order.ts';
import { amicaTopics } from './topics.ts';

export interface AmicaRequesterOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** More user properties of each request, such as `senderProperties` gives. */
  readonly properties?: Readonly<Record<string, string>>;
}

export interface AmicaQuestion {
  readonly message: string;
  readonly userName: string;
  /** Default: one of its own. Agents of Folkmoot keep the context of a conversation. */
  readonly conversation?: string;
  /** Its MESSAGE_ID; default: a new one. */
  readonly id?: string;
  /** Silence that ends it while nobody's answer is whole. Default `limits.replySilenceMs`. */
  readonly silenceMs?: number;
  /** Once all that began are whole, so long another one may begin. Default `limits.replySettleMs`. */
  readonly settleMs?: number;
  /**
   * After the connection was lost and is back, so long something more may come; then the answer counts as lost with the
   * broker. Default: nothing is made of that, for a person sees that nothing comes.
   */
  readonly lossMs?: number;
  /**
   * Called when it was sent, with what sends the same once more: for somebody who comes later. Then nothing happens once an
   * answer has begun, and who has it already does nothing twice. Gives what ends that.
   */
  readonly again?: (send: () => void) => () => void;
  readonly signal?: AbortSignal;
}

/** A piece of one agent's reply. */
export interface ReplyPart {
  /** Which reply to this request it is part of: 1 for the first that began. */
  readonly reply: number;
  readonly text: string;
  /** The reply ends with this part. */
  readonly isComplete: boolean;
  /** Who answers; absent for agents that don't say. */
  readonly agentId?: string;
  readonly house?: string;
}

export interface AmicaAnswers {
  /** Replies that came whole, and those that began and fell silent. */
  readonly complete: number;
  readonly unfinished: number;
  /** Messages on the reply topic that were no replies. */
  readonly unreadable: number;
}

export interface AmicaRequester {
  /**
   * Sends it when the first part is asked for, and gives parts as they come; several replies may be interleaved. Ends
   * when all that began are whole and nobody else began for a while. Whoever stops reading ends it, too.
   * Throws FOLKMOOT_DEADLINE when nobody's answer came whole in time, FOLKMOOT_BUS_LOST when it may be lost with the broker,
   * FOLKMOOT_LIMIT when parts come faster than they are read, what publishing throws, or the signal's reason.
   */
  ask(question: AmicaQuestion): AsyncGenerator<ReplyPart, AmicaAnswers>;
}

export function createAmicaRequester(options: AmicaRequesterOptions): AmicaRequester {
  const { bus, clock } = options;
  return {
    async *ask(question) {
      const { message, userName, id = newId(), conversation = newId(), signal } = question;
      signal?.throwIfAborted();
      const wait = createWait(question, clock);
      const onAbort = () => wait.end(asError(signal?.reason));
      signal?.addEventListener('abort', onAbort, { once: true });
      const sending = new AbortController();
      let isSent = false;
      let isUnsure = false;
      let stopAgain: (() => void) | undefined;
      const stop = bus.onState((state) => {
        // What was not acknowledged is sent again by itself.
        if (state === 'down') isUnsure ||= isSent;
        if (question.lossMs !== undefined && isUnsure) wait.doubt(state === 'up' ? question.lossMs : undefined);
      });
      // Acknowledged before the request leaves: the first reply may come within milliseconds.
      const subscribed = bus.subscribe(amicaTopics.replies(id), (part) => wait.receive(part, conversation));
      try {
        await Promise.race([subscribed, wait.failed]);
        const request = { messageId: id, conversationId: conversation, userName, message, atMs: clock.now() };
        const { topic, message: written } = writeRequest(request);
        const properties = { ...written.properties, ...options.properties };
        const publish = () => bus.publish(topic, { ...written, properties }, sending.signal);
        publish().then(
          () => (isSent = true),
          (error: unknown) => {
            if (!sending.signal.aborted) wait.end(asError(error));
          },
        );
        stopAgain = question.again?.(() => {
          if (!wait.hasBegun) void publish().catch(() => undefined);
        });
        return yield* wait.parts();
      } finally {
        signal?.removeEventListener('abort', onAbort);
        stop();
        stopAgain?.();
        wait.end();
        // What still waits for the broker must not leave when nobody listens any more.
        sending.abort(folkmootError('FOLKMOOT_CANCELLED', 'Nobody waits for the answer any more.'));
        // One that never stood, or whose connection is gone, has nothing to end.
        void subscribed.then((subscription) => subscription.close()).catch(() => undefined);
      }
    },
  };
}

interface Wait {
  receive(message: BusMessage, conversation: string): void;
  /** What came, until it ends; the error that it ended with is thrown. */
  parts(): AsyncGenerator<ReplyPart, AmicaAnswers>;
  /** Rejects when it ends with an error. */
  readonly failed: Promise<never>;
  /** Something of an answer came. */
  readonly hasBegun: boolean;
  /** Unless a part of an answer comes within that time, what was asked or answered counts as lost. Undefined: not yet. */
  doubt(ms: number | undefined): void;
  end(error?: Error): void;
}

/** Parts that came and were not read yet, and the clocks that end it. */
function createWait(question: AmicaQuestion, clock: Clock): Wait {
  const { silenceMs = limits.replySilenceMs, settleMs = limits.replySettleMs } = question;
  const queue: ReplyPart[] = [];
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  let unreadable = 0;
  let ended: { readonly error?: Error } | undefined;
  let timer: Timer | undefined;
  let doubting: Timer | undefined;
  let wake = () => undefined as void;

  const deliver = (part: OrderedPart) => {
    queue.push(partOf(part));
    if (queue.length > limits.replyParts) {
      return end(folkmootError('FOLKMOOT_LIMIT', `More than ${limits.replyParts} parts of replies wait to be read.`));
    }
    listen();
    wake();
  };
  const order: ReplyOrder = createReplyOrder({ clock, deliver });

  const end = (error?: Error) => {
    if (ended) return;
    ended = error ? { error } : {};
    clock.clearTimer(timer);
    clock.clearTimer(doubting);
    order.close();
    if (error) fail(error);
    wake();
  };
  const onSilence = () => {
    if (order.counts.complete > 0) return end();
    // What waits behind a gap is shown all the same.
    const began = order.counts.open > 0 ? 'An answer began, but its end did not come' : 'No answer came';
    end(folkmootError('FOLKMOOT_DEADLINE', `${began} within ${Math.round(silenceMs / 1000)} s.`));
  };
  const listen = () => {
    clock.clearTimer(timer);
    if (ended) return;
    const { open, complete } = order.counts;
    const ms = complete === 0 ? silenceMs : open === 0 ? settleMs : Math.min(silenceMs, limits.replyUnfinishedMs);
    timer = clock.setTimer(onSilence, ms);
  };
  listen();

  const onLoss = () => {
    if (order.counts.complete > 0) return end();
    end(folkmootError('FOLKMOOT_BUS_LOST', 'The broker was away in between, so the answer may be lost. Ask again.'));
  };

  return {
    failed,
    get hasBegun() {
      return order.counts.open + order.counts.complete > 0;
    },
    doubt(ms) {
      clock.clearTimer(doubting);
      if (!ended && ms !== undefined) doubting = clock.setTimer(onLoss, ms);
    },
    receive(message, conversation) {
      if (ended) return;
      // The topic says which request it answers; A.M.I.C.A.'s reader does without the conversation, too.
      const properties = { CONVERSATION_ID: conversation, ...message.properties };
      const reading = readAmica({ ...message, properties });
      if (message.retained || 'fault' in reading || reading.message.kind !== 'response') return void (unreadable += 1);
      const { messageId, sequence, isComplete, message: text } = reading.message;
      const { agentId, house, process } = senderOf(message.properties);
      const responder = [agentId, house, process].filter(Boolean).join(' ');
      const sender = {
        ...(responder ? { responder } : {}),
        ...(agentId ? { agentId } : {}),
        ...(house ? { house } : {}),
      };
      clock.clearTimer(doubting);
      order.add({ messageId, sequence, isComplete, text, ...sender });
      listen();
    },
    async *parts() {
      for (;;) {
        for (let part = queue.shift(); part; part = queue.shift()) yield part;
        if (ended) break;
        await new Promise<void>((resolve) => (wake = resolve));
      }
      if (ended.error) throw ended.error;
      const { complete, open } = order.counts;
      return { complete, unfinished: open, unreadable };
    },
    end,
  };
}

const partOf = ({ reply, text, isComplete, agentId, house }: OrderedPart): ReplyPart => ({
  reply,
  text,
  isComplete,
  ...(agentId ? { agentId } : {}),
  ...(house ? { house } : {}),
});
