/** A real home, people and a tool behind the access list that `folkmoot acl` writes: nothing is refused, and a stranger is. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mqtt, { type MqttClient } from 'mqtt';
import type { TestBroker } from '../broker.ts';
import { runFolkmoot, type Called } from '../command-line.ts';
import { newFolder, startHome, type HomeProcess } from '../home/home-process.ts';
import { startMosquitto } from '../mosquitto.ts';
import { root } from '../structure/sources.ts';

const toolCard = {
  ...{ v: 1, toolId: 'scale', name: 'scale', purpose: 'Tells the weight of the parcel', channel: 'bus' },
  schema: { type: 'object', properties: {} },
};

interface Flow extends Record<string, unknown> {
  readonly id: string;
  readonly type: string;
  readonly wires?: string[][];
}

/** The shipped flow, with a tool elsewhere that one of its agents may use. */
async function flowWithTool(): Promise<Flow[]> {
  const flow = JSON.parse(await readFile(path.join(root, 'flows', 'home.json'), 'utf8')) as Flow[];
  const agent = flow.find(({ agentId }) => agentId === 'house-watcher');
  assert.ok(agent?.wires, 'the flow has an agent with tools');
  agent.wires.at(-1)?.push('remotescale');
  const { z, x, y } = agent;
  const settings = { kind: 'tool', mode: 'directed', remoteId: 'scale', backbone: 'homebackbone0001' };
  return [
    ...flow,
    { id: 'remotescale', type: 'folkmoot-remote-agent', z, x, y, name: 'scale', ...settings, wires: [[], [], []] },
  ];
}

