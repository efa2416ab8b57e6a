import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startMosquitto } from '../mosquitto.ts';
import type { TestBroker } from '../broker.ts';
import { startHome } from './home-process.ts';
import { connectPerson } from './person.ts';
import { sharedHome } from './shared-home.ts';

const run = promisify(execFile);
const requests = '/es/nachobrito/amica/user/request/v1';
const classes = 'es.nachobrito.amica.domain.model.message.payload';

/** `mosquitto_sub` on topics of a port; gives the lines that it prints. */
function subscriber(port: string, topics: readonly string[]): { child: ChildProcess; lines: () => string[] } {
  const child = spawn('mosquitto_sub', [
    '-V',
    'mqttv5',
    '-p',
    port,
    '-q',
    '1',
    '-v',
    ...topics.flatMap((t) => ['-t', t]),
  ]);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, lines: () => text.split('\n').filter(Boolean) };
}

function publish(port: string, message: string, id: string, conversation: string) {
  const body = JSON.stringify({ dateTime: new Date().toISOString(), userName: 'alex', message });
  const properties = [
    ['MESSAGE_ID', id],
    ['CONVERSATION_ID', conversation],
    ['PAYLOAD_TYPE', `${classes}.UserRequest`],
  ].flatMap(([name = '', value = '']) => ['-D', 'PUBLISH', 'user-property', name, value]);
  return run('mosquitto_pub', ['-V', 'mqttv5', '-p', port, '-q', '1', '-t', requests, '-m', body, ...properties]);
}

async function until(isTrue: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 20_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`Nothing of ${what} within 20 s`);
    await pause(20);
  }
}

describe('a new user with mosquitto_pub and mosquitto_sub', function () {
  this.timeout(90_000);

  async function tryIt(url: string, message: string): Promise<{ commands: string[]; reply: string }> {
    const { port } = new URL(url);
    const id = randomUUID();
    const conversation = randomUUID();
    const system = '/es/nachobrito/amica/system/event/v1';
    const devices = subscriber(port, ['zigbee2mqtt/+/set', 'home/+/set']);
    const replies = subscriber(port, [`/es/nachobrito/amica/replies/${id}`, system]);
    try {
      await pause(500);
      await publish(port, message, id, conversation);
      await until(() => replies.lines().some((line) => line.includes(conversation)), 'ConversationEnded');
      await pause(300);
      const complete = replies.lines().filter((line) => line.includes('"isComplete":true'));
      assert.equal(complete.length, 1);
      return { commands: devices.lines(), reply: complete[0] ?? '' };
    } finally {
      for (const { child } of [devices, replies]) {
        child.kill();
        await once(child, 'close');
      }
    }
  }

  it('gets a light, a mown lawn and one complete reply', async () => {
    const { home } = await sharedHome();
    const { commands, reply } = await tryIt(
      home.ready.mqtt,
      'turn the kitchen light on at 40 % and mow the front lawn',
    );
    assert.deepEqual(commands, [
      'zigbee2mqtt/kitchen_light/set {"state":"ON","brightness":102}',
      'home/lawn_mower/set {"area":"front"}',
    ]);
    assert.match(reply, /kitchen/i);
  });

  describe("with a broker of one's own", () => {
    let broker: TestBroker;
    before(async () => {
      broker = await startMosquitto();
    });
    after(() => broker.stop());

    it('uses that one, and no simulated device answers for the real ones', async () => {
      const home = await startHome({ env: { FOLKMOOT_MQTT_URL: broker.url } });
      const person = await connectPerson(broker.url);
      try {
        assert.equal(home.ready.isBrokerEmbedded, false);
        assert.equal(home.ready.mqtt, broker.url);
        await person.say('turn the hall light on');
        assert.deepEqual(person.commands(), [{ topic: 'zigbee2mqtt/hall_light/set', payload: { state: 'ON' } }]);
        await pause(2_500);
        assert.equal(person.state('zigbee2mqtt/hall_light'), undefined);
      } finally {
        await person.close();
        await home.stop();
      }
    });

    it('starts while the broker is down, says so, and answers when it is back', async () => {
      await broker.kill();
      const home = await startHome({ env: { FOLKMOOT_MQTT_URL: broker.url } });
      try {
        assert.match(home.output(), /No MQTT 5 broker answers at .* yet/);
        await broker.restart();
        const person = await connectPerson(broker.url);
        let reply = '';
        // The home connects again in its own time; a request before that is lost with a broker that keeps nothing.
        for (let count = 0; count < 10 && !reply; count++) {
          reply = await person.say('turn the hall light off', { withinMs: 3_000 }).then(
            ({ text }) => text,
            () => '',
          );
        }
        assert.match(reply, /hall/i);
        await person.close();
      } finally {
        await home.stop();
      }
    });
  });
});
