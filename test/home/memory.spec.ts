/** What people tell the house is kept for each of them, over a power cut. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { newFolder, startHome, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';

const nothing = /don’t remember anything about that/;

describe('a house that is told something', function () {
  this.timeout(120_000);
  let folder = '';
  let home: HomeProcess;
  let person: Person;
  const start = async () => {
    home = await startHome({ folder });
    person = await connectPerson(home.ready.mqtt);
  };
  const says = async (user: string, text: string) => (await person.say(text, { user })).text;

  before(async () => {
    folder = await newFolder();
    await start();
  });
  after(async () => {
    await person?.close();
    await home?.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => assert.deepEqual(person.commands(), []));

  it('says in words that it does not know yet', async () => {
    assert.match(await says('anna', 'where is the spare key?'), nothing);
  });

  it('remembers in the person’s own words', async () => {
    assert.match(await says('anna', 'remember that the spare key is with Maria'), /“the spare key is with Maria”/);
    assert.match(await says('anna', 'remember that the bins go out on Tuesday'), /“the bins go out on Tuesday”/);
  });

  it('answers after a power cut, to that person and nobody else', async () => {
    await person.close();
    await home.stop('SIGKILL');
    await start();
    assert.match(await says('anna', 'where is the spare key?'), /the spare key is with Maria/);
    assert.match(await says('anna', 'when do the bins go out?'), /the bins go out on Tuesday/);
    assert.match(await says('anna', 'what do you remember about the spare key?'), /with Maria/);
    for (const text of ['where is the spare key?', 'what do you remember about the spare key?'])
      assert.match(await says('bert', text), nothing);
  });

  it('says that it never heard of something else', async () => {
    const text = await says('anna', 'where is the stepladder?');
    assert.match(text, nothing);
    assert.doesNotMatch(text, /Maria|Tuesday/);
  });

  it('forgets what it is told to forget, of that person only', async () => {
    await says('bert', 'remember that the spare key is under the pot');
    assert.match(await says('anna', 'forget where the spare key is'), /forgotten “the spare key is with Maria”/);
    assert.match(await says('anna', 'where is the spare key?'), nothing);
    assert.match(await says('bert', 'where is the spare key?'), /under the pot/);
    assert.match(await says('anna', 'when do the bins go out?'), /Tuesday/);
  });

  it('asks back before it forgets everything, also over a power cut, and takes a yes in the same conversation only', async () => {
    const conversation = randomUUID();
    const inside = async (text: string) => (await person.say(text, { user: 'carl', conversation })).text;
    for (const what of ['the gas man comes on Monday', 'the ladder is at Tom’s']) await inside(`remember that ${what}`);
    assert.match(await inside('forget everything'), /Shall I forget all 2 things/);
    assert.doesNotMatch(await says('carl', 'yes'), /forgotten all/);
    assert.match(await says('carl', 'when does the gas man come?'), /Monday/);
    assert.match(await inside('forget everything'), /Shall I forget all 2 things/);
    await person.close();
    await home.stop('SIGKILL');
    await start();
    assert.match(await inside('yes'), /I have forgotten all of this/);
    assert.match(await says('carl', 'when does the gas man come?'), nothing);
  });

  it('does in the house what else the same sentence asks for', async () => {
    const text = await says('anna', 'turn the hall light on and remember that the ladder is in the barn');
    assert.match(text, /hall light on/i);
    assert.match(text, /“the ladder is in the barn”/);
    assert.deepEqual(person.commands(), [{ topic: 'zigbee2mqtt/hall_light/set', payload: { state: 'ON' } }]);
  });

  it('does nothing in the house for what is only remembered', async () => {
    await says('anna', 'remember that I turn the hall light off at eleven');
    assert.match(await says('anna', 'when do I turn the hall light off?'), /at eleven/);
  });
});
