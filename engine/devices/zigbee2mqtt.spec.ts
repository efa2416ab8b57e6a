import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { zigbeeHouse } from '../../test/zigbee-house.ts';
import type { Device } from './device.ts';
import { readZigbee2mqtt } from './zigbee2mqtt.ts';

const { devices, skipped } = readZigbee2mqtt(JSON.stringify(zigbeeHouse));
const named = (name: string): Device => {
  const found = devices.find((device) => device.name === name);
  assert.ok(found, name);
  return found;
};
const ranges = (name: string) =>
  named(name).settings.map(({ what, minimum, maximum, unit, values }) =>
    [what, values ? Object.keys(values).join('|') : `${minimum}–${maximum} ${unit}`].join(' '),
  );

describe('the list of Zigbee2MQTT', () => {
  it('gives devices with spoken name, room, sort and how careful to be', () => {
    const seen = ['kitchen ceiling', 'living room lamp', 'garage', 'front door', 'attic siren', 'water main'].map(
      (name) => [name, named(name).room, named(name).kind, named(name).risk],
    );
    assert.deepEqual(seen, [
      ['kitchen ceiling', 'kitchen', 'light', 'reversible'],
      ['living room lamp', 'living room', 'light', 'reversible'],
      ['garage', undefined, 'garage door', 'critical'],
      ['front door', undefined, 'lock', 'critical'],
      ['attic siren', 'attic', 'alarm', 'critical'],
      ['water main', undefined, 'valve', 'critical'],
    ]);
    assert.deepEqual(named('kitchen ceiling').aliases, ['kitchen light']);
  });

  it('gives what can be set, with the range and unit of people', () => {
    assert.deepEqual(ranges('kitchen ceiling'), [
      'state on|off',
      'brightness 0–100 %',
      'colour temperature 2000–6667 K',
    ]);
    assert.deepEqual(ranges('office radiator'), ['temperature 8–25 °C', 'mode off|auto|heat']);
    assert.deepEqual(ranges('bedroom blind'), ['state open|close|stop', 'position 0–100 %']);
    assert.deepEqual(ranges('front door'), ['state lock|unlock']);
    assert.deepEqual(ranges('attic siren'), ['state on|off']);
  });

  it('gives what is told, with unit and words, and nothing of the network or of keys', () => {
    assert.deepEqual(
      named('kitchen window').readings.map(({ what, unit, words }) => [what, unit, words]),
      [
        ['contact', undefined, { false: 'closed', true: 'open' }],
        ['battery', '%', undefined],
      ],
    );
    const told = new Set(devices.flatMap(({ readings }) => readings.map(({ what }) => what)));
    assert.ok(!told.has('linkquality') && !told.has('child lock'));
    assert.ok(!named('bathroom radiator').readings.some(({ what }) => what === 'state'));
    assert.equal(named('bath climate').risk, 'read');
  });

  it('divides a switch of two into two, and takes no thermostat for a lock', () => {
    assert.deepEqual(named('hall switch left').settings[0]?.send.path, ['state_left']);
    assert.deepEqual(named('hall switch right').settings[0]?.send.path, ['state_right']);
    assert.equal(named('bathroom radiator').kind, 'heating');
  });

  it('says of each that can’t be used why', () => {
    assert.deepEqual(
      skipped.map(({ name }) => name),
      ['old one', 'new one', 'stranger'],
    );
    for (const { why } of skipped) assert.match(why, /^[A-Z].*\.$/);
  });

  it('gives no two devices one name, whatever their case and accents', () => {
    const light = zigbeeHouse[1];
    const again = ['Lamp', 'lamp', 'LÀMP', 'Lamp 2'].map((friendly_name) => ({ ...light, friendly_name }));
    assert.deepEqual(
      readZigbee2mqtt(again).devices.map(({ name }) => name),
      ['Lamp 1', 'lamp 3', 'LÀMP 4', 'Lamp 2'],
    );
  });

  it('gives groups with what all of their members can do', () => {
    const address = (name: string) =>
      (zigbeeHouse as { friendly_name?: string; ieee_address?: string }[]).find((one) => one.friendly_name === name)
        ?.ieee_address;
    const members = (...names: string[]) => names.map((name) => ({ ieee_address: address(name), endpoint: 1 }));
    const groups = [
      { id: 1, friendly_name: 'downstairs lights', members: members('kitchen/ceiling', 'Küche Spüle') },
      { id: 2, friendly_name: 'radiators', members: members('bathroom radiator', 'office radiator') },
      { id: 3, friendly_name: 'mixed', members: members('garage', 'front door') },
      { id: 4, friendly_name: 'empty', members: [] },
    ];
    const found = readZigbee2mqtt(zigbeeHouse, { groups });
    const group = (name: string) => found.devices.find((device) => device.name === name);
    assert.deepEqual(
      group('downstairs lights')?.settings.map(({ what, send }) => [what, send.topic]),
      [
        ['state', 'zigbee2mqtt/downstairs lights/set'],
        ['brightness', 'zigbee2mqtt/downstairs lights/set'],
      ],
    );
    const [temperature] = group('radiators')?.settings ?? [];
    assert.deepEqual([temperature?.minimum, temperature?.maximum], [8, 25]);
    assert.deepEqual(
      found.skipped.slice(-2).map(({ name }) => name),
      ['mixed', 'empty'],
    );
  });

  it('refuses what is no list, in words, and reads any list without throwing', () => {
    for (const bad of ['{', '{}', 7, null]) assert.throws(() => readZigbee2mqtt(bad), /no (?:list of devices|JSON)/);
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.anything(), fc.constantFrom(...zigbeeHouse))), (list) => {
        const found = readZigbee2mqtt(list);
        assert.ok(found.devices.every(({ settings, readings }) => settings.length + readings.length > 0));
      }),
      { seed: seed(), numRuns: repeats(1_000) },
    );
  });
});
