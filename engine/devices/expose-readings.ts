/** What a Zigbee2MQTT device tells, in words of ours. */
import { isChildLock } from './device-kind.ts';
import type { DeviceReading } from './device.ts';
import { isPublished, type Expose } from './expose.ts';
import { wordsForReading } from './reading-words.ts';

/** Of the network or of keys, and so of no use as a value. */
const silent =
  /^(?:linkquality|action|action_.*|update|update_available|identify|last_seen|click|device_temperature|color_temp.*|color_mode)$/;

/** Names of features that people know by others. */
const names: Readonly<Record<string, string>> = {
  local_temperature: 'temperature',
  occupied_heating_setpoint: 'setpoint',
  current_heating_setpoint: 'setpoint',
  system_mode: 'mode',
};

const mainTypes = ['light', 'switch', 'cover', 'lock', 'fan', 'climate'];

/** @param topic Where the device tells its state, as JSON. */
export function readingsOf(exposes: readonly Expose[], topic: string): readonly DeviceReading[] {
  const all = exposes
    .filter((one) => !isChildLock(one))
    .flatMap((one) => (mainTypes.includes(one.type) ? one.features : [one]));
  const found = all
    .filter((one) => isPublished(one) && !silent.test(one.property) && one.category !== 'config')
    .flatMap((one) => readingOf(one, topic) ?? []);
  return found.filter(({ what }, index) => found.findIndex((one) => one.what === what) === index);
}

function readingOf(one: Expose, topic: string): DeviceReading | undefined {
  if (!['binary', 'numeric', 'enum', 'text'].includes(one.type)) return undefined;
  const what = names[one.name] ?? one.name.replaceAll('_', ' ');
  const words = one.type === 'binary' ? wordsForReading(one.name, one.on ?? true, one.off ?? false) : undefined;
  const isShare = one.name === 'brightness' && one.type === 'numeric';
  return {
    what,
    topic,
    path: [one.property],
    ...(isShare ? { unit: '%', wire: [one.minimum ?? 0, one.maximum ?? 254] } : one.unit ? { unit: one.unit } : {}),
    ...(words ? { words } : {}),
  };
}
