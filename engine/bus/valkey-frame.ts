/**
 * Our own messages on a Valkey channel and in the hash of what is retained. A message that is a payload only is written
 * as it is, so that any program can read and send it; one with properties, response topic or correlation is one JSON
 * object: `{ folkmoot: 1, payload, base64?, properties?, responseTopic?, correlation?, until? }`.
 */
import type { BusMessage, Outgoing } from './bus.ts';
import { readText } from './foreign-json.ts';

const mark = '{"folkmoot":1,';

interface Frame {
  readonly payload: string;
  /** The payload is no text. */
  readonly base64?: true;
  readonly properties?: Readonly<Record<string, string>>;
  readonly responseTopic?: string;
  readonly correlation?: string;
  /** Milliseconds since the epoch; over after it. */
  readonly until?: number;
}

/** @param nowMs For `expirySeconds`. */
export function writeFrame(message: Outgoing, nowMs: number): Buffer {
  const payload = Buffer.from(message.payload as string);
  const { properties = {}, responseTopic, correlation, expirySeconds } = message;
  const hasMore =
    Object.keys(properties).length > 0 ||
    responseTopic !== undefined ||
    correlation !== undefined ||
    expirySeconds !== undefined;
  if (!hasMore && !payload.subarray(0, mark.length).equals(Buffer.from(mark))) return payload;
  const text = readText(payload);
  const frame: Frame = {
    ...(text === undefined ? { payload: payload.toString('base64'), base64: true } : { payload: text }),
    properties,
    ...(responseTopic === undefined ? {} : { responseTopic }),
    ...(correlation === undefined ? {} : { correlation }),
    ...(expirySeconds === undefined ? {} : { until: nowMs + expirySeconds * 1000 }),
  };
  return Buffer.from(mark + JSON.stringify(frame).slice(1));
}

export interface ReadFrame {
  readonly message: BusMessage;
  readonly untilMs: number;
}

/** Never throws: what is not ours is a payload. */
export function readFrame(topic: string, bytes: Buffer, retained = false): ReadFrame {
  const frame = bytes.subarray(0, mark.length).toString() === mark ? parsed(bytes) : undefined;
  if (!frame) return { message: { topic, payload: bytes, properties: {}, retained }, untilMs: Infinity };
  const { responseTopic, correlation } = frame;
  return {
    message: {
      topic,
      payload: Buffer.from(frame.payload, frame.base64 ? 'base64' : 'utf8'),
      properties: { ...frame.properties },
      retained,
      ...(responseTopic === undefined ? {} : { responseTopic }),
      ...(correlation === undefined ? {} : { correlation }),
    },
    untilMs: frame.until ?? Infinity,
  };
}

function parsed(bytes: Buffer): Frame | undefined {
  try {
    const read = JSON.parse(bytes.toString('utf8')) as Partial<Record<keyof Frame, unknown>>;
    const { payload, base64, properties, responseTopic, correlation, until } = read;
    if (typeof payload !== 'string') return undefined;
    return {
      payload,
      ...(base64 === true ? { base64 } : {}),
      properties: textsOf(properties),
      ...(typeof responseTopic === 'string' ? { responseTopic } : {}),
      ...(typeof correlation === 'string' ? { correlation } : {}),
      ...(typeof until === 'number' ? { until } : {}),
    };
  } catch {
    return undefined;
  }
}

function textsOf(properties: unknown): Record<string, string> {
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, String(value)]));
}
