import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startFakeOpenAi, type FakeAnswer, type FakeRequest } from '../fake-openai.ts';
import { newFolder, startHome } from './home-process.ts';
import { connectPerson } from './person.ts';
import { startMosquitto } from '../mosquitto.ts';

const isPlan = (request: FakeRequest) => request.tools.some((tool) => tool.name === 'make_plan');

async function until(what: string, isSo: () => boolean, withinMs = 20_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`Not within ${withinMs} ms: ${what}.`);
    await pause(5);
  }
}

describe('a power cut in the middle of a run', function () {
  this.timeout(120_000);

  it('does what was left after the restart, nothing twice, and answers', async () => {
    let isSlow = true;
    const answer = async (request: FakeRequest): Promise<FakeAnswer> => {
      if (isPlan(request)) {
        const steps = [
          { agent: 'lights', prompt: 'first the hall light' },
          { agent: 'blinds', prompt: 'second the bedroom blinds', after: [0] },
        ];
        return { calls: [{ name: 'make_plan', args: { message: 'I will.', steps } }] };
      }
      if (request.text.includes('first the hall')) {
        return { calls: [{ name: 'SetLight', args: { room: 'hall', state: 'on' } }] };
      }
      if (isSlow) await pause(60_000, undefined, { ref: false });
      return { calls: [{ name: 'SetBlind', args: { room: 'bedroom', position: 0 } }] };
    };
    // The broker and the model outlive the home.
    const [server, broker, folder] = await Promise.all([startFakeOpenAi({ answer }), startMosquitto(), newFolder()]);
    const env = { FOLKMOOT_MQTT_URL: broker.url, FOLKMOOT_MODEL: `openai-compatible:${server.url}#small` };
    const first = await startHome({ folder, env });
    const person = await connectPerson(broker.url);
    try {
      const said = person.say('hall light on, then close the bedroom blinds', { withinMs: 60_000 });
      const isSecond = (request: FakeRequest) => !isPlan(request) && request.text.includes('second the');
      await until('the second step', () => server.requests.some(isSecond));
      await first.stop('SIGKILL');
      isSlow = false;
      const second = await startHome({ folder, env });
      const { text } = await said;
      assert.match(text, /blind/i);
      // Nothing can come after its end.
      await second.stop();
      await person.fence();
      assert.deepEqual(person.commands(), [
        { topic: 'zigbee2mqtt/hall_light/set', payload: { state: 'ON' } },
        { topic: 'zigbee2mqtt/bedroom_blind/set', payload: { position: 0 } },
      ]);
      assert.equal(server.requests.filter(isPlan).length, 1, 'planned once');
    } finally {
      await person.close();
      await first.stop('SIGKILL');
      await Promise.all([server.close(), broker.stop()]);
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('gives a request that comes again after it the same reply, and acts on it once', async () => {
    const [broker, folder] = await Promise.all([startMosquitto(), newFolder()]);
    const env = { FOLKMOOT_MQTT_URL: broker.url };
    const homes = [await startHome({ folder, env })];
    const person = await connectPerson(broker.url);
    const asked = { id: randomUUID(), conversation: randomUUID(), user: 'alex' };
    try {
      const before = await person.say('turn the hall light on', asked);
      // Answered after it: by then the home has noted that the first reply is out.
      assert.ok((await person.say('turn the kitchen light on')).hasEnded);
      await homes[0]?.stop('SIGKILL');
      homes.push(await startHome({ folder, env }));
      assert.ok((await person.say('turn the bedroom light on')).hasEnded);
      await person.say('turn the hall light on', asked);
      await until('the reply again', () => person.parts(asked.id).length >= 2);
      assert.deepEqual(
        person.parts(asked.id).map((part) => [part.message, part.isComplete]),
        [1, 2].map(() => [before.text, true]),
      );
      await homes[1]?.stop();
      await person.fence();
      assert.deepEqual(
        person.commands().map(({ topic }) => topic),
        ['zigbee2mqtt/hall_light/set', 'zigbee2mqtt/kitchen_light/set', 'zigbee2mqtt/bedroom_light/set'],
      );
      assert.equal(person.parts(asked.id).length, 2);
    } finally {
      await person.close();
      for (const home of homes) await home.stop('SIGKILL');
      await broker.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('tells of what a sensor waited for when the power went, once', async () => {
    const [broker, folder] = await Promise.all([startMosquitto(), newFolder()]);
    const holdsMs = 8_000;
    await withShorterWait(folder, holdsMs / 1000);
    const env = { FOLKMOOT_MQTT_URL: broker.url };
    const homes = [await startHome({ folder, env })];
    const person = await connectPerson(broker.url);
    const messages = () => person.peek().filter(({ topic }) => topic === 'home/message/set');
    const power = (watts: number) => person.publish('zigbee2mqtt/washing_machine_plug', { power: watts });
    try {
      // In the first seconds sensors are only listened to.
      await pause(2_500);
      await power(450);
      await power(2);
      const stopped = Date.now();
      // Answered after it: by then the home has heard the sensor.
      await person.say('turn the hall light on');
      await homes[0]?.stop('SIGKILL');
      assert.deepEqual(messages(), []);
      homes.push(await startHome({ folder, env }));
      await until('the message', () => messages().length > 0);
      assert.ok(Date.now() - stopped >= holdsMs - 500, `${Date.now() - stopped} ms`);
      assert.match(JSON.stringify(messages()), /washing machine has finished/);
      await power(1.5);
      await homes[1]?.stop('SIGKILL');
      homes.push(await startHome({ folder, env }));
      await pause(2_500);
      await person.say('turn the hall light off');
      await homes[2]?.stop();
      await person.fence();
      assert.equal(messages().length, 1);
    } finally {
      await person.close();
      for (const home of homes) await home.stop('SIGKILL');
      await broker.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** The starter flow, but that the washing machine's rule holds for fewer seconds. */
async function withShorterWait(folder: string, holdsForSeconds: number): Promise<void> {
  const shipped = new URL('../../flows/home.json', import.meta.url);
  const flow = JSON.parse(await readFile(shipped, 'utf8')) as { rules?: { holdsForSeconds: number }[] }[];
  for (const rule of flow.flatMap(({ rules }) => rules ?? []))
    if (rule.holdsForSeconds) Object.assign(rule, { holdsForSeconds });
  await mkdir(path.join(folder, 'node-red'), { recursive: true });
  await writeFile(path.join(folder, 'node-red', 'flows.json'), JSON.stringify(flow));
}
