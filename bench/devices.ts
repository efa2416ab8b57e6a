/** The houses of `test/sets/devices`, written by others, read by `engine/devices`: what their owners expect of each device. */
import { globSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Device, DeviceSetting } from '../engine/devices/device.ts';
import { plain } from '../engine/devices/plain.ts';
import type { DiscoveryMessage } from '../engine/devices/discovery.ts';
import { findDevice } from '../engine/devices/find-device.ts';
import { readTold } from '../engine/devices/look-around.ts';
import { readJson, root } from './rules.sets.ts';

interface Published {
  readonly topic: string;
  readonly payload: unknown;
}

export interface ExpectedDevice {
  readonly name: string;
  readonly offered?: false;
  readonly room?: string;
  readonly risk?: 'read' | 'normal' | 'critical';
  readonly publishes?: readonly Published[];
}

interface ResolverCase {
  readonly said: string;
  readonly expect: { readonly device?: string; readonly tie?: readonly string[]; readonly nearest?: string };
}

export interface DeviceFigures {
  readonly hand: string;
  readonly half: 'open' | 'sealed';
  readonly total: number;
  /** Of how many each part was right. */
  readonly right: number;
  /** A device was taken that was not meant. */
  readonly guessed: number;
  /** For the open half: what differs, in words. */
  readonly differing: readonly string[];
}

interface House {
  readonly devices: readonly Device[];
}

const places = (device: Device): string[] => [
  ...device.settings.map(({ send }) => send.topic),
  ...device.readings.map(({ topic }) => topic),
];

function houseOf(hand: string): House {
  const zigbee = readJson(`test/sets/devices/zigbee2mqtt-${hand}.json`) as { devices: unknown; groups: unknown };
  const told = readJson(`test/sets/devices/discovery-${hand}.json`) as DiscoveryMessage[];
  const list = Array.isArray(zigbee) ? { devices: zigbee, groups: [] } : zigbee;
  // As the button reads it: what Zigbee2MQTT tells by discovery, too, is one device.
  return readTold({ list: list.devices, groups: list.groups }, told);
}

/** Those that an expected one is: a switch of two is two devices. */
const partsOf = ({ devices }: House, { name, publishes = [] }: ExpectedDevice): Device[] => {
  const topics = new Set([`zigbee2mqtt/${name}`, `zigbee2mqtt/${name}/set`, ...publishes.map(({ topic }) => topic)]);
  const found = devices.filter((device) => places(device).some((topic) => topics.has(topic)));
  return found.length ? found : devices.filter((device) => plain(device.name).endsWith(plain(name)));
};

/** Whether a device can be brought to publish it: each value by a setting of it, within half a percent of its range. */
function canPublish(device: Device, { topic, payload }: Published): boolean {
  const settings = device.settings.filter(({ send }) => send.topic === topic);
  if (typeof payload === 'object' && payload !== null)
    return (
      Object.entries(payload).every(([key, value]) =>
        settings.some(
          (one) =>
            (one.send.path?.[0] === key && canBe(one, inside(value, one.send.path.slice(1)))) ||
            isDeepStrictEqual(one.send.with?.[key], value),
        ),
      ) || settings.some((one) => one.send.path === undefined && canBe(one, JSON.stringify(payload)))
    );
  return settings.some((one) => one.send.path === undefined && canBe(one, payload));
}

const inside = (value: unknown, [key, ...rest]: readonly string[]): unknown =>
  key === undefined ? value : inside((value as Record<string, unknown> | null)?.[key], rest);

function canBe(
  { values, send, wire, minimum = -Infinity, maximum = Infinity, isMired }: DeviceSetting,
  value: unknown,
) {
  if (values)
    return Object.values(values).some((one) => isDeepStrictEqual(one, value) || String(one) === String(value));
  const text = send.text?.split('{value}');
  const inner = text
    ? String(value)
        .slice(text[0]?.length ?? 0)
        .replace(text[1] ?? '', '')
    : value;
  const number = Number(inner);
  if (!Number.isFinite(number)) return false;
  if (isMired) return 1_000_000 / number >= minimum - 10 && 1_000_000 / number <= maximum + 10;
  const [from, to] = wire ?? [minimum, maximum];
  return number >= Math.min(from, to) && number <= Math.max(from, to);
}

