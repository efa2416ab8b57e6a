import assert from 'node:assert/strict';
import { folkmootError } from '../errors.ts';
import { failureDetail, failureReason } from './failure.ts';

const said = (message: string) => failureReason({ message }, 'SetLight').replace('The device did not take it', '…');
const topic = 'zigbee2mqtt/kitchen_light/set';

describe('why a command failed', () => {
  it('is told in the words of the error, when a person can read them', () => {
    assert.equal(said('Error: no route to host'), '…: no route to host.');
    assert.equal(
      said('TypeError: the lamp and/or plug is at 20 km/h since 12/31/2026!'),
      '…: the lamp and/or plug is at 20 km/h since 12/31/2026!',
    );
    assert.equal(failureReason('lamp\n not  reached', 'SetLight'), 'The device did not take it: lamp not reached.');
    for (const text of ['', '{"a":1}', 'at x.js:1', 'x'.repeat(201), 'SetLight is wrong', '0123456789abcdef0123'])
      assert.equal(said(text), '….', text);
    assert.equal(failureReason(undefined, 'SetLight'), 'The device did not take it.');
  });

  it('names the device in place of its topic', () => {
    assert.equal(said(`Nothing was sent to "${topic}".`), '…: Nothing was sent to the kitchen light.');
    assert.equal(said(`no answer on ${topic}, gave up`), '…: no answer on the kitchen light, gave up.');
    assert.equal(said('the topic home/lawn_mower is closed'), '…: the lawn mower is closed.');
    assert.equal(said("could not write to 'home/hall' now"), '…: could not write to the hall now.');
    assert.equal(said('zigbee2mqtt/0x00158d0001/set timed out'), '…: the device timed out.');
    assert.equal(said('cannot open /dev/ttyUSB0'), '…: cannot open the device.');
    assert.equal(said('cmnd/tasmota_AB12/POWER: busy'), '…: the tasmota ab12: busy.');
  });

  it('is told in plain words for what our own connections say', () => {
    const of = (code: 'FOLKMOOT_BUS_LOST' | 'FOLKMOOT_BUS_FULL' | 'FOLKMOOT_BUS_REFUSED' | 'FOLKMOOT_LIMIT') =>
      failureReason(folkmootError(code, `A message to "${topic}" was not sent: the broker is away.`), 'SetLight');
    assert.equal(of('FOLKMOOT_BUS_LOST'), 'The device can’t be reached at the moment.');
    assert.equal(of('FOLKMOOT_BUS_FULL'), 'Too much waits to be sent already.');
    assert.equal(of('FOLKMOOT_BUS_REFUSED'), 'What was to be sent to the device was refused.');
    assert.equal(of('FOLKMOOT_LIMIT'), 'That was too much for the device at once.');
  });

  it('is whole in the log', () => {
    const error = new Error(`Nothing was sent to "${topic}".`);
    assert.equal(failureDetail(error, 'SetLight'), `"SetLight" was not carried out: Nothing was sent to "${topic}".`);
    assert.equal(failureDetail(undefined, 'SetLight'), '"SetLight" was not carried out: no reason was given');
  });
});
