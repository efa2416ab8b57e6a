/** What is published to carry out a command by a device, or in words why it can't be. */
import { allowedForPeople } from '../language/allowed.ts';
import { listed } from '../language/words.ts';
import type { Parameters } from '../moot.ts';
import type { Device, DeviceMessage, DeviceSetting } from './device.ts';
import { findDevice } from './find-device.ts';
import { functionOf, parameterName } from './functions-of-devices.ts';
import { kindWords } from './device-function.ts';

export interface DeviceCall {
  readonly function: string;
  readonly parameters: Parameters;
}

export const isDeviceFunction = (name: string, devices: readonly Device[]): boolean =>
  devices.some((device) => functionOf(device) === name);

export type DevicePlan =
  { readonly messages: readonly DeviceMessage[] } | { /** In words for people. */ readonly why: string };

/** It can't be done, for a reason in words. */
class Refusal extends Error {}

/**
 * The messages in the order in which they have to be published, or why there are none: no such device, two of that name, a
 * value that it does not have.
 */
export function deviceMessages(call: DeviceCall, devices: readonly Device[]): DevicePlan {
  try {
    return { messages: messagesOf(call, devices) };
  } catch (thrown) {
    if (thrown instanceof Refusal) return { why: thrown.message };
    throw thrown;
  }
}

function messagesOf(call: DeviceCall, all: readonly Device[]): readonly DeviceMessage[] {
  const devices = all.filter((device) => functionOf(device) === call.function);
  const [any] = devices;
  if (!any || any.kind === 'sensor') throw new Refusal('None of the devices can do that.');
  const { device: key } = kindWords[any.kind];
  const device = meant(String(call.parameters[key] ?? ''), devices);
  const wanted = Object.entries(call.parameters).filter(([name, value]) => name !== key && value !== undefined);
  const parts = wanted.map(([name, value]) => {
    const setting = device.settings.find(({ what }) => parameterName(what) === name);
    if (!setting) throw new Refusal(`The ${device.name} has no ${name.replaceAll('_', ' ')} that can be set.`);
    return { setting, value: wireValue(device, setting, value) };
  });
  const press = device.settings.find(({ what }) => what === 'press');
  if (parts.length === 0 && press) parts.push({ setting: press, value: Object.values(press.values ?? {})[0] });
  if (parts.length === 0) throw new Refusal(`It is not said what shall be done with the ${device.name}.`);
  return joined(parts);
}

function meant(said: string, devices: readonly Device[]): Device {
  const found = findDevice(said, devices);
  if (found.kind === 'found') return found.device;
  const names = (list: readonly Device[]) => listed(list.map(({ name }) => name));
  if (found.kind === 'tie') throw new Refusal(`Which one: ${names(found.devices)}?`);
  const nearest = found.nearest.length ? ` Did you mean ${names(found.nearest)}?` : '';
  throw new Refusal(`There is no ${said || 'device'} here.${nearest}`);
}

/** As the device expects it. Its own range and values count, not those of its sort. */
function wireValue(device: Device, setting: DeviceSetting, value: unknown): unknown {
  if (setting.type === 'choice') {
    const values = setting.values ?? {};
    const found = Object.keys(values).find((one) => one.toLowerCase() === String(value).toLowerCase());
    if (found === undefined)
      throw new Refusal(
        `The ${device.name} knows ${listed(Object.keys(values))} for ${setting.what}, not ${String(value)}.`,
      );
    return values[found];
  }
  const number = Number(value);
  const { minimum = -Infinity, maximum = Infinity, wire, isMired } = setting;
  if (!Number.isFinite(number) || number < minimum || number > maximum)
    throw new Refusal(
      `The ${setting.what} of the ${device.name} can be ${rangeInWords(setting)}, not ${String(value)}.`,
    );
  if (isMired) return Math.round(1_000_000 / number);
  if (!wire) return number;
  const [from, to] = wire;
  const share = (number - minimum) / (maximum - minimum);
  // Something that is to be on at all is not set to nothing.
  const scaled = Math.round(from + share * (to - from));
  return number > minimum && scaled === from ? from + Math.sign(to - from) : scaled;
}

const rangeInWords = (setting: DeviceSetting): string => allowedForPeople({ ...setting, type: 'number' });

interface Part {
  readonly setting: DeviceSetting;
  readonly value: unknown;
}

/** What goes to one topic as JSON goes in one payload; the rest one after the other. */
function joined(parts: readonly Part[]): DeviceMessage[] {
  const messages: (DeviceMessage & { readonly order: number })[] = [];
  const bodies = new Map<string, { body: Record<string, unknown>; retain: boolean }>();
  for (const { setting, value } of parts) {
    const { send } = setting;
    if (!send.path) {
      const text = (send.text ?? '{value}').replaceAll('{value}', () => textOf(value));
      messages.push({ ...{ topic: send.topic, payload: text, ...retained(send.retain), order: orderOf(send.order) } });
      continue;
    }
    const known = bodies.get(send.topic) ?? { body: {}, retain: send.retain === true };
    bodies.set(send.topic, { ...known, body: { ...known.body, ...send.with, ...nested(send.path, value) } });
  }
  for (const [topic, { body, retain }] of bodies)
    messages.push({ ...{ topic, payload: JSON.stringify(body), ...retained(retain), order: 1 } });
  return messages.sort((a, b) => a.order - b.order).map(({ order: _order, ...message }) => message);
}

const retained = (retain: boolean | undefined) => (retain ? { retain: true } : {});
const orderOf = (order: 'first' | 'last' | undefined): number => (order === 'first' ? 0 : order === 'last' ? 2 : 1);
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
const nested = ([first = '', ...rest]: readonly string[], value: unknown): Record<string, unknown> => ({
  [first]: rest.length ? nested(rest, value) : value,
});
