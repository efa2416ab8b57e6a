/** `folkmoot acl`, and what a real mosquitto makes of its files. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../../engine/bus/bus.contract.ts';
import type { Bus } from '../../engine/bus/bus.ts';
import { createMqttBus } from '../../engine/bus/mqtt.ts';
import { amicaTopics, ourTopics } from '../../engine/bus/topics.ts';
import type { TestBroker } from '../../test/broker.ts';
import { callFolkmoot } from '../../test/command-line.ts';
import { startMosquitto } from '../../test/mosquitto.ts';

const flow = [
  { id: 't', type: 'tab', label: 'x' },
  { id: 'a', type: 'folkmoot-agent', name: 'Lamp keeper', agentId: '' },
  { id: 'r', type: 'folkmoot-remote-agent', name: 'cook', remoteId: 'kitchen-cook' },
  { id: 's', type: 'folkmoot-remote-agent', name: 'weight', kind: 'tool', remoteId: 'scale' },
  { id: 'd', type: 'folkmoot-agent', name: 'gone', agentId: 'gone-agent', d: true },
  { id: 'i', type: 'folkmoot-bus-in', mode: 'topic', topic: 'home/+/state' },
  { id: 'o', type: 'folkmoot-bus-out', mode: 'topic', topic: 'home/lamp/set' },
  { id: 'o2', type: 'folkmoot-bus-out', name: 'to the devices', mode: 'topic', topic: '' },
  { id: 'm', type: 'mqtt in', topic: '${SENSORS}' },
];
const env = { SENSORS: 'sensors/#' };

describe('folkmoot acl', function () {
  this.timeout(20_000);
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-acl-'));
    file = path.join(folder, 'flow.json');
    await writeFile(file, JSON.stringify(flow));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const acl = (...words: string[]) => callFolkmoot(['acl', file, '--out', folder, ...words], { env });

  it('prints who may do what, and what it can not read from the flow', async () => {
    const { code, out } = await acl('--print', '--topic', 'zigbee2mqtt/#');
    assert.equal(code, 0);
    assert.deepEqual(
      out.split('\n').filter((line) => line.startsWith('user')),
      ['user folkmoot-home', 'user people', 'user watch', 'user kitchen-cook', 'user lamp-keeper', 'user scale'],
    );
    for (const line of ['read home/+/state', 'readwrite home/lamp/set', 'read sensors/#', 'readwrite zigbee2mqtt/#']) {
      assert.ok(out.includes(`topic ${line}\n`), line);
    }
    assert.match(out, /# Note: "to the devices" takes .* it has to be among those given \(zigbee2mqtt\/#\)\.$/m);
    assert.match((await acl('--print')).out, /# Note: "to the devices" takes its topic from messages: name it with/);
  });

  it('says in words where no files can be written', async () => {
    const [inFile, nowhere] = [path.join(file, 'x'), '/proc/folkmoot'];
    for (const [out, expected] of [
      [
        inFile,
        /flow\.json\S* (?:needs a folder where a file is|is a file, but a folder is needed): set --out to another/,
      ],
      [nowhere, /^The system lets nobody make \/proc\/folkmoot: set --out to another folder\./],
    ] as const) {
      const { code, err } = await callFolkmoot(['acl', file, '--out', out], { env });
      assert.equal(code, 1);
      assert.match(err, expected);
    }
  });

  it('writes files that only their owner reads, and none over another unless told to', async () => {
    const first = await acl();
    assert.equal(first.code, 0);
    assert.ok(first.out.startsWith(`Made from the flow ${file}.\n`));
    assert.match(first.out, /acl_file .*folkmoot\.acl/);
    for (const name of ['folkmoot.acl', 'folkmoot.passwords', 'folkmoot.users']) {
      assert.equal((await stat(path.join(folder, name))).mode & 0o077, 0, name);
    }
    const passwords = await readFile(path.join(folder, 'folkmoot.users'), 'utf8');
    assert.equal((await acl()).code, 1);
    assert.equal(await readFile(path.join(folder, 'folkmoot.users'), 'utf8'), passwords);
    assert.equal((await acl('--force')).code, 0);
    await writeFile(file, '{}');
    const broken = await acl('--force');
    assert.deepEqual([broken.code, /can not be read as a flow/.test(broken.err)], [1, true]);
    assert.equal((await acl('another.json')).code, 2);
  });

  describe('with a real mosquitto', () => {
    let broker: TestBroker;
    const open: Bus[] = [];
    const as = async (name: string): Promise<Bus> => {
      const lines = (await readFile(path.join(folder, 'folkmoot.users'), 'utf8')).split('\n');
      const password = lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1] ?? '';
      const bus = createMqttBus({ url: broker.url, user: name, password, reconnectMinMs: 50 });
      open.push(bus);
      await until(`${name} is let in`, () => bus.state === 'up');
      return bus;
    };
    /** Whether what one publishes reaches the other. */
    const reaches = async (from: Bus, to: Bus, topic: string): Promise<boolean> => {
      const got: string[] = [];
      const subscription = await to.subscribe(topic, () => void got.push(topic));
      const isTaken = await from.publish(topic, { payload: 'x' }).then(
        () => true,
        () => false,
      );
      // Behind it comes what the listener sends to itself, where it may.
      if (isTaken) await until('it', () => got.length > 0, 1_000).catch(() => undefined);
      await subscription.close();
      return got.length > 0;
    };
    beforeEach(async () => {
      assert.equal((await acl()).code, 0);
      const at = (name: string) => path.join(folder, name);
      broker = await startMosquitto({
        lines: [`acl_file ${at('folkmoot.acl')}`, `password_file ${at('folkmoot.passwords')}`],
        isAnonymous: false,
      });
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map((bus) => bus.close()));
      await broker.stop();
    });

    it('lets each do what is listed, and nothing else', async () => {
      const names = ['folkmoot-home', 'people', 'kitchen-cook', 'scale', 'watch'];
      const [home, people, cook, scale, watch] = (await Promise.all(names.map(as))) as [Bus, Bus, Bus, Bus, Bus];
      for (const [from, to, topic] of [
        [people, home, amicaTopics.requests],
        [home, people, amicaTopics.replies('m-1')],
        [home, home, 'home/lamp/set'],
        [home, cook, ourTopics.agentAsk('kitchen-cook')],
        [cook, home, ourTopics.agent('kitchen-cook')],
        [cook, home, ourTopics.answers('p')],
        [home, scale, ourTopics.toolCall('scale')],
        [scale, home, ourTopics.tool('scale')],
        [scale, home, ourTopics.answers('p')],
        [home, watch, ourTopics.runEvents('r')],
        [watch, home, ourTopics.registry('p')],
        [people, watch, amicaTopics.requests],
        [people, home, ourTopics.homeAsk('south')],
        [home, people, ourTopics.answers('people')],
        [home, people, ourTopics.presence('p')],
      ] as const) {
        assert.equal(await reaches(from, to, topic), true, `${topic} is allowed`);
      }
      for (const [from, topic] of [
        [people, 'home/lamp/set'],
        [people, amicaTopics.replies('m-1')],
        [people, ourTopics.control],
        [people, ourTopics.answers('p')],
        [people, ourTopics.presence('p')],
        [cook, amicaTopics.requests],
        [cook, 'home/lamp/set'],
        [cook, ourTopics.agentAsk('lamp-keeper')],
        [cook, ourTopics.agent('lamp-keeper')],
        [scale, ourTopics.agent('kitchen-cook')],
        [scale, ourTopics.toolCall('scale')],
        [watch, ourTopics.agentAsk('kitchen-cook')],
        [watch, ourTopics.control],
        [watch, amicaTopics.requests],
        [home, 'home/heating/set'],
      ] as const) {
        await assert.rejects(from.publish(topic, { payload: 'x' }), { code: 'FOLKMOOT_BUS_REFUSED' }, topic);
      }
    });

    it('lets people find the home and ask it for its team', async () => {
      const home = await as('folkmoot-home');
      const presence = { v: 1, process: 'p', house: 'south', status: 'online', since: '2026-01-01T00:00:00Z' };
      await home.publish(ourTopics.presence('p'), { payload: JSON.stringify(presence), retain: true });
      await home.subscribe(ourTopics.homeAsk('south'), ({ responseTopic = '', correlation = '' }) => {
        const answer = { v: 1, status: 'answered', payload: { agents: [], problems: ['all is well'] } };
        void home.publish(responseTopic, { payload: JSON.stringify(answer), correlation });
      });
      const lines = (await readFile(path.join(folder, 'folkmoot.users'), 'utf8')).split('\n');
      const password = lines.find((line) => line.startsWith('people '))?.split(' ')[1] ?? '';
      const login = { FOLKMOOT_BUS_USER: 'people', FOLKMOOT_BUS_PASSWORD: password };
      const { code, out, err } = await callFolkmoot(['chat', '--broker', broker.url], {
        input: 'td\nlag\n',
        env: login,
      });
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, /Nobody is in the team\.\nall is well\n$/);
    });

    it('lets nobody in who has no password', async () => {
      const reasons: string[] = [];
      const bus = createMqttBus({ url: broker.url, reconnectMinMs: 50 });
      open.push(bus);
      bus.onState((_, reason) => void (reason && reasons.push(reason)));
      await until('the refusal', () => reasons.length > 0);
      assert.match(reasons[0] ?? '', /does not accept user and password/);
    });
  });
});
