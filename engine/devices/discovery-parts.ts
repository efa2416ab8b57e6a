/** What an entity of MQTT discovery can be set to and what it tells, by its component (Home Assistant's MQTT integrations). */
import type { DeviceKind, DeviceReading, DeviceSetting } from './device.ts';
import { light } from './discovery-light.ts';
import {
  choice,
  list,
  number,
  onOff,
  onOffWords,
  percent,
  range,
  reading,
  sendTo,
  spoken,
  text,
} from './discovery-send.ts';
import type { Config } from './discovery-words.ts';
import { wordsForReading } from './reading-words.ts';

export interface Parts {
  readonly kind: DeviceKind;
  readonly settings: readonly DeviceSetting[];
  readonly readings: readonly DeviceReading[];
}

type Read = (config: Config) => Parts | string;

const moving = (config: Config): Record<string, unknown> =>
  Object.fromEntries(
    [
      ['open', 'payload_open', 'OPEN'],
      ['close', 'payload_close', 'CLOSE'],
      ['stop', 'payload_stop', 'STOP'],
    ].flatMap(([what = '', key = '', usual]) => (config[key] === null ? [] : [[what, config[key] ?? usual]])),
  );

const gates = ['garage', 'gate'];

const cover: Read = (config) => ({
  kind: gates.includes(text(config, 'device_class') ?? '') ? 'garage door' : 'blind',
  settings: [
    ...choice('state', moving(config), sendTo(config, 'command_topic', 'command_template')),
    ...range(
      'position',
      sendTo(config, 'set_position_topic', 'set_position_template'),
      percent(number(config, 'position_closed', 0), number(config, 'position_open', 100)),
    ),
    ...range(
      'tilt',
      sendTo(config, 'tilt_command_topic', 'tilt_command_template'),
      percent(number(config, 'tilt_min', 0), number(config, 'tilt_max', 100)),
    ),
  ],
  readings: [
    ...reading(config, 'state', {}),
    ...reading(config, 'position', { topic: 'position_topic', template: 'position_template', unit: '%' }),
  ],
});

const valve: Read = (config) => {
  const send = sendTo(config, 'command_topic', 'command_template');
  const hasPosition = config['reports_position'] === true;
  return {
    kind: 'valve',
    settings: hasPosition
      ? range('position', send, percent(number(config, 'position_closed', 0), number(config, 'position_open', 100)))
      : choice('state', moving({ payload_stop: null, ...config }), send),
    readings: reading(config, 'state', {}),
  };
};

const lock: Read = (config) => ({
  kind: 'lock',
  settings: choice(
    'state',
    { lock: config['payload_lock'] ?? 'LOCK', unlock: config['payload_unlock'] ?? 'UNLOCK' },
    sendTo(config, 'command_topic', 'command_template'),
  ),
  readings: reading(config, 'state', {
    words: {
      [String(config['state_locked'] ?? 'LOCKED')]: 'locked',
      [String(config['state_unlocked'] ?? 'UNLOCKED')]: 'unlocked',
    },
  }),
});

const fan: Read = (config) => ({
  kind: 'fan',
  settings: [
    ...onOff(config, sendTo(config, 'command_topic', 'command_template')),
    ...range(
      'speed',
      sendTo(config, 'percentage_command_topic', 'percentage_command_template'),
      percent(number(config, 'speed_range_min', 1) - 1, number(config, 'speed_range_max', 100)),
    ),
    ...choice(
      'mode',
      spoken(list(config, 'preset_modes')),
      sendTo(config, 'preset_mode_command_topic', 'preset_mode_command_template'),
    ),
  ],
  readings: reading(config, 'state', { template: 'state_value_template', words: onOffWords(config) }),
});

const degree = (config: Config): string => (text(config, 'temperature_unit') === 'F' ? '°F' : '°C');

