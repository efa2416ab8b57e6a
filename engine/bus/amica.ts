/**
 * A.M.I.C.A.'s messages on the wire: the payload is the body, the envelope three MQTT user properties
 * (seed-contracts.md A3 and A4). Reading never throws; what can't be read comes back as a fault with a reason.
 */
import { newId, uuidOf } from '../ids.ts';
import { ajv } from '../language/ajv.ts';
import type { ErrorObject, ValidateFunction } from '../language/ajv.ts';
import { limits } from '../limits.ts';
import { parseAmicaDate, writeAmicaDate } from './amica-date.ts';
import { agentResponseSchema, conversationEndedSchema, userRequestSchema } from './amica-schemas.ts';
import type { BusMessage, Outgoing } from './bus.ts';
import { readForeignJson } from './foreign-json.ts';
import { depthOf, propertyNames } from './our-properties.ts';
import { amicaTopics } from './topics.ts';

const payloadPackage = 'es.nachobrito.amica.domain.model.message.payload';

/** The Java class names that say what the body is. */
export const amicaTypes = {
  request: `${payloadPackage}.UserRequest`,
  response: `${payloadPackage}.AgentResponse`,
  ended: `${payloadPackage}.ConversationEnded`,
} as const;

export type AmicaKind = keyof typeof amicaTypes;

interface Envelope {
  readonly messageId: string;
  readonly conversationId: string;
}

export interface AmicaRequest extends Envelope {
  readonly kind: 'request';
  /** Runs that led to it, when it was another home that asked. */
  readonly depth?: number;
  /** Absent when the sender left it out, which the schema allows. */
  readonly userName?: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at?: number;
  /** When it came here, later than all before it (`createArrivals`). */
  readonly arrivedAt?: number;
}

export interface AmicaResponse extends Envelope {
  readonly kind: 'response';
  readonly message: string;
  readonly isComplete: boolean;
  /** 1 at first; the shipped Java agent begins at 0. */
  readonly sequence: number;
  readonly at?: number;
  /** Ours says who answers; Java agents don't. */
  readonly agentId?: string;
}

export interface AmicaEnded extends Envelope {
  readonly kind: 'ended';
  readonly endedConversation: string;
}

export type AmicaMessage = AmicaRequest | AmicaResponse | AmicaEnded;

export type AmicaFaultReason =
  | 'no message id'
  | 'unusable message id'
  | 'no conversation id'
  | 'unusable conversation id'
  | 'no payload type'
  | 'unknown payload type'
  | 'too large'
  | 'empty'
  | 'binary'
  | 'too deep'
  | 'malformed JSON'
  | 'wrong field';

export interface AmicaFault {
  readonly reason: AmicaFaultReason;
  /** For logs. */
  readonly detail: string;
  /** When it can be read, the sender can be answered. */
  readonly messageId?: string;
  readonly conversationId?: string;
}

export type AmicaReading = { readonly message: AmicaMessage } | { readonly fault: AmicaFault };

/** A name becomes a source of rows and part of prompts. */
const userNameChars = 100;

