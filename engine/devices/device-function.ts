/** How people speak of each sort of device: its function, and words for it. English; they can be changed in the dialog. */
import type { DeviceKind } from './device.ts';

export interface KindWords {
  /** Name of the function. */
  readonly name: string;
  /** Name of the parameter that says which device. */
  readonly device: string;
  readonly description: string;
  readonly category: string;
  readonly synonyms: readonly string[];
  readonly sentence: string;
}

type Settable = Exclude<DeviceKind, 'sensor'>;

export const kindWords: Readonly<Record<Settable, KindWords>> = {
  light: {
    ...{ name: 'SetLight', device: 'light', category: 'lights' },
    description: 'Turn a light or lamp on or off, or set its brightness or colour',
    synonyms: ['switch light', 'turn light', 'dim', 'brighten', 'light up', 'lamp', 'bulb'],
    sentence: '{light}[ {state}][ at {brightness}][ in {colour}][ at {colour_temperature}][, {effect}]',
  },
  switch: {
    ...{ name: 'SwitchDevice', device: 'device', category: 'switches' },
    description: 'Switch a device, plug or socket on or off',
    synonyms: ['turn device', 'switch device', 'plug', 'socket', 'outlet'],
    sentence: '{device} {state}',
  },
  blind: {
    ...{ name: 'SetBlind', device: 'blind', category: 'blinds' },
    description: 'Open, close or stop a blind, shutter, shade or curtain, or move it to a position; 100 % is open',
    synonyms: ['move blind', 'shutter', 'shade', 'curtain', 'raise', 'lower', 'roll'],
    sentence: '{blind}[ {state:open=opened|close=closed|stop=stopped}][ at {position}][ tilted to {tilt}]',
  },
  heating: {
    ...{ name: 'SetHeating', device: 'heating', category: 'climate' },
    description: 'Set the temperature or the mode of a heating, radiator or thermostat',
    synonyms: ['heat', 'heat up', 'warm', 'warm up', 'cool', 'cool down', 'thermostat', 'radiator'],
    sentence: '{heating}[ at {temperature}][, cooling at {cooling_temperature}][ on {mode}][, {preset}][, fan {fan}]',
  },
  fan: {
    ...{ name: 'SetFan', device: 'fan', category: 'climate' },
    description: 'Turn a fan on or off, or set its speed or mode',
    synonyms: ['ventilate', 'ventilation', 'ventilator'],
    sentence: '{fan}[ {state}][ at {speed}][ on {mode}]',
  },
  lock: {
    ...{ name: 'SetLock', device: 'lock', category: 'access' },
    description: 'Lock or unlock a door',
    synonyms: ['lock door', 'unlock door', 'bolt'],
    sentence: '{lock} {state:lock=locked|unlock=unlocked}',
  },
  'garage door': {
    ...{ name: 'SetGarageDoor', device: 'garage_door', category: 'access' },
    description: 'Open, close or stop a garage door or gate',
    synonyms: ['garage', 'gate'],
    sentence: '{garage_door}[ {state:open=opened|close=closed|stop=stopped}][ at {position}]',
  },
  alarm: {
    ...{ name: 'SetAlarm', device: 'alarm', category: 'safety' },
    description: 'Turn a siren or alarm on or off',
    synonyms: ['siren', 'sound the alarm'],
    sentence: '{alarm}[ {state}][ {mode}][, volume {volume}][, melody {melody}][ for {duration}]',
  },
  valve: {
    ...{ name: 'SetValve', device: 'valve', category: 'safety' },
    description: 'Open or close a valve of water or gas',
    synonyms: ['water', 'tap', 'gas'],
    sentence: '{valve}[ {state:on=open|off=closed|open=open|close=closed|stop=stopped}][ at {position}]',
  },
  number: {
    ...{ name: 'SetValue', device: 'setting', category: 'settings' },
    description: 'Set a number of a device',
    synonyms: ['set to'],
    sentence: '{setting} at {value}',
  },
  choice: {
    ...{ name: 'ChooseOption', device: 'setting', category: 'settings' },
    description: 'Choose one of the options of a device',
    synonyms: ['choose', 'select', 'set to'],
    sentence: '{setting} on {option}',
  },
  button: {
    ...{ name: 'PressButton', device: 'button', category: 'settings' },
    description: 'Press a button of a device',
    synonyms: ['press', 'push', 'trigger'],
    sentence: '{button} pressed',
  },
};

/** Other words for what is said of a setting. */
export const valueSynonyms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'light state': { on: ['lit'], off: ['out', 'dark'] },
  'blind state': { open: ['up', 'raise', 'open up'], close: ['down', 'shut', 'lower', 'closed'], stop: ['halt'] },
  'garage door state': { open: ['up', 'open up'], close: ['down', 'shut', 'closed'] },
  'valve state': { on: ['open', 'open up'], off: ['close', 'shut', 'closed'] },
  'lock state': { lock: ['locked', 'bolt'], unlock: ['unlocked', 'unbolt'] },
};

/** What is never set by itself twice the same way: pressing again does it again. */
export const isRepeatable = (kind: DeviceKind): boolean => kind !== 'button';
