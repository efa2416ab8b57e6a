/**
 * Reads what Zigbee2MQTT publishes, retained, on `<base>/bridge/devices`: an array of devices, each with its `definition`
 * and what that `exposes` (Zigbee2MQTT's documentation, "MQTT topics and messages" and "Exposes").
 */
import { folkmootError } from '../errors.ts';
import { deviceLimits } from './device-limits.ts';
import type { Device, DeviceKind, DeviceReading, DeviceSetting, FoundDevices, Skipped } from './device.ts';
import { roomOf, spokenName, withAliases, withOwnNames } from './device-names.ts';
import { exposesOf, type Expose } from './expose.ts';
import { kindOf, riskOf } from './device-kind.ts';
import { groupsOf } from './zigbee-groups.ts';
import { readingsOf } from './expose-readings.ts';
import { settingsOf } from './expose-settings.ts';

interface Listed {
  readonly ieee_address?: unknown;
  readonly friendly_name?: unknown;
  readonly type?: unknown;
  readonly supported?: unknown;
  readonly disabled?: unknown;
  readonly interview_completed?: unknown;
  readonly interview_state?: unknown;
  readonly description?: unknown;
  readonly definition?: { readonly description?: unknown; readonly model?: unknown; readonly exposes?: unknown } | null;
}

export interface Zigbee2mqttOptions {
  /** The first part of its topics. Default `zigbee2mqtt`. */
  readonly base?: string;
  /** What it publishes on `<base>/bridge/groups`, as text or read already. Default: no groups. */
  readonly groups?: unknown;
}

/**
 * @param list The payload as text, or read already.
 * Throws FOLKMOOT_BAD_INPUT when it is no list of devices.
 */
export function readZigbee2mqtt(
  list: unknown,
  { base = 'zigbee2mqtt', groups }: Zigbee2mqttOptions = {},
): FoundDevices {
  const parsed = typeof list === 'string' ? jsonOf(list) : list;
  if (!Array.isArray(parsed))
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'That is no list of devices as Zigbee2MQTT publishes it.');
  const devices: Device[] = [];
  const skipped: Skipped[] = [];
  for (const item of (parsed as unknown[]).slice(0, deviceLimits.devices)) {
    const listed = (typeof item === 'object' && item !== null ? item : {}) as Listed;
    if (listed.type === 'Coordinator') continue;
    const name = textOf(listed.friendly_name) ?? textOf(listed.ieee_address) ?? 'a device without a name';
    const why = whyNot(listed);
    const found = why === undefined ? devicesOf(listed, name, base) : [];
    devices.push(...found);
    if (found.length === 0) skipped.push({ name, why: why ?? 'It tells nothing, and nothing of it can be set.' });
  }
  const together = groupsOf(groups, devices, base);
  return {
    devices: withAliases(withOwnNames([...devices, ...together.devices])),
    skipped: [...skipped, ...together.skipped],
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw folkmootError('FOLKMOOT_BAD_INPUT', 'The list of devices is no JSON: it was cut off, or something else.');
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() ? value.trim() : undefined;

function whyNot(listed: Listed): string | undefined {
  const { disabled, supported, interview_completed: isDone, interview_state: state, definition } = listed;
  if (disabled === true) return 'It is disabled in Zigbee2MQTT.';
  if (!textOf(listed.friendly_name)) return 'It has no name in Zigbee2MQTT.';
  if (/[#+]/.test(String(listed.friendly_name))) return 'Its name has + or # in it, which no topic may have.';
  if (isDone === false || (typeof state === 'string' && state !== 'SUCCESSFUL'))
    return 'Zigbee2MQTT has not got to know it yet; look again when its interview is over.';
  if (supported === false || !definition) return 'Zigbee2MQTT does not support it.';
  return undefined;
}

/** One for each part with an endpoint of its own: the left and the right one of a wall switch. */
function devicesOf(listed: Listed, name: string, base: string): Device[] {
  const exposes = exposesOf(listed.definition?.exposes);
  const endpoints = [...new Set(exposes.filter(isMain).flatMap(({ endpoint }) => endpoint ?? []))];
  const parts = endpoints.length > 1 ? endpoints : [undefined];
  return parts.flatMap((endpoint, index) => {
    const own = exposes.filter((one) => endpoint === undefined || one.endpoint === endpoint || isShared(one, index));
    return deviceOf(listed, name, base, own, endpoint) ?? [];
  });
}

/** What its owner wrote of it, when it is a name and no story. */
const describedAs = (description: unknown): string[] => {
  const words = spokenName(textOf(description) ?? '');
  return words !== '' && words.split(' ').length <= 8 ? [words] : [];
};

const isMain = ({ type }: Expose): boolean => ['light', 'switch', 'cover', 'lock', 'fan', 'climate'].includes(type);

/** What belongs to no part is told by the first. */
const isShared = ({ endpoint }: Expose, index: number): boolean => endpoint === undefined && index === 0;

function deviceOf(
  listed: Listed,
  given: string,
  base: string,
  exposes: readonly Expose[],
  endpoint: string | undefined,
): Device | undefined {
  const topic = `${base}/${given}`;
  const about = [listed.definition?.description, listed.definition?.model, given].map(String).join(' ');
  const kind: DeviceKind = kindOf(exposes, about);
  const settings: readonly DeviceSetting[] = settingsOf(exposes, kind, `${topic}/set`);
  const readings: readonly DeviceReading[] = readingsOf(exposes, topic);
  if (settings.length === 0 && readings.length === 0) return undefined;
  const room = roomOf(given);
  return {
    id: [textOf(listed.ieee_address) ?? given, ...(endpoint ? [endpoint] : [])].join('/'),
    source: 'zigbee2mqtt',
    name: [spokenName(given), ...(endpoint ? [endpoint] : [])].join(' '),
    ...(room ? { room } : {}),
    aliases: describedAs(listed.description),
    kind: settings.length === 0 ? 'sensor' : kind,
    risk: riskOf(kind, settings.length > 0),
    settings,
    readings,
  };
}
