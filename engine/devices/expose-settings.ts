/** What of a Zigbee2MQTT device can be set, in words of ours. */
import { colours } from './colours.ts';
import type { DeviceKind, DeviceSetting, Send } from './device.ts';
import { isAlarm, isChildLock } from './device-kind.ts';
import { isSettable, type Expose } from './expose.ts';

type Make = (one: Expose, send: Send) => DeviceSetting | undefined;

const number = (what: string, one: Expose, send: Send): DeviceSetting => ({
  what,
  type: 'number',
  ...(one.minimum === undefined ? {} : { minimum: one.minimum }),
  ...(one.maximum === undefined ? {} : { maximum: one.maximum }),
  ...(one.step === undefined ? {} : { step: one.step }),
  ...(one.unit ? { unit: one.unit } : {}),
  send,
});

/** Of its own range as 0 to 100 %. */
const percent = (what: string, one: Expose, send: Send, wire: readonly [number, number]): DeviceSetting => ({
  ...{ what, type: 'number', minimum: 0, maximum: 100, unit: '%', send },
  ...(wire[0] === 0 && wire[1] === 100 ? {} : { wire }),
});

const choice = (what: string, values: Readonly<Record<string, unknown>>, send: Send): DeviceSetting | undefined =>
  Object.keys(values).length ? { what, type: 'choice', values, send } : undefined;

const listed = (what: string, { values = [] }: Expose, send: Send): DeviceSetting | undefined =>
  choice(what, Object.fromEntries(values.map((value) => [value.replaceAll('_', ' ').toLowerCase(), value])), send);

const onOff: Make = (one, send) => choice('state', { on: one.on ?? 'ON', off: one.off ?? 'OFF' }, send);

const kelvinOf = (mired: number): number => Math.round(1_000_000 / mired);

const colourTemperature: Make = (one, send) => ({
  ...{ what: 'colour temperature', type: 'number', unit: 'K', isMired: true, send },
  minimum: kelvinOf(one.maximum ?? 500),
  maximum: kelvinOf(one.minimum ?? 153),
});

const colour: Make = (_one, send) =>
  choice('colour', Object.fromEntries(Object.entries(colours).map(([name, hex]) => [name, { hex }])), send);

const moving: Readonly<Record<string, string>> = { OPEN: 'open', CLOSE: 'close', STOP: 'stop' };
const lockWords: Readonly<Record<string, string>> = { LOCK: 'lock', UNLOCK: 'unlock' };

const cover: Make = ({ values = ['OPEN', 'CLOSE', 'STOP'] }, send) =>
  choice('state', Object.fromEntries(values.map((value) => [moving[value] ?? value.toLowerCase(), value])), send);

const lock: Make = ({ on = 'LOCK', off = 'UNLOCK' }, send) =>
  choice(
    'state',
    Object.fromEntries([on, off].map((value) => [lockWords[String(value)] ?? String(value), value])),
    send,
  );

/** By the kind of expose and the name of its feature. */
const makers: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
  light: {
    state: onOff,
    brightness: (one, send) => percent('brightness', one, send, [one.minimum ?? 0, one.maximum ?? 254]),
    color_temp: colourTemperature,
    color_xy: colour,
    color_hs: colour,
  },
  switch: { state: onOff },
  cover: {
    state: cover,
    position: (one, send) => percent('position', one, send, [one.minimum ?? 0, one.maximum ?? 100]),
    tilt: (one, send) => percent('tilt', one, send, [one.minimum ?? 0, one.maximum ?? 100]),
  },
  lock: { state: lock },
  fan: {
    state: onOff,
    mode: (one, send) => listed('mode', one, send),
    speed: (one, send) => percent('speed', one, send, [one.minimum ?? 0, one.maximum ?? 100]),
  },
  climate: {
    occupied_heating_setpoint: (one, send) => number('temperature', one, send),
    current_heating_setpoint: (one, send) => number('temperature', one, send),
    occupied_cooling_setpoint: (one, send) => number('cooling temperature', one, send),
    system_mode: (one, send) => listed('mode', one, send),
    preset: (one, send) => listed('preset', one, send),
    fan_mode: (one, send) => listed('fan', one, send),
  },
};

const mainType: Partial<Record<DeviceKind, readonly string[]>> = {
  light: ['light'],
  switch: ['switch'],
  valve: ['switch', 'cover'],
  'garage door': ['cover', 'switch'],
  blind: ['cover'],
  lock: ['lock'],
  fan: ['fan'],
  heating: ['climate'],
  alarm: ['switch'],
};

/** @param topic Where settings are sent to. The first of each word counts. */
export function settingsOf(exposes: readonly Expose[], kind: DeviceKind, topic: string): readonly DeviceSetting[] {
  const types = mainType[kind] ?? [];
  const main = exposes.filter((one) => types.includes(one.type) && !isChildLock(one));
  const found = [
    ...main.flatMap((one) => one.features.flatMap((feature) => madeOf(one.type, feature, topic))),
    ...(kind === 'alarm' ? exposes.filter(isAlarm).flatMap((one) => noise(one, topic)) : []),
    ...exposes.flatMap((one) => beside(one, kind, topic)),
  ];
  return found.filter(({ what }, index) => found.findIndex((one) => one.what === what) === index);
}

function madeOf(type: string, feature: Expose, topic: string): DeviceSetting[] {
  const colourParts = feature.features.some(isSettable);
  if (!isSettable(feature) && !colourParts) return [];
  const made = makers[type]?.[feature.name]?.(feature, { topic, path: [feature.property] });
  return made ? [made] : [];
}

/** A siren: on is its loudest sort of warning, off is none. */
function noise(one: Expose, topic: string): DeviceSetting[] {
  const send: Send = { topic, path: [one.property] };
  const mode = one.features.find(({ name }) => name === 'mode');
  if (mode?.values?.length) {
    const off = mode.values.find((value) => /^(?:stop|off|none)$/.test(value)) ?? mode.values[0];
    const on = ['emergency', 'burglar', 'fire'].find((value) => mode.values?.includes(value)) ?? mode.values.at(-1);
    return [choice('state', { on: { mode: on }, off: { mode: off } }, send)].flatMap((made) => made ?? []);
  }
  if (one.type === 'binary') return [onOff(one, send)].flatMap((made) => made ?? []);
  return [listed('mode', one, send)].flatMap((made) => made ?? []);
}

/** What stands beside the main thing and is of use to people. */
const besides: Partial<Record<DeviceKind, readonly string[]>> = {
  light: ['effect'],
  fan: ['speed', 'fan_speed'],
  alarm: ['volume', 'melody', 'duration'],
};

function beside(one: Expose, kind: DeviceKind, topic: string): DeviceSetting[] {
  if (!isSettable(one) || !besides[kind]?.includes(one.name)) return [];
  const send: Send = { topic, path: [one.property] };
  const what = one.name === 'fan_speed' ? 'speed' : one.name;
  if (one.type === 'numeric') return [number(what, one, send)];
  return one.type === 'enum' ? [listed(what, one, send)].flatMap((made) => made ?? []) : [];
}
