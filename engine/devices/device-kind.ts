/** What sort of device it is, and how careful one has to be with it. */
import type { Device, DeviceKind } from './device.ts';
import { isSettable, type Expose } from './expose.ts';

const kinds: Readonly<Record<string, DeviceKind>> = {
  light: 'light',
  switch: 'switch',
  cover: 'blind',
  lock: 'lock',
  fan: 'fan',
  climate: 'heating',
};

/** Which of several counts: a thermostat with a child lock is a thermostat. */
const order = ['climate', 'cover', 'fan', 'light', 'lock', 'switch'];

/** @param about What is written of it: description, model, name. */
export function kindOf(exposes: readonly Expose[], about: string): DeviceKind {
  const types = exposes.filter((one) => !isChildLock(one)).map(({ type }) => type);
  const main = order.find((type) => types.includes(type));
  const found = main === undefined ? undefined : kinds[main];
  if (found === 'blind' || found === 'switch' || found === undefined) {
    if (/garage|\bgate\b|garagentor/i.test(about) && found !== undefined) return 'garage door';
    if (/\bvalve\b|ventil/i.test(about) && found !== undefined && !/thermostat|radiator/i.test(about)) return 'valve';
    if (exposes.some(isAlarm) || (/siren|\balarm\b/i.test(about) && found === 'switch')) return 'alarm';
  }
  return found ?? 'sensor';
}

export const isChildLock = ({ name, property, type, features }: Expose): boolean =>
  type === 'lock' &&
  [name, property, ...features.flatMap((one) => [one.name, one.property])].some((word) => /child/i.test(word));

/** What makes noise when it is set. */
export const isAlarm = (one: Expose): boolean =>
  /^(?:warning|alarm|siren|squawk)$/.test(one.name) && (isSettable(one) || one.features.some(isSettable));

const critical: readonly DeviceKind[] = ['lock', 'garage door', 'alarm', 'valve'];

export const riskOf = (kind: DeviceKind, canBeSet: boolean): Device['risk'] => {
  if (!canBeSet) return 'read';
  return critical.includes(kind) ? 'critical' : 'reversible';
};
