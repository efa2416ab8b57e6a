/**
 * Reads MQTT discovery: retained messages on `homeassistant/<component>/[<node>/]<object>/config`, and those of whole devices
 * on `homeassistant/device/…` (Home Assistant's documentation, "MQTT discovery").
 */
import type { Device, FoundDevices, Skipped } from './device.ts';
import { deviceLimits } from './device-limits.ts';
import { riskOf } from './device-kind.ts';
import { roomOf, spokenName, withAliases, withOwnNames } from './device-names.ts';
import { components, type Parts } from './discovery-parts.ts';
import { writtenOut, type Config } from './discovery-words.ts';

export interface DiscoveryMessage {
  readonly topic: string;
  /** Text, or JSON read already. Empty: what was told on that topic is gone. */
  readonly payload: unknown;
}

interface Entity {
  readonly id: string;
  readonly component: string;
  readonly config: Config;
}

/** The newest message of each topic counts. What can't be read or used is named with the reason. */
export function readDiscovery(messages: readonly DiscoveryMessage[]): FoundDevices {
  const skipped: Skipped[] = [];
  const newest = new Map(messages.slice(-deviceLimits.devices * 10).map((message) => [message.topic, message]));
  const entities = [...newest.values()].flatMap((message) => entitiesOf(message, skipped));
  const found = entities.slice(0, deviceLimits.devices).flatMap((entity) => deviceOf(entity, skipped) ?? []);
  return { devices: withAliases(withOwnNames(merged(found))), skipped };
}

const isObject = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function entitiesOf({ topic, payload }: DiscoveryMessage, skipped: Skipped[]): Entity[] {
  const parts = topic.split('/');
  if (parts.at(-1) !== 'config' || parts.length < 4) return [];
  const place =
    parts.length > 4 && components[parts[parts.length - 4] ?? ''] === undefined ? parts.length - 3 : parts.length - 4;
  const component =
    (['device', ...Object.keys(components)].includes(parts[place] ?? '') ? parts[place] : parts[1]) ?? '';
  const id = parts.slice(parts.indexOf(component) + 1, -1).join('/');
  if (payload === '' || payload === null || payload === undefined) return [];
  const given = readJson(payload);
  if (!isObject(given)) {
    skipped.push({ name: id, why: 'What it tells of itself is no JSON that can be read.' });
    return [];
  }
  const config = writtenOut(given);
  if (component !== 'device') return [{ id: String(config['unique_id'] ?? id), component, config }];
  const { components: all, ...shared } = config;
  if (!isObject(all)) return [];
  return Object.entries(all).flatMap(([key, own]) =>
    isObject(own) && typeof own['platform'] === 'string'
      ? [{ id: String(own['unique_id'] ?? `${id}/${key}`), component: own['platform'], config: { ...shared, ...own } }]
      : [],
  );
}

function readJson(payload: unknown): unknown {
  if (typeof payload !== 'string') return payload;
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return undefined;
  }
}

interface Found {
  readonly device: Device;
  /** Of the thing that it is a part of. */
  readonly whole: string;
  readonly wholeName: string;
}

function deviceOf({ id, component, config }: Entity, skipped: Skipped[]): Found | undefined {
  const whole = isObject(config['device']) ? config['device'] : {};
  const wholeName = typeof whole['name'] === 'string' ? whole['name'] : '';
  const name = nameOf(config, wholeName, id);
  const parts = partsOf(component, config);
  if (typeof parts === 'string') {
    skipped.push({ name: spokenName(name), why: parts });
    return undefined;
  }
  const { kind, settings, readings } = parts;
  const area = typeof whole['suggested_area'] === 'string' ? whole['suggested_area'].toLowerCase() : roomOf(name);
  return {
    whole: String([whole['identifiers'] ?? id].flat()[0]),
    wholeName: spokenName(wholeName || name),
    device: {
      ...{ id, source: 'discovery', name: spokenName(name), ...(area ? { room: area } : {}), aliases: [] },
      kind: settings.length ? kind : 'sensor',
      risk: riskOf(kind, settings.length > 0),
      ...{ settings, readings },
    },
  };
}

/** The name of an entity goes behind that of its device, unless it has it already. */
function nameOf(config: Config, whole: string, id: string): string {
  const own = typeof config['name'] === 'string' ? config['name'] : '';
  if (own === '') return whole || String(config['object_id'] ?? id);
  return whole === '' || own.toLowerCase().startsWith(whole.toLowerCase()) ? own : `${whole} ${own}`;
}

function partsOf(component: string, config: Config): Parts | string {
  const category = config['entity_category'];
  const isBattery = config['device_class'] === 'battery';
  if (category === 'config' || (category === 'diagnostic' && !isBattery))
    return 'It is about the device itself, not about the house.';
  const read = components[component];
  if (!read) return `A ${component.replaceAll('_', ' ')} can’t be used here.`;
  const parts = read(config);
  if (typeof parts === 'string') return parts;
  if (parts.settings.length + parts.readings.length > 0) return parts;
  return component === 'alarm_control_panel' && config['code'] !== undefined
    ? 'It needs a code, which is not kept here.'
    : 'Its topics are missing, or its values are made by a template, which can’t be done here.';
}

/** What only tells belongs to the one thing of its device that can be set, else together as one. */
function merged(found: readonly Found[]): Device[] {
  return [...Map.groupBy(found, ({ whole }) => whole).values()].flatMap((group) => {
    const actors = group.filter(({ device }) => device.settings.length > 0);
    const sensors = group.filter(({ device }) => device.settings.length === 0);
    const [actor] = actors;
    const [first] = sensors;
    if (!first) return actors.map(({ device }) => device);
    const readings = sensors.flatMap(({ device }) => device.readings);
    if (actor && actors.length === 1) return [{ ...actor.device, readings: [...actor.device.readings, ...readings] }];
    const together = { ...first.device, name: sensors.length > 1 ? first.wholeName : first.device.name, readings };
    return [...actors.map(({ device }) => device), together];
  });
}
