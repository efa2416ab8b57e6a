/** What a sensor's message says: one reading for each property, or why it can't be read. Never throws. */
import { limits } from '../limits.ts';

export interface Reading {
  /** The device: the topic without its first part (`zigbee2mqtt/hall_motion` → `hall_motion`). */
  readonly source: string;
  /** The property (`illuminance`). */
  readonly kind: string;
  /** Plain JSON. */
  readonly value: unknown;
  readonly unit?: string;
}

export type Readings =
  | { readonly kind: 'readings'; readonly readings: readonly Reading[] }
  | { readonly kind: 'dropped'; readonly reason: string };

export interface ReadingOptions {
  /** Unit by property name, for sensors that don't say it. What the payload says goes first. */
  readonly units?: Readonly<Record<string, string>>;
  /** Unit of a single value, when its message says it. */
  readonly unit?: string;
}

const dropped = (reason: string): Readings => ({ kind: 'dropped', reason });

/**
 * Reads a message (issue "sense"): an object gives one reading for each property, anything else one reading whose kind is
 * the topic's last part. `{ value, unit }` is a value with its unit, at the top and for each property.
 */
export function readingsOf(topic: unknown, payload: unknown, options: ReadingOptions = {}): Readings {
  const parsed = parsedPayload(payload);
  if ('reason' in parsed) return dropped(parsed.reason);
  const { value } = parsed;
  const fault = faultOf(value);
  if (fault) return dropped(fault);
  const parts = topicParts(topic);
  if (isRecord(value) && !isMeasured(value)) {
    const properties = Object.entries(value);
    if (properties.length === 0) return dropped('empty');
    if (properties.length > limits.eventProperties) return dropped('too many properties');
    const source = parts.length > 1 ? parts.slice(1).join('/') : (parts[0] ?? 'sensor');
    return { kind: 'readings', readings: properties.map(([kind, item]) => reading(source, kind, item, options)) };
  }
  const single = options.unit ? { unit: options.unit, value } : value;
  const kind = parts.at(-1) ?? 'value';
  const source = parts.length > 2 ? parts.slice(1, -1).join('/') : (parts[0] ?? 'sensor');
  return { kind: 'readings', readings: [reading(source, kind, isMeasured(value) ? value : single, options)] };
}

function reading(source: string, kind: string, item: unknown, options: ReadingOptions): Reading {
  const measured = isMeasured(item) ? item : undefined;
  const units = options.units ?? {};
  const unit = measured?.unit ?? (Object.hasOwn(units, kind) ? units[kind] : undefined);
  return { source, kind, value: measured ? measured.value : item, ...(unit ? { unit } : {}) };
}

function topicParts(topic: unknown): string[] {
  if (typeof topic !== 'string') return [];
  return topic
    .slice(0, limits.sensorTextChars)
    .split('/')
    .map((part) => part.replace(/\p{Cc}+/gu, ' ').trim())
    .filter((part) => part !== '');
}

type Parsed = { readonly value: unknown } | { readonly reason: string };

/** Text and bytes that look like JSON must be JSON; other text is a value ("ON"). */
function parsedPayload(payload: unknown): Parsed {
  if (payload instanceof Uint8Array) {
    if (payload.byteLength > limits.busPayloadBytes) return { reason: 'too large' };
    try {
      return parsedText(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    } catch {
      return { reason: 'not text' };
    }
  }
  return typeof payload === 'string' ? parsedText(payload) : { value: payload };
}

function parsedText(raw: string): Parsed {
  if (raw.length > limits.busPayloadBytes) return { reason: 'too large' };
  const text = raw.trim();
  if (text === '') return { reason: 'empty' };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    if (/^[[{"]/.test(text)) return { reason: 'not JSON' };
    return text.length > limits.sensorTextChars ? { reason: 'too large' } : { value: text };
  }
}

/** Why a value can't be kept as plain JSON. */
function faultOf(value: unknown, depth = 0): string | undefined {
  if (depth > limits.eventDepth) return 'too deep';
  switch (typeof value) {
    case 'string':
      return value.length > limits.busPayloadBytes ? 'too large' : undefined;
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : 'not JSON';
    case 'object':
      break;
    default:
      return value === undefined && depth === 0 ? 'empty' : 'not JSON';
  }
  if (value === null) return depth === 0 ? 'empty' : undefined;
  if (!Array.isArray(value) && !isRecord(value)) return 'not JSON';
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (items.length > limits.busPayloadBytes / 16) return 'too large';
  for (const item of items) {
    const fault = faultOf(item, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of Function nodes come from another context: their prototype is that context's Object.prototype.
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null);
}

function isMeasured(value: unknown): value is { value: unknown; unit: string } {
  if (!isRecord(value) || !Object.hasOwn(value, 'value')) return false;
  const { value: inner, unit } = value;
  if (typeof inner === 'object' && inner !== null) return false;
  return Object.keys(value).length === 2 && typeof unit === 'string' && unit !== '';
}
