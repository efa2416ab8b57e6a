import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { readingsOf } from './reading.ts';

const readings = (topic: unknown, payload: unknown, units?: Record<string, string>) => {
  const read = readingsOf(topic, payload, units ? { units } : {});
  assert.equal(read.kind, 'readings');
  return read.kind === 'readings' ? read.readings : [];
};
const reason = (payload: unknown) => {
  const read = readingsOf('home/hall/x', payload);
  return read.kind === 'dropped' ? read.reason : `kept ${JSON.stringify(read.readings)}`;
};

describe('reading what sensors send', () => {
  it('gives one reading for each property of an object, from the device of the topic', () => {
    assert.deepEqual(readings('zigbee2mqtt/hall_motion', { occupancy: true, illuminance: 12 }), [
      { source: 'hall_motion', kind: 'occupancy', value: true },
      { source: 'hall_motion', kind: 'illuminance', value: 12 },
    ]);
  });
  it('reads JSON in text and in bytes, also from another context', () => {
    const expected = [{ source: 'plug', kind: 'power', value: 3 }];
    assert.deepEqual(readings('zigbee2mqtt/plug', '{"power":3}'), expected);
    assert.deepEqual(readings('zigbee2mqtt/plug', Buffer.from('{"power":3}')), expected);
    assert.deepEqual(readings('zigbee2mqtt/plug', runInNewContext('({ power: 3 })')), expected);
  });
  it('takes the kind of a single value from the last part of the topic', () => {
    assert.deepEqual(readings('zigbee2mqtt/hall_motion/occupancy', 'true'), [
      { source: 'hall_motion', kind: 'occupancy', value: true },
    ]);
    assert.deepEqual(readings('home/temperature', 21), [{ source: 'home', kind: 'temperature', value: 21 }]);
    assert.deepEqual(readings('stat/plug/POWER', 'ON'), [{ source: 'plug', kind: 'POWER', value: 'ON' }]);
    assert.deepEqual(readings(undefined, 5), [{ source: 'sensor', kind: 'value', value: 5 }]);
  });
  it('lets units travel with values, from the payload first and else from the settings', () => {
    assert.deepEqual(readings('home/hall/temperature', { value: 70, unit: '°F' }, { temperature: '°C' }), [
      { source: 'hall', kind: 'temperature', value: 70, unit: '°F' },
    ]);
    assert.deepEqual(
      readings('zigbee2mqtt/hall', { illuminance: 3, power: { value: 2, unit: 'W' } }, { illuminance: 'lx' }),
      [
        { source: 'hall', kind: 'illuminance', value: 3, unit: 'lx' },
        { source: 'hall', kind: 'power', value: 2, unit: 'W' },
      ],
    );
  });
  it('takes the unit that a message says of its single value', () => {
    const read = readingsOf('home/hall/temperature', '70', { unit: '°F' });
    assert.deepEqual(read, {
      kind: 'readings',
      readings: [{ source: 'hall', kind: 'temperature', value: 70, unit: '°F' }],
    });
  });
  it('drops what is no plain JSON, too deep, too large or empty, and says why', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 20; level += 1) deep = { deep };
    assert.equal(reason(deep), 'too deep');
    assert.equal(reason('{"power":'), 'not JSON');
    assert.equal(reason({ at: new Date(0) }), 'not JSON');
    assert.equal(reason(Number.NaN), 'not JSON');
    assert.equal(
      reason(() => 1),
      'not JSON',
    );
    assert.equal(reason(Buffer.from([0xff, 0xfe, 0x00])), 'not text');
    assert.equal(reason('x'.repeat(1024 * 1024)), 'too large');
    assert.equal(
      reason(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, i]))),
      'too many properties',
    );
    for (const empty of ['', ' ', {}, null, undefined]) assert.equal(reason(empty), 'empty');
  });
  it('never throws, whatever comes, and keeps only what JSON can hold', () => {
    const odd = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
      fc.string(),
      fc.uint8Array(),
      fc.json(),
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string()), odd, (topic, payload) => {
        const read = readingsOf(topic, payload);
        if (read.kind === 'readings')
          for (const { value } of read.readings)
            assert.doesNotThrow(() => {
              assert.equal(typeof JSON.stringify(value), 'string');
            });
      }),
      { seed: seed(), numRuns: repeats(4000) },
    );
  });
});
