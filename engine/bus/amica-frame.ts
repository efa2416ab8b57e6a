/**
 * A.M.I.C.A.'s messages on a Valkey channel (seed-contracts.md A9): five parts with `@@` between them, on a channel that
 * is named with dots. Two `@` in JSON are written as `@\u0040`, which every reader of JSON takes for the same; what is
 * ours (`AGENT_ID` and such) goes along as one more property of the JSON, which Java readers pass over.
 */
import { folkmootError } from '../errors.ts';
import type { Outgoing } from './bus.ts';
import { fromMqttTopic, toMqttTopic } from './topics.ts';

const separator = '@@';
const envelope = ['MESSAGE_ID', 'CONVERSATION_ID', 'PAYLOAD_TYPE'] as const;
/** Name of the property that holds our own user properties. */
const extraMark = ',"folkmootProperties":';

/**
 * Whether it has properties of ours already, so that one more (an outbox's) changes nothing for other programs: what is a
 * payload only, or A.M.I.C.A.'s envelope only, stays as they know it.
 */
export const hasOwnProperties = ({ properties = {} }: Pick<Outgoing, 'properties'>): boolean =>
  Object.keys(properties).some((name) => !envelope.some((known) => known === name));

export interface AmicaFrame {
  /** As on MQTT, with `/`. */
  readonly topic: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly payload: Buffer;
}

/** What begins with `/` is A.M.I.C.A.'s. */
export const isAmicaTopic = (topic: string): boolean => topic.startsWith('/');

/**
 * `/a/b` → `a.b`. Throws FOLKMOOT_MESSAGE_INVALID for a topic that has a dot, which would come back as another one.
 */
export function amicaChannel(topic: string): string {
  if (topic.includes('.')) {
    throw folkmootError(
      'FOLKMOOT_MESSAGE_INVALID',
      `"${topic}" has a dot in it, so its channel would be that of another topic.`,
    );
  }
  return fromMqttTopic(topic);
}

/** Throws FOLKMOOT_MESSAGE_INVALID for what does not fit into five parts. */
export function writeAmicaFrame(topic: string, message: Outgoing): string {
  const properties = message.properties ?? {};
  const [messageId, conversationId, type] = envelope.map((name) => partOf(topic, name, properties[name]));
  const body = withExtra(bodyOf(topic, message.payload), properties);
  return [messageId, conversationId, amicaChannel(topic), type, body].join(separator);
}

function partOf(topic: string, name: string, value: string | undefined): string {
  if (!value) {
    throw folkmootError(
      'FOLKMOOT_MESSAGE_INVALID',
      `A message to "${topic}" has no ${name}, which is needed on Valkey channels.`,
    );
  }
  if (/@@|^@|@$/.test(value)) {
    throw folkmootError(
      'FOLKMOOT_MESSAGE_INVALID',
      `The ${name} of a message to "${topic}" has an @ where its parts are divided.`,
    );
  }
  return value;
}

function bodyOf(topic: string, payload: string | Uint8Array): string {
  const text = typeof payload === 'string' ? payload : Buffer.from(payload).toString('utf8');
  if (!/^@|@@/.test(text)) return text;
  if (!isJson(text)) {
    throw folkmootError(
      'FOLKMOOT_MESSAGE_INVALID',
      `A message to "${topic}" has @@ in it and is no JSON, so it can't go over a Valkey channel.`,
    );
  }
  return text.replaceAll(separator, '@\\u0040');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function withExtra(body: string, properties: Readonly<Record<string, string>>): string {
  const extra = Object.entries(properties).filter(([name]) => !envelope.some((known) => known === name));
  if (extra.length === 0 || !/^\{[^]*\S[^]*\}$/.test(body)) return body;
  const written = JSON.stringify(Object.fromEntries(extra)).replaceAll(separator, '@\\u0040');
  return `${body.slice(0, -1)}${extraMark}${written}}`;
}

/** Reads one; a fault in words when it has not five parts. */
export function readAmicaFrame(frame: Uint8Array): AmicaFrame | { readonly fault: string } {
  const parts = Buffer.from(frame).toString('utf8').split(separator);
  if (parts.length !== 5) return { fault: `It has ${parts.length} parts with @@ between them instead of five.` };
  const [messageId = '', conversationId = '', topic = '', type = '', body = ''] = parts;
  const { payload, extra } = withoutExtra(body);
  return {
    topic: toMqttTopic(topic),
    properties: { ...extra, MESSAGE_ID: messageId, CONVERSATION_ID: conversationId, PAYLOAD_TYPE: type },
    payload: Buffer.from(payload),
  };
}

function withoutExtra(body: string): { readonly payload: string; readonly extra: Record<string, string> } {
  const at = body.lastIndexOf(extraMark);
  if (at < 0 || !body.endsWith('}')) return { payload: body, extra: {} };
  try {
    const read = JSON.parse(body.slice(at + extraMark.length, -1)) as unknown;
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return { payload: body, extra: {} };
    const extra = Object.entries(read).map(([name, value]) => [name, String(value)] as const);
    return { payload: `${body.slice(0, at)}}`, extra: Object.fromEntries(extra) };
  } catch {
    return { payload: body, extra: {} };
  }
}
