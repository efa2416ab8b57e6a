/** Groups of Zigbee2MQTT (`<base>/bridge/groups`): set at once on a topic of their own, with what all members can do. */
import type { Device, DeviceSetting, FoundDevices, Skipped } from './device.ts';
import { deviceLimits } from './device-limits.ts';
import { riskOf } from './device-kind.ts';
import { roomOf, spokenName } from './device-names.ts';

interface Listed {
  readonly id?: unknown;
  readonly friendly_name?: unknown;
  readonly description?: unknown;
  readonly members?: unknown;
}

/** @param groups As text, or read already; what is none gives none. */
export function groupsOf(groups: unknown, devices: readonly Device[], base: string): FoundDevices {
  const found: Device[] = [];
  const skipped: Skipped[] = [];
  for (const listed of listOf(groups)) {
    const name = typeof listed.friendly_name === 'string' ? listed.friendly_name : '';
    if (name === '') continue;
    const made = /[#+]/.test(name)
      ? 'Its name has + or # in it, which no topic may have.'
      : groupOf(listed, name, devices, base);
    if (typeof made === 'string') skipped.push({ name, why: made });
    else found.push(made);
  }
  return { devices: found, skipped };
}

function listOf(groups: unknown): readonly Listed[] {
  try {
    const read = typeof groups === 'string' ? (JSON.parse(groups) as unknown) : groups;
    if (!Array.isArray(read)) return [];
    return read.slice(0, deviceLimits.devices).filter((one) => typeof one === 'object' && one !== null) as Listed[];
  } catch {
    return [];
  }
}

function groupOf(listed: Listed, name: string, devices: readonly Device[], base: string): Device | string {
  const addresses = (Array.isArray(listed.members) ? listed.members : []).map((member: unknown) =>
    String((member as { ieee_address?: unknown } | null)?.ieee_address ?? ''),
  );
  const members = devices.filter(({ id }) => addresses.includes(id.split('/')[0] ?? ''));
  const [first, ...others] = members;
  if (!first) return 'The group has no members that can be used.';
  const isOneKind = others.every(({ kind }) => kind === first.kind);
  const settings = first.settings.flatMap((setting) => common(setting, members, `${base}/${name}/set`));
  if (!isOneKind || settings.length === 0) return 'Its members have nothing in common that can be set.';
  const room = roomOf(name);
  return {
    ...{ id: `group/${String(listed.id ?? name)}`, source: 'zigbee2mqtt', name: spokenName(name) },
    ...(room ? { room } : {}),
    aliases: [],
    kind: first.kind,
    risk: members.some(({ risk }) => risk === 'critical') ? 'critical' : riskOf(first.kind, true),
    settings,
    readings: first.readings
      .filter(({ what }) => settings.some((setting) => setting.what === what))
      .map((reading) => ({ ...reading, topic: `${base}/${name}` })),
  };
}

/** What every member has: the range and the values that fit all. */
function common(setting: DeviceSetting, members: readonly Device[], topic: string): DeviceSetting[] {
  const all = members.flatMap(({ settings }) => settings.find(({ what }) => what === setting.what) ?? []);
  if (all.length < members.length) return [];
  const { values, minimum, maximum, ...rest } = setting;
  const shared = Object.entries(values ?? {}).filter(([word]) => all.every((one) => one.values?.[word] !== undefined));
  if (values && shared.length === 0) return [];
  return [
    {
      ...rest,
      ...(values ? { values: Object.fromEntries(shared) } : {}),
      ...(minimum === undefined ? {} : { minimum: Math.max(...all.map((one) => one.minimum ?? minimum)) }),
      ...(maximum === undefined ? {} : { maximum: Math.min(...all.map((one) => one.maximum ?? maximum)) }),
      send: { ...setting.send, topic },
    },
  ];
}