describe('a home behind the access list that is made for it', function () {
  this.timeout(120_000);
  let folder: string;
  let home: HomeProcess | undefined;
  let broker: TestBroker;
  const clients: MqttClient[] = [];
  const watches: AbortController[] = [];
  const at = (name: string) => path.join(folder, name);
  const passwordOf = async (name: string) =>
    (await readFile(at('folkmoot.users'), 'utf8'))
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? '';
  const loginOf = async (name: string) => ({ FOLKMOOT_BUS_USER: name, FOLKMOOT_BUS_PASSWORD: await passwordOf(name) });
  const connect = async (username: string) => {
    const client = await mqtt.connectAsync(broker.url, {
      protocolVersion: 5,
      username,
      password: await passwordOf(username),
    });
    clients.push(client);
    return client;
  };
  const call = async (user: string, words: readonly string[], input = ''): Promise<Called> =>
    runFolkmoot([...words, '--broker', broker.url], { input, env: await loginOf(user) });
  const denied = async () => (await readFile(at('log'), 'utf8')).split('\n').filter((line) => line.includes('Denied'));

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-acl-home-'));
    await writeFile(at('flows.json'), JSON.stringify(await flowWithTool()));
    const made = await runFolkmoot(['acl', at('flows.json'), '--out', folder]);
    assert.equal(made.code, 0, made.err);
    broker = await startMosquitto({
      isAnonymous: false,
      lines: [
        ...[`acl_file ${at('folkmoot.acl')}`, `password_file ${at('folkmoot.passwords')}`],
        ...[`log_dest file ${at('log')}`, 'log_type all'],
      ],
    });
    const homeFolder = await newFolder();
    await startHomeWith(homeFolder);
  });
  const startHomeWith = async (homeFolder: string) => {
    const { mkdir } = await import('node:fs/promises');
    await mkdir(path.join(homeFolder, 'node-red'), { recursive: true });
    await writeFile(path.join(homeFolder, 'node-red', 'flows.json'), await readFile(at('flows.json')));
    const login = `folkmoot-home:${await passwordOf('folkmoot-home')}`;
    home = await startHome({ folder: homeFolder, env: { FOLKMOOT_MQTT_URL: broker.url.replace('//', `//${login}@`) } });
  };
  after(async () => {
    for (const watch of watches) watch.abort();
    for (const client of clients) await client.endAsync(true);
    await home?.stop();
    if (home) await rm(home.folder, { recursive: true, force: true });
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('does all that a home does, and nothing of it is refused', async () => {
    const heard: string[] = [];
    const devices = await connect('folkmoot-home');
    devices.on('message', (topic) => heard.push(topic));
    await devices.subscribeAsync(['zigbee2mqtt/+/set', 'home/+/set'], { qos: 1 });
    const scale = await connect('scale');
    scale.on('message', (_, payload, { properties = {} }) => {
      const { responseTopic = '', correlationData } = properties;
      const answer = JSON.stringify({ status: 'answered', payload: 'It weighs two kilograms.' });
      scale.publish(responseTopic, answer, { qos: 1, properties: { ...(correlationData ? { correlationData } : {}) } });
    });
    await scale.subscribeAsync('folkmoot/v1/tools/scale/call', { qos: 1 });
    await scale.publishAsync('folkmoot/v1/tools/scale', JSON.stringify(toolCard), { qos: 1, retain: true });
    const outbox = await watchOutbox();
    const sentences = [
      'turn the kitchen light on at 40 % and mow the front lawn',
      'set the bedroom to 21 degrees and close the blinds there',
      "take the back lawn's waste to the north site",
      'tell everyone that dinner is ready',
      'what is the weight of the parcel?',
    ];
    const { code, out } = await call('people', ['chat', '--wait', '0.1', '--timeout', '30'], sentences.join('\n'));
    assert.equal(code, 0, out);
    for (const words of [
      /Kitchen light on at 40 %/,
      /Mowing the front lawn/,
      /Bedroom at 21 degrees/,
      /blinds closed/,
      /weighs two kilograms|two kilograms/,
    ]) {
      assert.match(out, words);
    }
    // A home does not act on what comes in its first seconds; a sensor tells more than once.
    for (let tries = 0; tries < 20 && !heard.includes('zigbee2mqtt/hall_light/set'); tries += 1) {
      const told = { occupancy: true, illuminance: 3 + tries };
      await devices.publishAsync('zigbee2mqtt/hall_motion', JSON.stringify(told), { qos: 1 });
      await pause(500);
    }
    assert.deepEqual([...new Set(heard)].sort(), [
      'home/lawn_mower/set',
      'home/message/set',
      'home/waste_robot/set',
      'zigbee2mqtt/bedroom_blind/set',
      'zigbee2mqtt/bedroom_climate/set',
      'zigbee2mqtt/hall_light/set',
      'zigbee2mqtt/kitchen_light/set',
    ]);
    const agents = await call('watch', ['agents']);
    assert.deepEqual([agents.code, agents.err], [0, '']);
    assert.match(agents.out, /^lights +online/m);
    assert.match(agents.out, /^scale +online/m);
    assert.match(agents.out, /^\S+ +here/m);
    // What may be written and not heard would be counted as maybe lost.
    assert.deepEqual(await outbox.settled('zigbee2mqtt/hall_light/set'), { waiting: 0, maybeLost: 0, lost: {} });
    assert.deepEqual((await outbox.close()).code, 0);
    assert.deepEqual(await denied(), []);
  });

  it('lets nobody do what is not theirs, and no stranger in', async () => {
    const people = await connect('people');
    for (const topic of ['zigbee2mqtt/kitchen_light/set', 'folkmoot/v1/control', 'folkmoot/v1/tools/scale/call']) {
      await assert.rejects(people.publishAsync(topic, '{}', { qos: 1 }), /Not authorized/, topic);
    }
    assert.equal((await denied()).length, 3);
    const watched = await call('people', ['agents']);
    assert.equal(watched.code, 1);
    assert.match(watched.err, /"folkmoot acl"/);
    const stranger = await runFolkmoot(['chat', '--broker', broker.url], { input: 'turn the hall light on\n' });
    assert.equal(stranger.code, 1);
    assert.match(stranger.err, /does not accept user and password/);
  });

  /** The home's outbox, as its counters tell from now on. */
  async function watchOutbox() {
    const ended = new AbortController();
    watches.push(ended);
    const bodies: { topics: Record<string, { out: number }>; outbox: { waiting: number } }[] = [];
    const watching = runFolkmoot(['watch', '--only', 'metrics', '--json', '--broker', broker.url], {
      env: await loginOf('watch'),
      signal: ended.signal,
      onOut: (all) => {
        const lines = all.split('\n').slice(bodies.length, -1);
        bodies.push(...lines.map((line) => (JSON.parse(line) as { body: (typeof bodies)[number] }).body));
      },
    });
    return {
      /** Once it has told of a message to this topic, and none waits to come back. */
      async settled(topic: string) {
        const last = () => bodies.findLast(({ topics, outbox }) => topics[topic]?.out && outbox.waiting === 0);
        for (let tries = 0; tries < 1_000 && !last(); tries += 1) await pause(20);
        return last()?.outbox;
      },
      async close() {
        ended.abort();
        return watching;
      },
    };
  }
});
