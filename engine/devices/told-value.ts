/** The value of a reading in what its device told. */
import type { Scalar } from '../moot.ts';
import type { DeviceReading } from './device.ts';

/** Longer payloads are of no use here. */
const longestPayload = 100_000;

/** @param payload As it came. Undefined: it says nothing of this. */
export function toldValue({ path, wire, words }: DeviceReading, payload: string): Scalar | undefined {
  if (payload.length > longestPayload) return undefined;
  const found = at(path, read(payload));
  if (typeof found !== 'string' && typeof found !== 'number' && typeof found !== 'boolean') return undefined;
  const said = words && Object.hasOwn(words, String(found)) ? words[String(found)] : undefined;
  if (said !== undefined) return said;
  if (!wire || typeof found !== 'number') return found;
  const [from, to] = wire;
  return from === to ? found : Math.round(((found - from) / (to - from)) * 100) + 0;
}

/** A text that is no JSON is itself. */
function read(payload: string): unknown {
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return payload;
  }
}

function at(path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, first);
  return isThere ? at(rest, (value as Readonly<Record<string, unknown>>)[first]) : undefined;
}
