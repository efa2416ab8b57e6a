/**
 * What arrives on A.M.I.C.A.'s request topic: good requests pass once, everything else is counted, reported, and where
 * it can be, answered in words. Nothing that arrives makes it throw.
 */
import { lastPartId, readAmica, writeEnded, writeResponse } from '../bus/amica.ts';
import type { AmicaOutgoing, AmicaReading, AmicaRequest } from '../bus/amica.ts';
import type { BusMessage } from '../bus/bus.ts';
import type { BusMetrics } from '../bus/metrics.ts';
import { senderOf } from '../bus/our-properties.ts';
import type { Sender } from '../bus/our-properties.ts';
import type { Clock } from '../clock.ts';
import { createArrivals } from '../arrivals.ts';
import { asError } from '../errors.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import { nameOf } from '../people/senders.ts';
import type { Senders } from '../people/senders.ts';
import type { KnownRequest, RequestMemory } from './intake-memory.ts';
import { createPacer } from './intake-pacer.ts';
import type { BadReports } from './intake-reports.ts';
import { refusalWords } from './intake-words.ts';
import type { IntakeReason } from './intake-words.ts';
import type { RequestLedger } from './request-ledger.ts';

export interface IntakeOptions {
  readonly clock: Clock;
  /** Ids of good requests. When the store fails, only those of this process are known. */
  readonly requests: Pick<RequestLedger, 'get' | 'claim' | 'forget'>;
  /** Ids of bad messages: nothing acts on them, so that no store need keep them. */
  readonly refused: RequestMemory;
  readonly reports: BadReports;
  /** Who may ask; absent: everybody. */
  readonly senders?: Senders | undefined;
  readonly metrics?: Pick<BusMetrics, 'refusedSender'> | undefined;
  /** How long a reply to a request that comes now may take. */
  readonly deadlineMs: () => number;
  /** A good request, the first time that it comes; false when there is no room for it. */
  readonly accept: (request: AmicaRequest) => boolean;
  /**
   * Publishes in order: a complete reply to a bad (`declines`) or repeated message, and the end of its conversation if
   * it has one.
   */
  readonly reply: (requestId: string, written: readonly AmicaOutgoing[], options: { declines: boolean }) => void;
  readonly onProblem: (problem: Error) => void;
  readonly agentId: string;
}

export interface Intake {
  /** Resolves when a good request was passed on. Never rejects. */
  readonly receive: (message: BusMessage) => Promise<void>;
  close(): void;
}

interface Refused {
  readonly reason: IntakeReason;
  readonly detail: string;
  readonly messageId?: string;
  readonly conversationId?: string;
}