/** Ids become topics, keys and file names elsewhere: short, and without what has a meaning there. */
const isUsableId = (id: string): boolean => id.length <= 128 && /^[^\s.+#/\\{}\p{C}]+$/u.test(id);

/** Reads one message of any of the three kinds. */
export function readAmica(incoming: BusMessage): AmicaReading {
  const { MESSAGE_ID: messageId, CONVERSATION_ID: conversationId, PAYLOAD_TYPE: type } = incoming.properties;
  if (!messageId) return fault('no message id', 'The user property MESSAGE_ID is missing.');
  if (!isUsableId(messageId)) return fault('unusable message id', 'MESSAGE_ID can not be part of a topic.');
  const known = { messageId, ...(conversationId && isUsableId(conversationId) ? { conversationId } : {}) };
  if (!conversationId) return fault('no conversation id', 'The user property CONVERSATION_ID is missing.', known);
  if (!isUsableId(conversationId)) {
    return fault('unusable conversation id', 'CONVERSATION_ID can not be used as a name.', known);
  }
  if (!type) return fault('no payload type', 'The user property PAYLOAD_TYPE is missing.', known);
  const kind = (Object.keys(amicaTypes) as AmicaKind[]).find((name) => amicaTypes[name] === type);
  if (!kind) return fault('unknown payload type', `PAYLOAD_TYPE is ${JSON.stringify(type.slice(0, 100))}.`, known);
  return readBody(incoming, kind, { messageId, conversationId });
}

function readBody(incoming: BusMessage, kind: AmicaKind, envelope: Envelope): AmicaReading {
  const bytes = incoming.payload.length;
  if (bytes > limits.busPayloadBytes) {
    return fault('too large', `The payload has ${bytes} bytes; ${limits.busPayloadBytes} are the most.`, envelope);
  }
  const json = readForeignJson(incoming.payload, limits.jsonDepth);
  if ('fault' in json) return fault(json.fault, json.detail, envelope);
  const validate = validators()[kind];
  if (!validate(json.value)) return fault('wrong field', detailOf(validate.errors ?? []), envelope);
  return { message: messageOf(kind, json.value as Body, envelope, incoming.properties) };
}

interface Body {
  readonly message?: string | null;
  readonly userName?: string | null;
  readonly dateTime?: string | null;
  readonly isComplete?: boolean | null;
  readonly sequenceNumber?: { readonly value?: number } | null;
  readonly conversationId?: string;
}

function messageOf(
  kind: AmicaKind,
  body: Body,
  envelope: Envelope,
  properties: BusMessage['properties'],
): AmicaMessage {
  const time = body.dateTime ? parseAmicaDate(body.dateTime) : undefined;
  const at = time === undefined ? {} : { at: time };
  const message = body.message ?? '';
  switch (kind) {
    case 'request': {
      const userName = (body.userName ?? '')
        .replace(/\p{C}+/gu, ' ')
        .trim()
        .slice(0, userNameChars);
      const depth = depthOf(properties);
      return { kind, ...envelope, message, ...at, ...(userName ? { userName } : {}), ...(depth ? { depth } : {}) };
    }
    case 'response': {
      const sequence = body.sequenceNumber ? (body.sequenceNumber.value ?? 0) : 1;
      const isComplete = body.isComplete ?? false;
      const agentId = properties[propertyNames.agent];
      return { kind, ...envelope, message, isComplete, sequence, ...at, ...(agentId ? { agentId } : {}) };
    }
    case 'ended':
      return { kind, ...envelope, endedConversation: body.conversationId ?? '' };
  }
}

let compiled: Readonly<Record<AmicaKind, ValidateFunction>> | undefined;

/** Compiled with the first message: a home without A.M.I.C.A. need not load ajv for it. */
function validators(): Readonly<Record<AmicaKind, ValidateFunction>> {
  if (!compiled) {
    const checker = ajv().addFormat('amica-date', (text: string) => parseAmicaDate(text) !== undefined);
    compiled = {
      request: checker.compile(userRequestSchema),
      response: checker.compile(agentResponseSchema),
      ended: checker.compile(conversationEndedSchema),
    };
  }
  return compiled;
}

const detailOf = (errors: readonly ErrorObject[]): string =>
  errors
    .map((error) => `${error.instancePath.slice(1) || 'the body'} ${error.message ?? 'is wrong'}`)
    .join('; ')
    .concat('.');

const fault = (reason: AmicaFaultReason, detail: string, known: Partial<Envelope> = {}): AmicaReading => ({
  fault: { reason, detail, ...known },
});

/** A message with its topic, ready to publish. Quality 1, never retained. */
export interface AmicaOutgoing {
  readonly topic: string;
  readonly message: Outgoing;
}

/** What a person asks. `atMs` since the epoch. */
export function writeRequest(request: {
  readonly messageId: string;
  readonly conversationId: string;
  readonly userName: string;
  readonly message: string;
  readonly atMs: number;
}): AmicaOutgoing {
  const { messageId, conversationId, userName, message, atMs } = request;
  const body = { dateTime: writeAmicaDate(atMs), userName, message };
  return { topic: amicaTopics.requests, message: outgoing(messageId, conversationId, 'request', body) };
}

/**
 * MESSAGE_ID of the last part of a reply. A process that was killed before it knew that the reply was out sends it again,
 * and readers know it by this. @param text The whole reply, of which the last part may be the rest.
 */
export const lastPartId = (agentId: string, requestId: string, text: string): string =>
  uuidOf('reply', agentId, requestId, text);

/** One part of a reply; numbers begin at 1, and only the last part is complete. */
export function writeResponse(response: {
  readonly requestId: string;
  readonly conversationId: string;
  readonly message: string;
  readonly isComplete: boolean;
  readonly sequence: number;
  readonly atMs: number;
  readonly agentId?: string;
  /** Default: a new one. */
  readonly messageId?: string;
}): AmicaOutgoing {
  const { message, isComplete, sequence, atMs, agentId, messageId = newId() } = response;
  const body = { message, dateTime: writeAmicaDate(atMs), isComplete, sequenceNumber: { value: sequence } };
  const written = outgoing(messageId, response.conversationId, 'response', body, agentId);
  return { topic: amicaTopics.replies(response.requestId), message: written };
}

/** Tells everybody that a conversation ended; its envelope has ids of its own (seed-contracts.md A3). */
export function writeEnded(conversationId: string): AmicaOutgoing {
  return { topic: amicaTopics.events, message: outgoing(newId(), newId(), 'ended', { conversationId }) };
}

function outgoing(messageId: string, conversationId: string, kind: AmicaKind, body: object, agentId = ''): Outgoing {
  return {
    payload: JSON.stringify(body),
    properties: {
      MESSAGE_ID: messageId,
      CONVERSATION_ID: conversationId,
      PAYLOAD_TYPE: amicaTypes[kind],
      ...(agentId ? { AGENT_ID: agentId } : {}),
    },
  };
}
