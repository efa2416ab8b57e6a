import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { deviceMessages } from './device-messages.ts';
import { readDiscovery, type DiscoveryMessage } from './discovery.ts';
import { functionOf } from './functions-of-devices.ts';

const at = (topic: string, payload: unknown): DiscoveryMessage => ({
  topic: `homeassistant/${topic}/config`,
  payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
});
const house = [
  at('light/node/desk', {
    ...{ '~': 'lights/desk', name: 'Desk lamp', uniq_id: 'd1', cmd_t: '~/set', stat_t: '~/state' },
    ...{ bri_cmd_t: '~/bri/set', bri_scl: 100, pl_on: '1', pl_off: '0' },
  }),
  at('light/strip', {
    ...{ name: null, schema: 'json', unique_id: 's1', command_topic: 'strip/set', brightness: true },
    ...{ supported_color_modes: ['rgb'], device: { name: 'Strip', ids: ['s'], sa: 'Hall' } },
  }),
  at('climate/ac', {
    ...{ name: 'Air conditioning', uniq_id: 'c1', temp_cmd_t: 'ac/temp', min_temp: 16, max_temp: 30, temp_step: 0.5 },
    ...{ mode_cmd_t: 'ac/mode', modes: ['off', 'cool', 'fan_only'], curr_temp_t: 'ac/now' },
  }),
  at('cover/gate', { name: 'Drive', uniq_id: 'g1', cmd_t: 'gate/set', dev_cla: 'gate', pl_stop: null }),
  at('number/level', {
    ...{ name: 'Pump level', uniq_id: 'n1', cmd_t: 'pump/set', min: 1, max: 5 },
    cmd_tpl: '{"level": {{ value }} }',
  }),
  at('sensor/t', {
    ...{ uniq_id: 't1', stat_t: 'w/state', dev_cla: 'temperature', unit_of_meas: '°C' },
    ...{ val_tpl: '{{ value_json.t | float }}', dev: { name: 'Weather', ids: 'w' } },
  }),
  at('sensor/h', {
    ...{ uniq_id: 'h1', stat_t: 'w/state', dev_cla: 'humidity', unit_of_meas: '%', val_tpl: "{{ value_json['h'] }}" },
    dev: { name: 'Weather', ids: 'w' },
  }),
  at('device/plug', {
    ...{ dev: { name: 'Freezer', ids: ['p'] }, o: { name: 'x' } },
    cmps: {
      relay: { p: 'switch', name: null, uniq_id: 'p1', cmd_t: 'p/set', stat_t: 'p/state' },
      watt: { p: 'sensor', uniq_id: 'p2', stat_t: 'p/w', dev_cla: 'power', unit_of_meas: 'W' },
    },
  }),
  at('alarm_control_panel/a', { name: 'Alarm', uniq_id: 'a1', cmd_t: 'alarm/set', code: '1234' }),
  at('light/odd', { name: 'Odd', schema: 'template', uniq_id: 'o1', cmd_t: 'odd/set' }),
  at('select/hard', { name: 'Hard', uniq_id: 'x1', cmd_t: 'x/set', ops: ['a'], cmd_tpl: '{% if value %}1{% endif %}' }),
  at('switch/gone', { name: 'Gone', uniq_id: 'y1', cmd_t: 'y/set' }),
  at('switch/gone', ''),
  at('lock/bad', '{"name": '),
  at('vacuum/v', { name: 'Robot', uniq_id: 'v1', cmd_t: 'v/set' }),
];
const { devices, skipped } = readDiscovery(house);
const sent = (name: string, parameters: Record<string, string | number>) => {
  const device = devices.find((one) => one.name === name);
  assert.ok(device, name);
  const plan = deviceMessages({ function: functionOf(device) ?? '', parameters }, devices);
  return 'why' in plan ? plan.why : plan.messages.map(({ topic, payload }) => `${topic} ${payload}`);
};

describe('MQTT discovery', () => {
  it('gives what can be set, with short forms and ~ written out', () => {
    assert.deepEqual(
      devices.map(({ name, kind, risk, room }) => [name, kind, risk, room]),
      [
        ['Desk lamp', 'light', 'reversible', undefined],
        ['Strip', 'light', 'reversible', 'hall'],
        ['Air conditioning', 'heating', 'reversible', undefined],
        ['Drive', 'garage door', 'critical', undefined],
        ['Pump level', 'number', 'reversible', undefined],
        ['Weather', 'sensor', 'read', undefined],
        ['Freezer', 'switch', 'reversible', undefined],
      ],
    );
  });

  it('publishes as the device wants it: texts one after the other, JSON in one, templates filled', () => {
    assert.deepEqual(sent('Desk lamp', { light: 'desk lamp', state: 'on', brightness: 40 }), [
      'lights/desk/bri/set 40',
      'lights/desk/set 1',
    ]);
    assert.deepEqual(sent('Strip', { light: 'hall light', brightness: 100, colour: 'blue' }), [
      'strip/set {"state":"ON","brightness":255,"color":{"r":0,"g":0,"b":255}}',
    ]);
    assert.deepEqual(sent('Air conditioning', { heating: 'air conditioning', temperature: 21.5, mode: 'fan only' }), [
      'ac/temp 21.5',
      'ac/mode fan_only',
    ]);
    assert.deepEqual(sent('Drive', { garage_door: 'drive', state: 'close' }), ['gate/set CLOSE']);
    assert.match(String(sent('Drive', { garage_door: 'drive', state: 'stop' })), /knows open or close for state/);
    assert.deepEqual(sent('Pump level', { setting: 'pump level', value: 3 }), ['pump/set {"level": 3 }']);
  });

  it('puts what only tells with the thing that it is a part of', () => {
    const told = (name: string) =>
      devices
        .find((one) => one.name === name)
        ?.readings.map(({ what, topic, path }) => [what, topic, ...path].join(' '));
    assert.deepEqual(told('Weather'), ['temperature w/state t', 'humidity w/state h']);
    assert.deepEqual(told('Freezer'), ['state p/state', 'power p/w']);
  });

  it('names what can’t be used, with the reason, and forgets what was taken back', () => {
    assert.deepEqual(skipped.map(({ name, why }) => `${name}: ${why}`).sort(), [
      'Alarm: It needs a code, which is not kept here.',
      'Hard: Its topics are missing, or its values are made by a template, which can’t be done here.',
      'Odd: Its commands are made by a template, which can’t be done here.',
      'Robot: A vacuum can’t be used here.',
      'bad: What it tells of itself is no JSON that can be read.',
    ]);
  });

  it('reads whatever is told without throwing, and never a topic with a wildcard', () => {
    const config = fc.dictionary(
      fc.constantFrom('cmd_t', 'stat_t', 'name', '~', 'schema', 'dev', 'cmps', 'min', 'ops', 'val_tpl', 'bri_cmd_t'),
      fc.oneof(fc.anything(), fc.constantFrom('a/+/b', '~/x', '#', '{{ value }}')),
    );
    const component = fc.constantFrom('light', 'switch', 'cover', 'device', 'number', 'select', 'strange');
    fc.assert(
      fc.property(fc.array(fc.tuple(component, config), { maxLength: 5 }), (all) => {
        const read = readDiscovery(
          all.map(([kind, given], n) => ({ topic: `homeassistant/${kind}/x${n}/config`, payload: given })),
        );
        const topics = read.devices.flatMap(({ settings }) => settings.map(({ send }) => send.topic));
        assert.ok(topics.every((topic) => !/[+#]/.test(topic)));
      }),
      { seed: seed(), numRuns: repeats(1_000) },
    );
  });
});
