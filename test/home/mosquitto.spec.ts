import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Roll } from '../../engine/registry/roll.ts';
import { callFolkmoot } from '../command-line.ts';
import { startMosquitto } from '../mosquitto.ts';
import type { TestBroker } from '../broker.ts';
import { startHome, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';
import { sharedHome } from './shared-home.ts';
import { assertPlain } from './words.ts';

const run = promisify(execFile);
const requests = '/es/nachobrito/amica/user/request/v1';
const events = '/es/nachobrito/amica/system/event/v1';
/** What is heard there shows that all before was heard. */
const fence = 'test/fence';
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
    ...[...topics, fence].flatMap((t) => ['-t', t]),
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

interface Try {
  readonly message: string;
  /** What devices get, in order. */
  readonly commands: readonly string[];
  readonly reply: RegExp;
  /** Said afterwards, in the same conversation. */
  readonly then?: Try;
}

const kitchen = (state: string) => `zigbee2mqtt/kitchen_light/set ${state}`;
const mower = (area: string) => `home/lawn_mower/set {"area":"${area}"}`;
const robot = (work: string) => `home/waste_robot/set ${work}`;

/** Exact results of exact sentences. */
const tries: readonly Try[] = [
  {
    message: 'turn the kitchen light on at 40 % and mow the front lawn',
    commands: [kitchen('{"state":"ON","brightness":102}'), mower('front')],
    reply: /Kitchen light on at 40 %\..*Mowing the front lawn\./s,
  },
  {
    message: 'set the bedroom to 21 degrees and close the blinds there',
    commands: [
      'zigbee2mqtt/bedroom_climate/set {"occupied_heating_setpoint":21}',
      'zigbee2mqtt/bedroom_blind/set {"position":0}',
    ],
    reply: /Bedroom at 21 degrees\..*Bedroom blinds closed\./s,
  },
  {
    message: 'mow the back lawn and get rid of the cut grass',
    commands: [mower('back'), robot('{"action":"collect","area":"back"}')],
    reply: /Mowing the back lawn\..*Collecting the waste from the back lawn\./s,
  },
  {
    message: "take the back lawn's waste to the north site",
    commands: [robot('{"action":"take","area":"back","site":"north"}')],
    reply: /Taking the waste of the back lawn to the north site\./,
  },
  {
    message: 'turn on the light and mow the front lawn',
    commands: [mower('front')],
    reply: /Mowing the front lawn\..*Which room: kitchen, living room, bedroom or hall\?/s,
  },
  {
    message: 'turn on the light',
    commands: [],
    reply: /Which room: kitchen, living room, bedroom or hall\?/,
    then: { message: 'the kitchen', commands: [kitchen('{"state":"ON"}')], reply: /Kitchen light on\./ },
  },
  {
    message: 'set the bedroom to 90 degrees',
    commands: [],
    reply: /The bedroom can be set to 5 to 30 degrees, not 90\./,
  },
  { message: 'what can you do?', commands: [], reply: /Here is what I can do:.*light.*lawn/s },
  { message: 'tell me a joke', commands: [], reply: /^Sorry, I can’t do “tell me a joke”/ },
];

async function until(isTrue: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 20_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`Nothing of ${what} within 20 s`);
    await pause(20);
  }
}

/** Resolves when a listener is there and has all that was published before. */
async function heard(port: string, listener: ReturnType<typeof subscriber>): Promise<void> {
  const id = randomUUID();
  const isHeard = () => listener.lines().includes(`${fence} ${id}`);
  for (let tries = 0; tries < 50 && !isHeard(); tries += 1) {
    await run('mosquitto_pub', ['-V', 'mqttv5', '-p', port, '-q', '1', '-t', fence, '-m', id]);
    for (const end = Date.now() + 200; Date.now() < end && !isHeard();) await pause(10);
  }
  assert.ok(isHeard());
}

