/** Questions are answered from live states and from the machine itself, over A.M.I.C.A., without a model. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { loadavg, uptime } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from './person.ts';
import { sharedHome } from './shared-home.ts';

describe('questions to the house', function () {
  this.timeout(120_000);
  let person: Person;
  before(async () => {
    ({ person } = await sharedHome());
    person.commands();
  });
  afterEach(() => assert.deepEqual(person.commands(), [], 'a question moved something'));

  const says = async (text: string): Promise<string> => (await person.say(text)).text;

  /** A state needs a moment to be kept; asked until it is told. */
  async function untilSaid(question: string, expected: RegExp): Promise<void> {
    let text = '';
    for (let tries = 0; tries < 20; tries += 1) {
      text = await says(question);
      if (expected.test(text)) return;
      await pause(100);
    }
    assert.match(text, expected);
  }

  it('tell the front door as it is now', async () => {
    await person.publish('zigbee2mqtt/front_door', { contact: true });
    await untilSaid('is the front door closed?', /^The front door is closed\.$/);
    await person.publish('zigbee2mqtt/front_door', { contact: false });
    await untilSaid('is the front door closed?', /^The front door is open\.$/);
  });

  it('tell the temperature of the room that is meant, and ask which', async () => {
    await person.publish('zigbee2mqtt/bedroom_climate', { local_temperature: 17.5 });
    await untilSaid('how warm is the bedroom?', /^The bedroom is at 17\.5 degrees\.$/);
    assert.match(await says('what is the temperature in the lounge?'), /^The living room is at .+ degrees\.$/);
    assert.match(await says('how warm is the room?'), /which room/i);
  });

  it('tell of this machine', async () => {
    const logins = execFileSync('who', { encoding: 'utf8' }).split('\n').filter(Boolean).length;
    const users = await says('how many users are logged into this system?');
    assert.match(
      users,
      logins === 0 ? /^Nobody is logged in/ : logins === 1 ? /^One user/ : new RegExp(`^${logins} users`),
    );
    const days = Math.floor(uptime() / 86_400);
    const expected = days === 0 ? /less than a day/ : days === 1 ? /one day/ : new RegExp(`${days} days`);
    assert.match(await says('how long has this computer been running?'), expected);
    const [load = 0] = loadavg().slice(2);
    const said = Number(/([\d.]+) over 15 minutes/.exec(await says('what is the load of this system?'))?.[1]);
    assert.ok(Math.abs(said - load) < 0.5, `${said} is not about ${load}`);
    assert.match(await says('show me the top 2 processes'), /MB\).*MB\)\.$/);
  });

  it('are answered several at once, beside an order', async () => {
    const text = await says('is the front door closed and how warm is the bedroom?');
    assert.match(text, /front door is/i);
    assert.match(text, /bedroom is at/i);
    const mixed = await says('turn the kitchen light on and tell me whether the front door is closed');
    await person.untilCommands(1, 2_000);
    assert.deepEqual(
      person.commands().map(({ topic }) => topic),
      ['zigbee2mqtt/kitchen_light/set'],
    );
    assert.match(mixed, /kitchen light on/i);
    assert.match(mixed, /front door is/i);
  });

  it('get a polite answer when nothing fits', async () => {
    for (const text of ['is the garden gate closed?', 'is the oven on?', 'did the post come?'])
      assert.match(await says(text), /^Sorry, /, text);
  });
});
