import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLanguage } from '../language/language.ts';
import type { Parameters } from '../moot.ts';
import { contradictionsIn } from './contradictions.ts';

const room = { name: 'room', type: 'string', required: true, allowedValues: ['kitchen', 'hall'] };
const spec = (name: string, parameters: readonly object[], more: object = {}) => ({
  ...{ name, description: '', category: 'c', risk: 'reversible', effect: true, repeatable: true, parameters },
  ...more,
});
const language = createLanguage([
  spec(
    'SetLight',
    [
      room,
      { name: 'state', type: 'string', required: false, allowedValues: ['on', 'off'] },
      { name: 'brightness', type: 'integer', required: false },
    ],
    { requireOneOf: [['state', 'brightness']], sentence: '{room} light[ {state}][ at {brightness}]' },
  ),
  spec('SetTemperature', [room, { name: 'celsius', type: 'number', required: true }]),
  spec('SetFan', [room, { name: 'speed', type: 'string', required: true, allowedValues: ['off', 'low', 'on'] }]),
  spec('OpenDoor', [room]),
  spec('CloseDoor', [room]),
  spec('Say', [{ name: 'text', type: 'string', required: true }], { repeatable: false }),
]);
const call = (name: string, parameters: Parameters) => ({ function: name, parameters });
const found = (...calls: ReturnType<typeof call>[]) =>
  contradictionsIn(calls, (name) => language.find(name)).map(({ first, second }) => [
    calls.indexOf(first),
    calls.indexOf(second),
  ]);

describe('commands that contradict each other', () => {
  it('set the same thing twice to different values', () => {
    assert.deepEqual(
      found(
        call('SetTemperature', { room: 'hall', celsius: 20 }),
        call('SetTemperature', { room: 'hall', celsius: 22 }),
      ),
      [[0, 1]],
    );
    assert.deepEqual(
      found(call('SetLight', { room: 'hall', state: 'on' }), call('SetLight', { room: 'hall', state: 'off' })),
      [[0, 1]],
    );
    assert.deepEqual(
      found(call('SetFan', { room: 'hall', speed: 'on' }), call('SetFan', { room: 'hall', speed: 'off' })),
      [[0, 1]],
    );
  });

  it('are opposite functions of the same thing', () => {
    assert.deepEqual(found(call('OpenDoor', { room: 'hall' }), call('CloseDoor', { room: 'hall' })), [[0, 1]]);
    assert.deepEqual(found(call('OpenDoor', { room: 'hall' }), call('CloseDoor', { room: 'kitchen' })), []);
  });

  it('are none where another thing is meant, the values are the same, or they complete each other', () => {
    const hall = call('SetLight', { room: 'hall', state: 'on' });
    assert.deepEqual(found(hall, call('SetLight', { room: 'kitchen', state: 'off' })), []);
    assert.deepEqual(found(hall, hall), []);
    assert.deepEqual(found(hall, call('SetLight', { room: 'hall', brightness: 40 })), []);
    assert.deepEqual(found(call('Say', { text: 'a' }), call('Say', { text: 'b' })), []);
    assert.deepEqual(found(call('NoSuch', { room: 'hall' }), call('NoSuch', { room: 'kitchen' })), []);
  });

  it('are told in the words of the house', () => {
    const calls = [call('SetLight', { room: 'hall', state: 'on' }), call('SetLight', { room: 'hall', state: 'off' })];
    const [pair] = contradictionsIn(calls, (name) => language.find(name));
    assert.deepEqual(pair?.words, ['Hall light on', 'Hall light off']);
  });

  it('whatever is called, a call and itself never contradict, and each later one is told once', () => {
    const any = fc.record({
      function: fc.constantFrom('SetLight', 'SetTemperature', 'SetFan', 'OpenDoor', 'CloseDoor', 'Say'),
      parameters: fc.record(
        {
          room: fc.constantFrom('hall', 'kitchen'),
          state: fc.constantFrom('on', 'off'),
          speed: fc.constantFrom('on', 'off'),
          celsius: fc.integer({ min: 20, max: 22 }),
        },
        { requiredKeys: ['room'] },
      ),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 8 }), (calls) => {
        const pairs = contradictionsIn(calls as ReturnType<typeof call>[], (name) => language.find(name));
        const seconds = pairs.map(({ second }) => second);
        assert.equal(new Set(seconds).size, seconds.length);
        for (const { first, second } of pairs) {
          assert.notDeepEqual(first, second);
          assert.ok(calls.indexOf(first as never) < calls.indexOf(second as never));
        }
      }),
    );
  });
});
