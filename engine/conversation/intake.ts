/**
 * What arrives on A.M.I.C.A.'s request topic: good requests pass once, everything else is counted, reported, and where
 * it can be, answered in words. Nothing that arrives makes it throw.
 */
import { readAmica, writeResponse } from '../bus/amica.ts';
import type { AmicaOutgoing, AmicaReading, AmicaRequest } from '../bus/amica.ts';
import type { BusMessage } from '../bus/bus.ts';
import type { Clock } from '../clock.ts';
import { newId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { RequestMemory } from './intake-memory.ts';
import { createPacer } from './intake-pacer.ts';
import type { BadReports } from './intake-reports.ts';
import { refusalWords } from './intake-words.ts';
import type { IntakeReason } from './intake-words.ts';

export interface IntakeOptions {
  readonly clock: Clock;
  readonly memory: RequestMemory;
  readonly reports: BadReports;
  /** A good request, the first time that it comes; false when there is no room for it. */
  readonly accept: (request: AmicaRequest) => boolean;
  /** Publishes a reply to a bad or repeated message; its failing is its own matter. */
  readonly reply: (written: AmicaOutgoing) => void;
  readonly agentId: string;
}

export interface Intake {
  readonly receive: (message: BusMessage) => void;
  close(): void;
}

interface Refused {
  readonly reason: IntakeReason;
  readonly detail: string;
  readonly messageId?: string;
  readonly conversationId?: string;
}

export function createIntake(options: IntakeOptions): Intake {
  const { clock, memory, reports } = options;
  const pace = { clock, perSecond: limits.badRepliesPerSecond, waiting: limits.badRepliesWaiting };
  const refusals = createPacer(pace);
  const repeats = createPacer(pace);

  const count = (message: BusMessage, reason: IntakeReason, detail: string) =>
    reports.count({ topic: message.topic, reason, detail, payload: message.payload });

  const answer = (requestId: string, conversationId: string, text: string) => {
    const last = { requestId, conversationId, message: text, isComplete: true, sequence: 1 };
    options.reply(writeResponse({ ...last, atMs: clock.now(), agentId: options.agentId }));
  };

  const refuse = (message: BusMessage, refused: Refused) => {
    count(message, refused.reason, refused.detail);
    const { messageId, conversationId = newId() } = refused;
    // An id that a request has already must not be answered a second time by what came later.
    if (!messageId || memory.get(messageId)) return;
    const isTaken = refusals.add(() => {
      const text = refusalWords(refused.reason);
      memory.done(messageId, conversationId, text);
      answer(messageId, conversationId, text);
    });
    if (isTaken) memory.running(messageId, conversationId);
  };

  const repeat = (message: BusMessage, requestId: string, known: NonNullable<ReturnType<RequestMemory['get']>>) => {
    count(message, 'repeated id', 'A request of this id came before.');
    const { reply, conversationId } = known;
    if (reply !== undefined) repeats.add(() => answer(requestId, conversationId, reply));
  };

  return {
    receive(message) {
      // It was asked at another time: acting on it at each start would be wrong.
      if (message.retained) return count(message, 'retained', 'Requests must not be retained by the broker.');
      const { MESSAGE_ID: id = '' } = message.properties;
      const known = memory.get(id);
      if (known) return repeat(message, id, known);
      const request = requestOf(readAmica(message));
      if ('reason' in request) return refuse(message, request);
      if (options.accept(request)) return memory.running(request.messageId, request.conversationId);
      const { messageId, conversationId } = request;
      refuse(message, { reason: 'too busy', detail: 'Too many requests wait for answers.', messageId, conversationId });
    },
    close() {
      refusals.close();
      repeats.close();
    },
  };
}

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