const climate: Read = (config) => ({
  kind: 'heating',
  settings: [
    ...range('temperature', sendTo(config, 'temperature_command_topic', 'temperature_command_template'), {
      minimum: number(config, 'min_temp', 7),
      maximum: number(config, 'max_temp', 35),
      step: number(config, 'temp_step', 1),
      unit: degree(config),
    }),
    ...choice('mode', spoken(list(config, 'modes')), sendTo(config, 'mode_command_topic', 'mode_command_template')),
    ...choice(
      'preset',
      spoken(list(config, 'preset_modes')),
      sendTo(config, 'preset_mode_command_topic', 'preset_mode_command_template'),
    ),
    ...choice(
      'fan',
      spoken(list(config, 'fan_modes')),
      sendTo(config, 'fan_mode_command_topic', 'fan_mode_command_template'),
    ),
  ],
  readings: [
    ...reading(config, 'temperature', {
      topic: 'current_temperature_topic',
      template: 'current_temperature_template',
      unit: degree(config),
    }),
    ...reading(config, 'setpoint', {
      topic: 'temperature_state_topic',
      template: 'temperature_state_template',
      unit: degree(config),
    }),
    ...reading(config, 'mode', { topic: 'mode_state_topic', template: 'mode_state_template' }),
  ],
});

const armed: readonly (readonly [string, string, string])[] = [
  ['home', 'payload_arm_home', 'ARM_HOME'],
  ['away', 'payload_arm_away', 'ARM_AWAY'],
  ['night', 'payload_arm_night', 'ARM_NIGHT'],
  ['off', 'payload_disarm', 'DISARM'],
];

const alarmPanel: Read = (config) => ({
  kind: 'alarm',
  settings: choice(
    'mode',
    Object.fromEntries(armed.map(([what, key, usual]) => [what, config[key] ?? usual])),
    config['code'] === undefined ? sendTo(config, 'command_topic', 'command_template') : undefined,
  ),
  readings: reading(config, 'state', {}),
});

const what = (config: Config, usual: string): string =>
  (text(config, 'device_class') ?? text(config, 'name') ?? usual).replaceAll('_', ' ').toLowerCase();

const unitOf = (config: Config): { unit?: string } => {
  const unit = text(config, 'unit_of_measurement');
  return unit === undefined ? {} : { unit };
};

const binaryNames: Readonly<Record<string, string>> = { moisture: 'water_leak', door: 'contact', window: 'contact' };

function binarySensor(config: Config): Parts {
  const name = (text(config, 'device_class') ?? '').replaceAll(' ', '_');
  const [on, off] = [config['payload_on'] ?? 'ON', config['payload_off'] ?? 'OFF'];
  // Here ON is an open door.
  const isOpening = ['door', 'window', 'opening', 'garage_door'].includes(name);
  const words = isOpening
    ? { [String(on)]: 'open', [String(off)]: 'closed' }
    : wordsForReading(binaryNames[name] ?? name, on, off);
  return { kind: 'sensor', settings: [], readings: reading(config, what(config, 'state'), { words }) };
}

export const components: Readonly<Record<string, Read>> = {
  light,
  switch: (config) => ({
    kind: 'switch',
    settings: onOff(config, sendTo(config, 'command_topic', 'command_template')),
    readings: reading(config, 'state', { words: onOffWords(config) }),
  }),
  siren: (config) => ({
    kind: 'alarm',
    settings: onOff(config, sendTo(config, 'command_topic', 'command_template')),
    readings: reading(config, 'state', { words: onOffWords(config) }),
  }),
  cover,
  valve,
  lock,
  fan,
  climate,
  alarm_control_panel: alarmPanel,
  number: (config) => ({
    kind: 'number',
    settings: range('value', sendTo(config, 'command_topic', 'command_template'), {
      ...{ minimum: number(config, 'min', 1), maximum: number(config, 'max', 100), step: number(config, 'step', 1) },
      ...unitOf(config),
    }),
    readings: reading(config, what(config, 'value'), unitOf(config)),
  }),
  select: (config) => ({
    kind: 'choice',
    settings: choice('option', spoken(list(config, 'options')), sendTo(config, 'command_topic', 'command_template')),
    readings: reading(config, what(config, 'option'), {}),
  }),
  button: (config) => ({
    kind: 'button',
    settings: choice(
      'press',
      { press: config['payload_press'] ?? 'PRESS' },
      sendTo(config, 'command_topic', 'command_template'),
    ),
    readings: [],
  }),
  sensor: (config) => ({
    kind: 'sensor',
    settings: [],
    readings: reading(config, what(config, 'value'), unitOf(config)),
  }),
  binary_sensor: binarySensor,
};
