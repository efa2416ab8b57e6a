/** One of the things that a device of Zigbee2MQTT exposes, as far as it is used here. */
import { deviceLimits } from './device-limits.ts';

export interface Expose {
  /** `light`, `switch`, `cover`, `lock`, `fan`, `climate`, or what a single value is: `binary`, `numeric`, `enum` … */
  readonly type: string;
  readonly name: string;
  /** Its name in payloads. */
  readonly property: string;
  /** Bits: 1 it is published, 2 it can be set, 4 it can be asked. */
  readonly access: number;
  readonly endpoint?: string;
  readonly category?: string;
  readonly unit?: string;
  readonly on?: unknown;
  readonly off?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  readonly values?: readonly string[];
  readonly features: readonly Expose[];
}

export const isPublished = ({ access }: Expose): boolean => (access & 1) !== 0;
export const isSettable = ({ access }: Expose): boolean => (access & 2) !== 0;

/** What can be read of a list; the rest is left out. */
export function exposesOf(list: unknown, depth = 0): readonly Expose[] {
  if (!Array.isArray(list) || depth > deviceLimits.depth) return [];
  return (list as unknown[]).slice(0, deviceLimits.exposes).flatMap((item) => exposeOf(item, depth) ?? []);
}

function exposeOf(item: unknown, depth: number): Expose | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const given = item as Readonly<Record<string, unknown>>;
  const text = (key: string): string | undefined => (typeof given[key] === 'string' ? given[key] : undefined);
  const number = (key: string): number | undefined => (typeof given[key] === 'number' ? given[key] : undefined);
  const type = text('type');
  if (type === undefined) return undefined;
  const name = text('name') ?? text('property') ?? type;
  const values = Array.isArray(given['values']) ? given['values'].map(String) : undefined;
  const all = {
    endpoint: text('endpoint'),
    category: text('category'),
    unit: text('unit'),
    on: given['value_on'],
    off: given['value_off'],
    minimum: number('value_min'),
    maximum: number('value_max'),
    step: number('value_step'),
    values,
  };
  const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const access = number('access') ?? 0;
  return {
    ...{ type, name, property: text('property') ?? name, access, ...present },
    features: exposesOf(given['features'], depth + 1),
  };
}
