/** Lights of MQTT discovery, of the schemas `default` and `json` (Home Assistant's documentation, "MQTT light"). */
import { colours, rgbOf } from './colours.ts';
import type { DeviceSetting, Send } from './device.ts';
import type { Parts } from './discovery-parts.ts';
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

export function light(config: Config): Parts | string {
  const schema = text(config, 'schema') ?? 'default';
  if (schema === 'json') return jsonLight(config);
  if (schema !== 'default' && schema !== 'basic')
    return 'Its commands are made by a template, which can’t be done here.';
  const order = text(config, 'on_command_type') === 'first' ? 'last' : 'first';
  const ordered = (send: Send | undefined): Send | undefined => send && { ...send, order };
  const scale = number(config, 'brightness_scale', 255);
  return {
    kind: 'light',
    settings: [
      ...onOff(config, sendTo(config, 'command_topic', 'state_template')),
      ...range(
        'brightness',
        ordered(sendTo(config, 'brightness_command_topic', 'brightness_command_template')),
        percent(0, scale),
      ),
      ...range(
        'colour temperature',
        ordered(sendTo(config, 'color_temp_command_topic', 'color_temp_command_template')),
        kelvin(config),
      ),
      ...choice(
        'effect',
        spoken(list(config, 'effect_list')),
        ordered(sendTo(config, 'effect_command_topic', 'effect_command_template')),
      ),
      ...choice('colour', colourTexts, ordered(sendTo(config, 'rgb_command_topic', 'rgb_command_template'))),
    ],
    readings: [
      ...reading(config, 'state', { template: 'state_value_template', words: onOffWords(config) }),
      ...reading(config, 'brightness', {
        ...{ topic: 'brightness_state_topic', template: 'brightness_value_template', unit: '%', wire: [0, scale] },
      }),
    ],
  };
}

const colourTexts = Object.fromEntries(Object.entries(colours).map(([name, hex]) => [name, rgbOf(hex).join(',')]));
const colourBodies = Object.fromEntries(
  Object.entries(colours).map(([name, hex]) => {
    const [r, g, b] = rgbOf(hex);
    return [name, { r, g, b }];
  }),
);

function kelvin(config: Config): Partial<DeviceSetting> {
  const isKelvin = config['color_temp_kelvin'] === true;
  const fromMired = (mired: number) => Math.round(1_000_000 / mired);
  return {
    minimum: number(config, 'min_kelvin', fromMired(number(config, 'max_mireds', 500))),
    maximum: number(config, 'max_kelvin', fromMired(number(config, 'min_mireds', 153))),
    unit: 'K',
    ...(isKelvin ? {} : { isMired: true }),
  };
}

/** The schema `json`: one payload for all. */
function jsonLight(config: Config): Parts | string {
  const topic = text(config, 'command_topic');
  if (topic === undefined) return 'It is not said where its commands go to.';
  const modes = list(config, 'supported_color_modes');
  const send = (...path: string[]): Send => ({ topic, path, ...(config['retain'] === true ? { retain: true } : {}) });
  const scale = number(config, 'brightness_scale', 255);
  const canDim = config['brightness'] === true || modes.some((mode) => mode !== 'onoff');
  const hasColour = modes.some((mode) => ['rgb', 'rgbw', 'rgbww', 'hs', 'xy'].includes(mode)) || config['rgb'] === true;
  const hasWhite = modes.includes('color_temp') || config['color_temp'] === true;
  const isOn = { with: { state: 'ON' } };
  const told = text(config, 'state_topic');
  return {
    kind: 'light',
    settings: [
      ...choice('state', { on: 'ON', off: 'OFF' }, send('state')),
      ...(canDim ? range('brightness', { ...send('brightness'), ...isOn }, percent(0, scale)) : []),
      ...(hasWhite ? range('colour temperature', { ...send('color_temp'), ...isOn }, kelvin(config)) : []),
      ...choice('effect', spoken(list(config, 'effect_list')), { ...send('effect'), ...isOn }),
      ...(hasColour ? choice('colour', colourBodies, { ...send('color'), ...isOn }) : []),
    ],
    readings: told
      ? [
          { what: 'state', topic: told, path: ['state'], words: { ON: 'on', OFF: 'off' } },
          ...(canDim
            ? [{ what: 'brightness', topic: told, path: ['brightness'], unit: '%', wire: [0, scale] as const }]
            : []),
        ]
      : [],
  };
}
