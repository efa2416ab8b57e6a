import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { startHome, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';

/** What arrives in the first seconds after the start is overheard only (sense's setting). */
const overheardMs = 2_500;
/** How long the power has to stay down in the starter flow. */
const holdsMs = 20_000;
const quietMs = 1_500;

describe('the home acts by itself', function () {
  this.timeout(90_000);
  let home: HomeProcess;
  let person: Person;
  before(async () => {
    home = await startHome();
    person = await connectPerson(home.ready.mqtt);
    await pause(overheardMs);
  });
  after(async () => {
    await person?.close();
    await home?.stop();
  });
  const hall = (occupancy: boolean, illuminance: number) =>
    person.publish('zigbee2mqtt/hall_motion', { occupancy, illuminance });
  const power = (watts: number) => person.publish('zigbee2mqtt/washing_machine_plug', { power: watts });
  const messages = () => person.peek().filter((command) => command.topic === 'home/message/set');

  it('tells people once when the washing machine has finished, and lights a dark hall once, never by day', async () => {
    await power(450);
    await power(2);
    const stopped = Date.now();
    await hall(true, 600);
    await hall(false, 600);
    await pause(quietMs);
    assert.deepEqual(person.peek(), [], 'nothing by day');

    await hall(true, 12);
    await person.untilCommands(1, 5_000);
    await hall(true, 12);
    await hall(true, 11);
    await pause(quietMs);
    assert.deepEqual(person.commands(), [{ topic: 'zigbee2mqtt/hall_light/set', payload: { state: 'ON' } }]);
    await power(1.8);
    assert.deepEqual(messages(), [], 'not before it has been down for a while');

    await person.untilCommands(1, holdsMs + 5_000 - (Date.now() - stopped));
    assert.ok(Date.now() - stopped >= holdsMs - 500);
    await power(2.1);
    await pause(quietMs);
    const told = person.commands();
    assert.equal(told.length, 1);
    assert.equal(told[0]?.topic, 'home/message/set');
    assert.match(String((told[0]?.payload as { text?: string }).text), /washing machine has finished/i);
  });

  it('has buttons that stand for sensors', async () => {
    const heard = (device: string) => person.state(`zigbee2mqtt/${device}`);
    for (const button of ['simbutton0000004', 'simbutton0000006']) {
      await fetch(`${home.ready.editor}/inject/${button}`, { method: 'POST' });
    }
    const end = Date.now() + 5_000;
    while (Date.now() < end && heard('front_door') === undefined) await pause(20);
    assert.deepEqual(heard('front_door'), { contact: false });
    await pause(100);
    assert.deepEqual(heard('washing_machine_plug'), { power: 450 });
  });

  it('does nothing when a person types the report of a sensor', async () => {
    await person.say('it is dark and somebody is in the hall');
    await person.say('the washing machine has finished');
    assert.deepEqual(person.commands(), []);
  });
});
