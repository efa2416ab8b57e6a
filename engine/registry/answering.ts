/** Answering what comes with a response topic: where an answer may go, who may ask, and what is too large to send. */
import type { Bus, BusMessage, Handover, Subscription } from '../bus/bus.ts';
import type { OurKind, OurMessages } from '../bus/our-message.ts';
import type { OurBodies } from '../bus/our-payloads.ts';
import { senderOf, senderProperties, type Sender } from '../bus/our-properties.ts';
import { topicFault } from '../bus/topics.ts';
import { limits } from '../limits.ts';
import type { AskAnswer } from '../moot.ts';

/** Why this sender may not ask, in words for people; nothing when it may. */
export type Refusal = (sender: Sender, topic: string) => string | undefined;

export interface AnsweringOptions {
  readonly bus: Bus;
  readonly messages: OurMessages;
  /** Who answers. */
  readonly sender: Sender;
  readonly refusal: Refusal;
  readonly report: (problem: unknown) => void;
}

/** One that asks, with where its answer goes. */
export interface Asked<K extends OurKind> {
  readonly body: OurBodies[K];
  readonly sender: Sender;
  /** The same for everything that this asker sends: who it says it is, and where it listens. */
  readonly asker: string;
  readonly correlation: string;
  /** As it came. */
  readonly message: BusMessage;
  /** Never rejects. */
  readonly answer: (body: object) => Promise<void>;
}

export interface Answering {
  /** @param open Asked and not answered: somebody who comes in this one's place gets it, with what comes meanwhile. */
  close(open?: readonly BusMessage[]): Promise<void>;
}

/**
 * Hands on what comes on the topic and may be answered. What can't be answered is counted and dropped: without a response
 * topic, or with one that others would take for something else. What is in a wrong form is refused in words.
 */
export function createAnswering<K extends OurKind>(
  options: AnsweringOptions & { readonly topic: string; readonly kind: K },
  handle: (asked: Asked<K>) => void,
): Answering {
  const { bus, messages, topic, kind, refusal, report } = options;
  let left: BusMessage[] | undefined;

  const answerTo = (responseTopic: string, correlation: string) => async (body: object) => {
    const message = { properties: senderProperties(options.sender), correlation };
    const payload = JSON.stringify(body);
    const isTooLarge = Buffer.byteLength(payload) > limits.busPayloadBytes;
    const sent = isTooLarge ? JSON.stringify(tooLarge) : payload;
    await bus.publish(responseTopic, { ...message, payload: sent, onlyNow: true }).catch(report);
  };

  const receive = (message: BusMessage) => {
    if (left) return void left.push(message);
    const { responseTopic = '', correlation = '' } = message;
    const body = messages.read(kind, message, (detail) => {
      if (answerTopicFault(responseTopic) || left) return;
      const words = `Your message could not be used: ${detail}`;
      messages.paced(() => void answerTo(responseTopic, correlation)(refusedAnswer(words, 'FOLKMOOT_MESSAGE_INVALID')));
    });
    if (!body) return;
    const fault = answerTopicFault(responseTopic);
    if (fault) return messages.drop(kind, message, 'no response topic', fault);
    const sender = senderOf(message.properties);
    const answer = answerTo(responseTopic, correlation);
    const refused = refusal(sender, topic);
    if (refused === undefined) {
      const asker = JSON.stringify([sender.process ?? '', sender.agentId ?? '', responseTopic]);
      return handle({ body, sender, asker, correlation, message, answer });
    }
    messages.drop(kind, message, 'not allowed', refused);
    void answer(refusedAnswer(refused));
  };

  const subscription = bus.subscribe(topic, receive);
  subscription.catch(report);
  const unheard: Handover['unheard'] = ({ responseTopic = '', correlation = '' }, why) =>
    answerTopicFault(responseTopic) ? undefined : answerTo(responseTopic, correlation)(gone[why]);
  return {
    async close(open) {
      left = [...(open ?? [])];
      const made = await subscription.catch((): Subscription | undefined => undefined);
      await made?.close(open ? { again: left, unheard } : undefined).catch(report);
    },
  };
}

/** An asker must not make us speak on topics where our answer would be taken for a request, a card or an order. */
export function answerTopicFault(topic: string): string | undefined {
  if (topic === '') return 'It names no response topic, so nobody would get the answer.';
  const fault = topicFault(topic);
  if (fault) return fault;
  const isElsewhere = !/^\/?es\/nachobrito\//.test(topic) && !/^\$/.test(topic);
  const isFree = !topic.startsWith('folkmoot/v1/') || topic.startsWith('folkmoot/v1/answers/');
  return isElsewhere && isFree ? undefined : 'Its response topic is not one for answers.';
}

/** So many ask at once that not all of them can be heard. */
export const tooMany = 'Too many ask at once. Try again.';

export const refusedAnswer = (
  words: string,
  code: 'FOLKMOOT_NOT_ALLOWED' | 'FOLKMOOT_LIMIT' | 'FOLKMOOT_MESSAGE_INVALID' = 'FOLKMOOT_NOT_ALLOWED',
) => ({ status: 'refused', payload: words, mutations: [], error: { code, message: words } }) satisfies AskAnswer;

/** What is answered in the place of one that a deploy took away. */
const gone: Readonly<Record<'nobody' | 'too many', AskAnswer>> = {
  nobody: {
    status: 'failed',
    payload: 'I am not here any more.',
    mutations: [],
    error: { code: 'FOLKMOOT_NOT_HERE', message: 'A deploy took it away, and nobody came in its place.' },
  },
  'too many': refusedAnswer(tooMany, 'FOLKMOOT_LIMIT'),
};

const tooLarge: AskAnswer = {
  status: 'failed',
  payload: 'The answer was too long to send.',
  mutations: [],
  error: { code: 'FOLKMOOT_LIMIT', message: `The answer is over the limit of ${limits.busPayloadBytes} bytes.` },
};