function faultsOf(house: House, expected: ExpectedDevice): string[] {
  const found = partsOf(house, expected);
  if (expected.offered === false) return found.length ? [`${expected.name}: is offered`] : [];
  if (found.length === 0) return [`${expected.name}: is not offered`];
  const { name, risk = 'read', room, publishes = [] } = expected;
  const risks = { read: 'read', normal: 'reversible', critical: 'critical' };
  const faults = [];
  if (!found.some((one) => one.risk === risks[risk])) faults.push(`${name}: risk ${found[0]?.risk}, not ${risk}`);
  if (room !== undefined && !found.some((one) => plain(one.room ?? '') === plain(room)))
    faults.push(`${name}: room ${found[0]?.room}, not ${room}`);
  for (const one of publishes)
    if (!found.some((device) => canPublish(device, one)))
      faults.push(`${name}: can’t publish ${one.topic} ${JSON.stringify(one.payload)}`);
  return faults;
}

const halves = ['open', 'sealed'] as const;
const hands = (): string[] =>
  globSync('test/sets/devices/zigbee2mqtt-*.json', { cwd: root }).map((file) => path.basename(file, '.json').slice(12));

const figures = (hand: string, half: 'open' | 'sealed', results: readonly (readonly string[])[]): DeviceFigures => ({
  ...{ hand, half, total: results.length, right: results.filter(({ length }) => length === 0).length },
  guessed: 0,
  differing: half === 'open' ? results.flat() : [],
});

/** Each expected device: offered or not, how careful, its room, and what it can be brought to publish. */
export const deviceFigures = (): DeviceFigures[] =>
  hands().flatMap((hand) => {
    const house = houseOf(hand);
    return halves.map((half) => {
      const expected = readJson(`test/sets/devices/devices-${hand}.expected.${half}.json`);
      const list = (Array.isArray(expected) ? expected : (expected as { cases: unknown }).cases) as ExpectedDevice[];
      return figures(
        hand,
        half,
        list.map((one) => faultsOf(house, one)),
      );
    });
  });

/** What people call devices: the one that is meant, a tie, or a miss with the nearest. */
export const resolverFigures = (): DeviceFigures[] =>
  hands().flatMap((hand) => {
    const house = houseOf(hand);
    return halves.map((half) => {
      const cases = readJson(`test/sets/devices/resolver-${hand}.${half}.json`);
      const list = (Array.isArray(cases) ? cases : (cases as { cases: unknown }).cases) as ResolverCase[];
      const results = list.map((one) => resolverFaults(house, one));
      const guessed = list.filter(
        (one, at) => results[at]?.length && findDevice(one.said, house.devices).kind === 'found',
      );
      return { ...figures(hand, half, results), guessed: guessed.length };
    });
  });

function resolverFaults({ devices }: House, { said, expect }: ResolverCase): string[] {
  const found = findDevice(said, devices);
  const isIt = (device: Device | undefined, name: string) =>
    device !== undefined && partsOf({ devices: [device] }, { name }).length > 0;
  const got = found.kind === 'found' ? found.device.name : found.kind;
  if (expect.device !== undefined) {
    const isRight = found.kind === 'found' && isIt(found.device, expect.device);
    return isRight ? [] : [`${said}: ${got}, not ${expect.device}`];
  }
  if (expect.tie) {
    const all = expect.tie.every((name) => found.kind === 'tie' && found.devices.some((device) => isIt(device, name)));
    return all ? [] : [`${said}: ${got}, not a tie of ${expect.tie.join(', ')}`];
  }
  if (found.kind !== 'miss') return [`${said}: ${got}, not a miss`];
  const { nearest } = expect;
  return nearest === undefined || isIt(found.nearest[0], nearest)
    ? []
    : [`${said}: nearest ${found.nearest[0]?.name}, not ${nearest}`];
}

if (process.argv[1]?.endsWith('devices.ts'))
  for (const [what, all] of [
    ['devices', deviceFigures()],
    ['names', resolverFigures()],
  ] as const)
    for (const { hand, half, total, right, guessed, differing } of all) {
      console.log(`${what} of hand ${hand}, ${half}: ${right} of ${total}${guessed ? `, ${guessed} guessed` : ''}`);
      if (process.argv.includes('--open')) for (const one of differing) console.log(`  ${one}`);
    }
