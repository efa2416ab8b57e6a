/** What a device tells, read from its payload. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DeviceReading } from './device.ts';
import { toldValue } from './told-value.ts';

const reading = (more: Partial<DeviceReading> = {}): DeviceReading => ({
  ...{ what: 'temperature', topic: 't', path: ['temperature'] },
  ...more,
});

describe('a told value', () => {
  it('is what stands at its place, or the whole payload', () => {
    assert.equal(toldValue(reading(), '{"temperature":18.5,"battery":90}'), 18.5);
    assert.equal(toldValue(reading({ path: ['a', 'b'] }), '{"a":{"b":"low"}}'), 'low');
    assert.equal(toldValue(reading({ path: [] }), '21.5'), 21.5);
    assert.equal(toldValue(reading({ path: [] }), 'OFF and on'), 'OFF and on');
  });

  it('is in the words and the range of people', () => {
    const words = { true: 'closed', false: 'open' };
    assert.equal(toldValue(reading({ path: ['contact'], words }), '{"contact":false}'), 'open');
    assert.equal(toldValue(reading({ path: ['brightness'], wire: [0, 254] }), '{"brightness":127}'), 50);
    assert.equal(toldValue(reading({ path: ['brightness'], wire: [254, 0] }), '{"brightness":254}'), 0);
  });

  it('is nothing where nothing is said of it', () => {
    for (const payload of ['{"battery":90}', '', 'no JSON', '[]', 'null', '{"temperature":{"x":1}}'])
      assert.equal(toldValue(reading(), payload), undefined, payload);
    assert.equal(toldValue(reading({ path: ['constructor', 'name'] }), '{}'), undefined);
  });

  it('is plain or nothing, and never throws, whatever is told', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.array(fc.string(), { maxLength: 3 }), (payload, path) => {
        const value = toldValue(reading({ path }), payload);
        assert.ok(value === undefined || ['string', 'number', 'boolean'].includes(typeof value));
      }),
    );
  });
});
