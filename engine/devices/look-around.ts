/** What a broker tells of devices at this moment: Zigbee2MQTT's list and MQTT discovery, both retained. */
import type { Bus } from '../bus/bus.ts';
import { sleep, type Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import type { FoundDevices } from './device.ts';
import { withAliases, withOwnNames } from './device-names.ts';
import { deviceLimits } from './device-limits.ts';
import { readDiscovery, type DiscoveryMessage } from './discovery.ts';
import { readZigbee2mqtt, type Zigbee2mqttOptions } from './zigbee2mqtt.ts';

export interface LookOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** First parts of their topics. Default `zigbee2mqtt`, `homeassistant`. */
  readonly base?: string;
  readonly prefix?: string;
}

export interface Found extends FoundDevices {
  /** What could not be read, in words. */
  readonly problems: readonly string[];
}

/** Listens until nothing new has come for `deviceLimits.quietMs`, at most `deviceLimits.lookMs`. */
export async function lookAround(bus: Bus, options: LookOptions): Promise<Found> {
  const { clock, signal, base = 'zigbee2mqtt', prefix = 'homeassistant' } = options;
  let list: string | undefined;
  let groups: string | undefined;
  const told: DiscoveryMessage[] = [];
  let came = 0;
  const text = (payload: Uint8Array) => new TextDecoder().decode(payload);
  const subscriptions = await Promise.all([
    bus.subscribe(`${base}/bridge/devices`, ({ payload }) => {
      list = text(payload);
      came += 1;
    }),
    bus.subscribe(`${base}/bridge/groups`, ({ payload }) => {
      groups = text(payload);
      came += 1;
    }),
    bus.subscribe(`${prefix}/#`, ({ topic, payload }) => {
      if (!topic.endsWith('/config') || told.length >= deviceLimits.devices * 10) return;
      told.push({ topic, payload: text(payload) });
      came += 1;
    }),
  ]);
  try {
    const end = clock.now() + deviceLimits.lookMs;
    for (let last = -1; last !== came && clock.now() < end;) {
      last = came;
      await sleep(clock, deviceLimits.quietMs, signal);
    }
  } finally {
    await Promise.all(subscriptions.map((one) => one.close()));
  }
  return readTold({ list, groups, base }, told);
}

/**
 * The same of pasted text: Zigbee2MQTT's list, or discovery messages as a list of `{ topic, payload }`.
 * Throws FOLKMOOT_BAD_INPUT when it is neither.
 */
export function readPasted(pasted: string, base?: string): Found {
  const messages = discoveryIn(pasted);
  if (messages) return readTold({}, messages);
  return { ...readZigbee2mqtt(pasted, base === undefined ? {} : { base }), problems: [] };
}

function discoveryIn(pasted: string): readonly DiscoveryMessage[] | undefined {
  try {
    const read = JSON.parse(pasted) as unknown;
    const isMessage = (one: unknown): one is DiscoveryMessage =>
      typeof one === 'object' && one !== null && typeof (one as DiscoveryMessage).topic === 'string';
    return Array.isArray(read) && read.length > 0 && read.every(isMessage) ? read : undefined;
  } catch {
    return undefined;
  }
}

export interface ToldByZigbee2mqtt extends Zigbee2mqttOptions {
  /** As text, or read already. */
  readonly list?: unknown;
}

/** Zigbee2MQTT may tell its devices by discovery, too: then its own list counts, which knows more. */
export function readTold({ list, ...more }: ToldByZigbee2mqtt, told: readonly DiscoveryMessage[]): Found {
  const problems: string[] = [];
  const read = (how: () => FoundDevices): FoundDevices => {
    try {
      return how();
    } catch (thrown) {
      problems.push(asError(thrown).message);
      return { devices: [], skipped: [] };
    }
  };
  const zigbee = list === undefined ? { devices: [], skipped: [] } : read(() => readZigbee2mqtt(list, more));
  const addresses = zigbee.devices.map(({ id }) => id.split('/')[0] ?? id);
  const isKnown = ({ topic, payload }: DiscoveryMessage) => {
    const all = `${topic} ${typeof payload === 'string' ? payload : JSON.stringify(payload)}`;
    return addresses.some((address) => all.includes(address));
  };
  const discovered = read(() => readDiscovery(told.filter((message) => !isKnown(message))));
  return {
    devices: withAliases(withOwnNames([...zigbee.devices, ...discovered.devices])),
    skipped: [...zigbee.skipped, ...discovered.skipped],
    problems,
  };
}