export function createIntake(options: IntakeOptions): Intake {
  const { clock, requests, refused, reports } = options;
  const pace = { clock, perSecond: limits.badRepliesPerSecond, waiting: limits.badRepliesWaiting };
  const refusals = createPacer(pace);
  const repeats = createPacer(pace);
  /** Refused, and not told yet. */
  const waiting = new Set<string>();
  const arrival = createArrivals(clock);
  let isClosed = false;

  const knownOf = (id: string) => requests.get(id) ?? refused.get(id);
  const count = (message: BusMessage, reason: IntakeReason, detail: string, isUnanswered = false) =>
    reports.count({ topic: message.topic, reason, detail, payload: message.payload, isUnanswered });

  const answer = (requestId: string, conversationId: string | undefined, text: string, declines = false) => {
    const last = { requestId, conversationId: conversationId ?? newId(), message: text, isComplete: true, sequence: 1 };
    const { agentId } = options;
    const messageId = lastPartId(agentId, requestId, text);
    const reply = writeResponse({ ...last, atMs: clock.now(), agentId, messageId });
    const written = conversationId === undefined ? [reply] : [reply, writeEnded(conversationId)];
    options.reply(requestId, written, { declines });
  };

  /** False when too many wait already. */
  const tell = (messageId: string, conversationId: string | undefined, text: string): boolean => {
    const known = conversationId === undefined ? {} : { conversationId };
    const isTaken = refusals.add(() => {
      waiting.delete(messageId);
      refused.put(messageId, { ...known, reply: text });
      answer(messageId, conversationId, text, true);
    });
    if (!isTaken) return false;
    waiting.add(messageId);
    refused.put(messageId, known);
    return true;
  };

  const refuse = (message: BusMessage, { reason, detail, messageId, conversationId }: Refused) => {
    // An id that a request has already must not be answered a second time by what came later.
    const isTold = !messageId || knownOf(messageId) || tell(messageId, conversationId, refusalWords(reason));
    count(message, reason, detail, !isTold);
  };

  const refuseSender = (message: BusMessage, request: AmicaRequest) => {
    options.metrics?.refusedSender(message.topic);
    const detail = `"${nameOf(whoAsks(message, request))}" is not among those who may ask here.`;
    const { messageId, conversationId } = request;
    refuse(message, { reason: 'unknown sender', detail, messageId, conversationId });
  };

  const repeat = (message: BusMessage, requestId: string, { reply, conversationId }: KnownRequest) => {
    // Whoever asked did so once: the broker repeats what this process was killed over.
    const isTold =
      message.redelivered || reply === undefined || repeats.add(() => answer(requestId, conversationId, reply));
    count(message, 'repeated id', 'A request of this id came before.', !isTold);
  };

  const take = async (message: BusMessage, request: AmicaRequest): Promise<void> => {
    const { messageId, conversationId } = request;
    const problem = (error: unknown) => void options.onProblem(asError(error));
    const known = await requests.claim(request, options.deadlineMs()).catch(problem);
    if (known) return isClosed ? undefined : repeat(message, messageId, known);
    if (!isClosed && options.accept(request)) return;
    await requests.forget(messageId).catch(problem);
    if (isClosed) return;
    refuse(message, { reason: 'too busy', detail: 'Too many requests wait for answers.', messageId, conversationId });
  };

  return {
    async receive(message) {
      // What is looked up in between may take longer for one than for the next.
      const arrivedAt = arrival();
      // It was asked at another time: acting on it at each start would be wrong.
      if (message.retained) return count(message, 'retained', 'Requests must not be retained by the broker.');
      const { MESSAGE_ID: id = '' } = message.properties;
      const known = knownOf(id);
      if (known) return repeat(message, id, known);
      const request = requestOf(readAmica(message));
      if ('reason' in request) return refuse(message, request);
      if (options.senders && !options.senders.allows(whoAsks(message, request))) return refuseSender(message, request);
      await take(message, { ...request, arrivedAt });
    },
    close() {
      isClosed = true;
      refusals.close();
      repeats.close();
      // Whoever sends them again is told then.
      for (const id of waiting) refused.forget(id);
      waiting.clear();
    },
  };
}

const whoAsks = ({ properties }: BusMessage, { userName }: AmicaRequest): Sender => ({
  ...senderOf(properties),
  ...(userName ? { user: userName } : {}),
});

/** The request with its words tidied, or what is wrong with it. */
function requestOf(reading: AmicaReading): AmicaRequest | Refused {
  if ('fault' in reading) return reading.fault;
  const { message } = reading;
  const { messageId, conversationId } = message;
  const refused = (reason: IntakeReason, detail: string) => ({ reason, detail, messageId, conversationId });
  if (message.kind !== 'request') return refused('not a request', 'PAYLOAD_TYPE is of another kind of message.');
  const text = message.message.trim();
  if (text === '') return refused('no words', 'The message is blank.');
  if (text.length > limits.requestChars) return refused('too long', `The message has ${text.length} characters.`);
  // Line breaks and tabs are writing; the rest of these only ever does harm.
  if (/[^\P{C}\t\n\r\u200c\u200d]/u.test(text))
    return refused('control characters', 'The message has control characters.');
  return { ...message, message: text };
}
