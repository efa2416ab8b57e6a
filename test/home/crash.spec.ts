import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { startFakeOpenAi, type FakeAnswer, type FakeRequest } from '../fake-openai.ts';
import { newFolder, startHome } from './home-process.ts';
import { connectPerson } from './person.ts';
import { startMosquitto } from '../mosquitto.ts';

const isPlan = (request: FakeRequest) => request.tools.some((tool) => tool.name === 'make_plan');

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
      while (!server.requests.some(isSecond)) await pause(20);
      await first.stop('SIGKILL');
      isSlow = false;
      const second = await startHome({ folder, env });
      const { text } = await said;
      assert.match(text, /blind/i);
      await pause(1_000);
      assert.deepEqual(person.commands(), [
        { topic: 'zigbee2mqtt/hall_light/set', payload: { state: 'ON' } },
        { topic: 'zigbee2mqtt/bedroom_blind/set', payload: { position: 0 } },
      ]);
      assert.equal(server.requests.filter(isPlan).length, 1, 'planned once');
      await second.stop();
    } finally {
      await person.close();
      await first.stop('SIGKILL');
      await Promise.all([server.close(), broker.stop()]);
      await rm(folder, { recursive: true, force: true });
    }
  });
});
