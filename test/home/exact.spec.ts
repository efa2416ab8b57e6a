import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Person } from './person.ts';
import { sharedHome } from './shared-home.ts';
import { assertPlain } from './words.ts';

const set = (device: string, payload: unknown) => ({ topic: `${device}/set`, payload });
const light = (room: string, payload: unknown) => set(`zigbee2mqtt/${room}_light`, payload);

describe('the home answers', function () {
  this.timeout(90_000);
  let person: Person;
  let editor = '';
  before(async () => {
    const { home, person: connected } = await sharedHome();
    person = connected;
    editor = home.ready.editor;
  });
  beforeEach(() => void person.commands());

  async function said(text: string, conversation = randomUUID()) {
    const reply = await person.say(text, { conversation });
    const complete = reply.parts.filter((part) => part.isComplete);
    assert.equal(complete.length, 1, 'one complete part');
    assert.equal(complete[0], reply.parts.at(-1), 'the complete part is the last');
    assert.deepEqual(
      reply.parts.map((part) => part.sequence),
      reply.parts.map((_part, index) => index + 1),
    );
    assert.ok(reply.parts.every((part) => part.conversation === conversation));
    assert.ok(reply.hasEnded, 'ConversationEnded');
    reply.parts.forEach((part) => assertPlain(part.message, text));
    return { text: reply.text, commands: person.commands() };
  }

  it('switches a light on at a brightness', async () => {
    const { text, commands } = await said('turn the kitchen light on at 40 %');
    assert.deepEqual(commands, [light('kitchen', { state: 'ON', brightness: 102 })]);
    assert.match(text, /kitchen.*light.*on.*40/i);
  });

  it('does two things of one sentence, each once', async () => {
    const { text, commands } = await said('turn the kitchen light on at 40 % and mow the front lawn');
    assert.deepEqual(commands, [
      light('kitchen', { state: 'ON', brightness: 102 }),
      set('home/lawn_mower', { area: 'front' }),
    ]);
    assert.match(text, /kitchen/i);
    assert.match(text, /front/i);
  });

  it('understands "there"', async () => {
    const { text, commands } = await said('set the bedroom to 21 degrees and close the blinds there');
    assert.deepEqual(commands, [
      set('zigbee2mqtt/bedroom_climate', { occupied_heating_setpoint: 21 }),
      set('zigbee2mqtt/bedroom_blind', { position: 0 }),
    ]);
    assert.equal(text, 'Bedroom at 21 degrees.\nBedroom blinds closed.');
  });

  it('says in words how far blinds are open', async () => {
    assert.equal((await said('open the bedroom blinds')).text, 'Bedroom blinds fully open.');
    assert.equal((await said('set the bedroom blinds to 40 %')).text, 'Bedroom blinds at 40 % open.');
  });

  it('asks for what lacks in the words that people use', async () => {
    assert.match((await said("take the back lawn's waste to the site")).text, /which site: north or south\?/i);
    assert.match((await said('mow the lawn')).text, /which lawn: front or back\?/i);
    assert.match((await said('set the kitchen light')).text, /on or off, or the brightness \(0 to 100 %\)\?/i);
  });

  it('lets one agent use what another left on the board', async () => {
    const { commands } = await said('mow the back lawn and get rid of the cut grass');
    assert.deepEqual(commands, [
      set('home/lawn_mower', { area: 'back' }),
      set('home/waste_robot', { action: 'collect', area: 'back' }),
    ]);
  });

  it('takes waste to a site', async () => {
    const { commands } = await said("take the back lawn's waste to the north site");
    assert.deepEqual(commands, [set('home/waste_robot', { action: 'take', area: 'back', site: 'north' })]);
  });

  it('does the clear clause and asks about the other', async () => {
    const { text, commands } = await said('turn on the light and mow the front lawn');
    assert.deepEqual(commands, [set('home/lawn_mower', { area: 'front' })]);
    assert.match(text, /front/i);
    assert.match(text, /which room.*\?/i);
  });

  it('asks which room, and the answer acts once', async () => {
    const conversation = randomUUID();
    const asked = await said('turn on the light', conversation);
    assert.deepEqual(asked.commands, []);
    assert.match(asked.text, /which room.*\?/i);
    const answered = await said('the kitchen', conversation);
    assert.deepEqual(answered.commands, [light('kitchen', { state: 'ON' })]);
    const again = await said('the kitchen', conversation);
    assert.deepEqual(again.commands, []);
  });

  it('takes a new full request instead of an answer as such', async () => {
    const conversation = randomUUID();
    await said('turn on the light', conversation);
    const { commands } = await said('close the bedroom blinds', conversation);
    assert.deepEqual(commands, [set('zigbee2mqtt/bedroom_blind', { position: 0 })]);
  });

  it('refuses what is out of range, with the range', async () => {
    const { text, commands } = await said('set the bedroom to 90 degrees');
    assert.deepEqual(commands, []);
    assert.match(text, /\b5\b.*\b30\b/);
  });

  it('lists what it can do', async () => {
    const { text, commands } = await said('what can you do?');
    assert.deepEqual(commands, []);
    assert.match(text, /^Here is what I can do:\n- Turn the light/);
    for (const word of [/light/i, /temperature|heating/i, /blind/i, /lawn/i, /waste/i]) assert.match(text, word);
  });

  it('declines a joke politely', async () => {
    const { text, commands } = await said('tell me a joke');
    assert.deepEqual(commands, []);
    assert.match(text, /sorry|can’t|can't|cannot|not able|don’t|don't/i);
  });

  it('sends what is to be done before it says that it is done', async () => {
    const order: string[] = [];
    const listen = (topic: string, body: Buffer) => {
      if (topic.endsWith('/set')) order.push('command');
      else if (topic.includes('/replies/')) order.push(body.includes('"isComplete":true') ? 'reply' : 'part');
    };
    person.client.on('message', listen);
    await said('turn the hall light on, set the bedroom to 20 degrees and mow the back lawn');
    person.client.off('message', listen);
    assert.deepEqual(
      order.filter((one) => one !== 'part'),
      ['command', 'command', 'command', 'reply'],
    );
  });

  it('acts again when a person says the same again', async () => {
    const first = await said('turn the hall light off');
    const second = await said('turn the hall light off');
    assert.deepEqual(first.commands, second.commands);
    assert.equal(second.commands.length, 1);
  });

  it('does the same from a button of the flow', async () => {
    const pressed = await fetch(`${editor}/inject/homeinject000001`, { method: 'POST' });
    assert.equal(pressed.status, 200);
    await person.untilCommands(2, 10_000);
    assert.deepEqual(person.commands(), [
      light('kitchen', { state: 'ON', brightness: 102 }),
      set('home/lawn_mower', { area: 'front' }),
    ]);
  });

  it('has devices that answer with their new state, and blinds that move slowly', async () => {
    const positions: number[] = [];
    const lights: unknown[] = [];
    const listen = (topic: string, body: Buffer) => {
      if (topic === 'zigbee2mqtt/living_room_light') lights.push(JSON.parse(body.toString()));
      if (topic !== 'zigbee2mqtt/living_room_blind') return;
      positions.push((JSON.parse(body.toString()) as { position: number }).position);
    };
    const until = async (isSo: () => boolean) => {
      const end = Date.now() + 10_000;
      while (Date.now() < end && !isSo()) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    person.client.on('message', listen);
    await said('turn the living room light on at 50 %');
    await said('set the living room blinds to 50 %');
    await until(() => positions.length > 0 && lights.length > 0);
    assert.deepEqual(lights.at(-1), { state: 'ON', brightness: 127 });
    const way = (positions.at(-1) ?? 0) >= 50 ? 'close' : 'open';
    positions.length = 0;
    await said(`${way} the living room blinds`);
    await until(() => new Set(positions).size >= 2);
    person.client.off('message', listen);
    const steps = positions.slice(1).map((position, at) => position - (positions[at] ?? 0));
    assert.ok(
      steps.every((step) => Math.abs(step) <= 10 && (way === 'open' ? step >= 0 : step <= 0)),
      positions.join(),
    );
    assert.ok(new Set(positions).size >= 2, 'it moves, and not at once');
  });

  it('has heating that warms a room slowly', async () => {
    const degrees: number[] = [];
    const listen = (topic: string, body: Buffer) => {
      if (topic !== 'zigbee2mqtt/living_room_climate') return;
      degrees.push((JSON.parse(body.toString()) as { local_temperature: number }).local_temperature);
    };
    person.client.on('message', listen);
    await said('set the living room to 30 degrees');
    const end = Date.now() + 10_000;
    while (Date.now() < end && new Set(degrees).size < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    person.client.off('message', listen);
    const steps = degrees.slice(1).map((one, at) => Math.round((one - (degrees[at] ?? 0)) * 10) / 10);
    assert.ok(new Set(degrees).size >= 2, 'it moves, and not at once');
    assert.ok(
      steps.every((step) => step >= 0 && step <= 0.1),
      degrees.join(),
    );
  });
});
