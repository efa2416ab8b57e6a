/** What sensors told last, asked in words over A.M.I.C.A. without a model (rows P7, P12): value, unit and age. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from './person.ts';
import { sharedHome } from './shared-home.ts';
import { machineryIn } from './words.ts';

/** Devices of this spec's own, beside those of the simulated home. */
const states: Readonly<Record<string, object>> = {
  'zigbee2mqtt/attic_climate': { local_temperature: 14.5, occupied_heating_setpoint: 16, humidity: 61 },
  'zigbee2mqtt/attic_motion': { occupancy: false, illuminance: 7, battery: 88 },
  'zigbee2mqtt/freezer_plug': { power: 93, energy: 12.4 },
  'zigbee2mqtt/attic_blind': { position: 40 },
  'zigbee2mqtt/porch_motion': { occupancy: true },
};
const told = String.raw`, told (just now|\d+ (second|minute)s? ago)\.$`;
const says = (words: string): RegExp => new RegExp(`^${words}${told}`);

const questions: readonly (readonly [string, RegExp])[] = [
  ['how warm is it in the attic?', says('The temperature of the attic is 14.5 °C')],
  ['how warm is the attic?', says('The temperature of the attic is 14.5 °C')],
  ['what is the temperature in the attic?', says('The temperature of the attic is 14.5 °C')],
  ['tell me how cold it is in the attic', says('The temperature of the attic is 14.5 °C')],
  ['what is the set temperature of the attic?', says('The set temperature of the attic is 16 °C')],
  ['how humid is it in the attic?', says('The humidity of the attic is 61 %')],
  ['what is the humidity of the attic?', says('The humidity of the attic is 61 %')],
  ['how bright is it in the attic?', says('The light level of the attic is 7 lx')],
  ['is it dark in the attic?', says('The light level of the attic is 7 lx')],
  ['is somebody in the attic?', says('Nobody is in the attic')],
  ['is anybody in the attic?', says('Nobody is in the attic')],
  ['is there motion on the porch?', says('Somebody is in the porch')],
  ['how much power does the freezer use?', says('The power of the freezer is 93 W')],
  ['what is the power of the freezer?', says('The power of the freezer is 93 W')],
  ['how many watts does the freezer draw?', says('The power of the freezer is 93 W')],
  ['what is the position of the attic blind?', says('The position of the attic blind is 40 %')],
  ['what is the battery of the attic motion?', says('The battery of the attic motion is 88 %')],
  ['how humid is the freezer?', /^I don’t know the humidity of the freezer: nothing has told it yet\.$/],
  ['is somebody in the freezer?', /^I don’t know whether somebody is in the freezer: nothing has told it yet\.$/],
  ['how warm is the wine cellar?', /^(Sorry|Nothing here tells me that)/],
];

describe('what the house is like', function () {
  this.timeout(120_000);
  let person: Person;
  before(async () => {
    ({ person } = await sharedHome());
    person.commands();
    for (const [topic, state] of Object.entries(states)) await person.publish(topic, state);
    // Sensors are heard on their own way: the last one is asked for until it is.
    const heard = async () => /14\.5/.test((await person.say('how warm is it in the attic?')).text);
    for (let tries = 0; tries < 50 && !(await heard()); tries += 1) await pause(50);
  });
  afterEach(() => assert.deepEqual(person.commands(), [], 'a question moved something'));

  for (const [question, expected] of questions)
    it(`is told: ${question}`, async () => {
      const { text } = await person.say(question);
      assert.match(text, expected);
      assert.deepEqual(machineryIn(text, question), []);
    });

  it('is told for several things at once, and as it is now', async () => {
    const { text } = await person.say('how warm is it in the attic and how much power does the freezer use?');
    assert.match(text, /14\.5 °C.*93 W/s);
    let said = '';
    for (let tries = 0; tries < 50 && !said.includes('15.25'); tries += 1) {
      await person.publish('zigbee2mqtt/attic_climate', { local_temperature: 15.25 });
      said = (await person.say('how warm is it in the attic?')).text;
    }
    assert.match(said, says('The temperature of the attic is 15.25 °C'));
  });
});