describe('a new user with mosquitto_pub and mosquitto_sub', function () {
  this.timeout(90_000);

  /** Both listeners of one conversation are opened first, as a user would. */
  async function tryAll(url: string, first: Try): Promise<void> {
    const { port } = new URL(url);
    const conversation = randomUUID();
    const devices = subscriber(port, ['zigbee2mqtt/+/set', 'home/+/set']);
    const replies = subscriber(port, ['/es/nachobrito/amica/replies/+', events]);
    try {
      await heard(port, devices);
      await heard(port, replies);
      for (let next: Try | undefined = first; next; next = next.then) {
        const [sent, said] = [devices.lines().length, replies.lines().length];
        const id = randomUUID();
        await publish(port, next.message, id, conversation);
        const since = () => replies.lines().slice(said);
        await until(() => since().some((line) => line.startsWith(events)), 'ConversationEnded');
        await heard(port, devices);
        const came = devices.lines().slice(sent);
        assert.deepEqual(
          came.filter((line) => !line.startsWith(fence)),
          next.commands,
        );
        const complete = since().filter((line) => line.includes(id) && line.includes('"isComplete":true'));
        assert.equal(complete.length, 1, since().join('\n'));
        const { message } = JSON.parse(complete[0]?.slice(complete[0].indexOf('{')) ?? '') as { message: string };
        assert.match(message, next.reply);
        assertPlain(message, next.message);
      }
    } finally {
      for (const { child } of [devices, replies]) {
        child.kill();
        await once(child, 'close');
      }
    }
  }

  for (const one of tries) {
    it(`says "${[one.message, one.then?.message].filter(Boolean).join('", then "')}"`, async () => {
      const { home } = await sharedHome();
      await tryAll(home.ready.mqtt, one);
    });
  }

  describe("with a broker of one's own", () => {
    let broker: TestBroker;
    let home: HomeProcess;
    let person: Person | undefined;
    before(async () => {
      broker = await startMosquitto();
      await broker.kill();
      home = await startHome({ env: { FOLKMOOT_MQTT_URL: broker.url } });
    });
    after(async () => {
      await person?.close();
      await home?.stop();
      await broker?.stop();
    });

    it('starts while the broker is down, says so, and answers when it is back', async () => {
      assert.equal(home.ready.isBrokerEmbedded, false);
      assert.equal(home.ready.mqtt, broker.url);
      assert.match(home.output(), /No MQTT 5 broker answers at .* yet/);
      await broker.restart();
      person = await connectPerson(broker.url);
      let reply = '';
      // The home connects again in its own time; a request before that is lost with a broker that keeps nothing.
      for (let count = 0; count < 10 && !reply; count++) {
        reply = await person.say('turn the hall light off', { withinMs: 3_000 }).then(
          ({ text }) => text,
          () => '',
        );
      }
      assert.match(reply, /hall/i);
      assert.deepEqual(person.commands().at(-1), { topic: 'zigbee2mqtt/hall_light/set', payload: { state: 'OFF' } });
    });

    it('lets no simulated device answer for the real ones', async () => {
      await person?.say('turn the bedroom light on');
      assert.deepEqual(person?.commands(), [{ topic: 'zigbee2mqtt/bedroom_light/set', payload: { state: 'ON' } }]);
      // A simulated one would answer at once.
      await person?.quiet();
      assert.equal(person?.state('zigbee2mqtt/bedroom_light'), undefined);
    });

    it('knows who asked, and tells "folkmoot agents"; when it has gone, its agents have (row P9)', async () => {
      const lists = async () => {
        const { out } = await callFolkmoot(['agents', '--broker', broker.url, '--json']);
        return JSON.parse(out) as Roll;
      };
      const statusOf = ({ agents }: Roll, id: string) => agents.find((one) => one.id === id)?.status;
      await person?.say('turn the hall light on', { user: 'petra' });
      const { users, ...roll } = await lists();
      assert.deepEqual(
        users.filter(({ user }) => user === 'petra').map(({ status }) => status),
        ['here'],
      );
      assert.equal(statusOf({ users, ...roll }, 'lights'), 'online');
      await home.stop();
      assert.equal(statusOf(await lists(), 'lights'), 'offline');
    });
  });
});
