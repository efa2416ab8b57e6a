/** Two homes that share the work of a stream, one of which is killed or stands still: each entry is done once. */
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { limits } from '../../engine/limits.ts';
import { startFakeOpenAi, type FakeAnswer, type FakeRequest } from '../fake-openai.ts';
import { newFolder, startHome, type HomeProcess } from '../home/home-process.ts';
import { connectPerson, type Person } from '../home/person.ts';
import { startMosquitto } from '../mosquitto.ts';
import { randomFrom, seed } from '../red/tier.ts';
import { realValkeyProgram, startValkey, type TestValkey } from '../valkey-server.ts';

const key = 'folkmoot:stream:jobs';
const group = 'team';
const kills = 6;
/** Work that is there when one is killed: some of it is with each home. */
const entries = 4;

async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Not within ${withinMs} ms: ${what}.`);
    await pause(10);
  }
}

/** The starter home, and a node that takes work from the stream to its router. */
async function sharingFlow(): Promise<string> {
  const shipped = await readFile(new URL('../../flows/home.json', import.meta.url), 'utf8');
  const flow = JSON.parse(shipped) as { id: string; z?: string; backbone?: string }[];
  const asked = flow.find(({ id }) => id === 'homebusin0000001') ?? assert.fail('no bus in');
  const taker = { ...asked, id: 'sharedwork000001', g: undefined, mode: 'stream', stream: 'jobs', shareWork: true };
  return JSON.stringify([...flow, { ...taker, shareName: group, replySeconds: 300 }]);
}

/** A home, its broker's person, and how it is started again. */
class SharingHome {
  readonly name: string;
  readonly person: Person;
  readonly #start: () => Promise<HomeProcess>;
  home: HomeProcess | undefined;
  constructor(name: string, person: Person, start: () => Promise<HomeProcess>) {
    this.name = name;
    this.person = person;
    this.#start = start;
  }
  async start(): Promise<void> {
    this.home = await this.#start();
  }
  signal(signal: NodeJS.Signals): void {
    process.kill(this.home?.ready.pid ?? assert.fail('not started'), signal);
  }
  async kill(): Promise<void> {
    await this.home?.stop('SIGKILL');
  }
}

describe('two homes that share the work of a stream', function () {
  this.timeout(240_000);
  let server: TestValkey;
  let client: Redis;
  const ends: (() => Promise<unknown>)[] = [];
  before(async () => {
    server = await startValkey({ program: realValkeyProgram(), persists: true });
    client = new Redis(server.url);
  });
  after(async () => {
    client.disconnect();
    await server.stop();
  });
  beforeEach(async () => void (await client.flushall()));
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  const make = async (name: string, more: Readonly<Record<string, string>> = {}): Promise<SharingHome> => {
    const [folder, broker, flow] = await Promise.all([newFolder(), startMosquitto(), sharingFlow()]);
    ends.push(() => broker.stop());
    ends.push(() => rm(folder, { recursive: true, force: true }));
    await mkdir(path.join(folder, 'node-red'), { recursive: true });
    await writeFile(path.join(folder, 'node-red', 'flows.json'), flow);
    const person = await connectPerson(broker.url);
    ends.push(() => person.close());
    const env = { FOLKMOOT_VALKEY_URL: server.url, FOLKMOOT_HOUSE: name, FOLKMOOT_MQTT_URL: broker.url, ...more };
    const made = new SharingHome(name, person, () => startHome({ folder, env }));
    ends.push(() => made.kill());
    await made.start();
    return made;
  };
  const add = async (text: string) => (await client.xadd(key, '*', 'payload', text)) ?? assert.fail('no entry');
  const row = async (id: string) =>
    ((await client.xpending(key, group, id, id, 1)) as [string, string, number, number][])[0];
  const isOver = async () => Number((await client.xpending(key, group))[0]) === 0;
  const hasGroup = () => until('the group', async () => JSON.stringify(await client.call('XINFO', 'GROUPS', key).catch(() => '')).includes(group)); // prettier-ignore
  /** As if a minute had gone by in which nothing was heard of who has it. */
  const age = async (id: string) => {
    const [, holder = ''] = (await row(id)) ?? [];
    if (holder) await client.xclaim(key, group, holder, 0, id, 'IDLE', limits.streamIdleMs + 1, 'JUSTID');
  };
  const shown = (homes: readonly SharingHome[]) =>
    homes.flatMap(({ person, name }) =>
      person.peek().map(({ topic, payload }) => `${name} ${topic} ${JSON.stringify(payload)}`),
    );

  /** A model that plans at once and is slow for one home as long as the spec wants. */
  const slowModel = async () => {
    const gate = Promise.withResolvers<undefined>();
    let isSlow = true;
    const isPlan = (request: FakeRequest) => request.tools.some((tool) => tool.name === 'make_plan');
    const answer = async (request: FakeRequest): Promise<FakeAnswer> => {
      const steps = [{ agent: 'lights', prompt: 'the hall light on' }];
      if (isPlan(request)) return { calls: [{ name: 'make_plan', args: { message: 'I will.', steps } }] };
      if (isSlow) await gate.promise;
      return { calls: [{ name: 'SetLight', args: { room: 'hall', state: 'on' } }] };
    };
    const model = await startFakeOpenAi({ answer });
    ends.push(() => model.close());
    const asked = () => model.requests.filter((request) => !isPlan(request)).length;
    return {
      env: { FOLKMOOT_MODEL: `openai-compatible:${model.url}#small`, FOLKMOOT_MODEL_TIMEOUT: '300' },
      asked,
      /** Whoever is asked from now on is answered at once. */
      quick: () => void (isSlow = false),
      /** And those who wait. */
      open: () => gate.resolve(undefined),
    };
  };
  const command = 'zigbee2mqtt/hall_light/set {"state":"ON"}';

  it('do an entry once when the one that works on it is killed and comes back after the other took it over', async () => {
    const model = await slowModel();
    const north = await make('north', model.env);
    await hasGroup();
    const id = await add('turn on the hall light');
    await until('its agent is asked', () => model.asked() === 1);
    const south = await make('south', model.env);
    model.quick();
    await north.kill();
    const killed = performance.now();
    // A minute of the server's own time.
    await until('the other did it', () => south.person.peek().length === 1, limits.streamIdleMs * 2.5);
    await until('it is acknowledged', isOver);
    console.log(`      taken over and done ${Math.round((performance.now() - killed) / 1000)} s after the kill`);
    await north.start();
    await until('it is told', () => /was not done here\. Another one/.test(north.home?.output() ?? ''));
    await Promise.all([north.person.fence(), south.person.fence()]);
    assert.deepEqual(shown([north, south]), [`south ${command}`]);
    assert.equal(model.asked(), 2, 'nobody is asked for a run that is another’s');
    assert.equal((await client.get(`folkmoot:{${key}}:did:${group}:${id}`)) === null, false);
    assert.equal(north.home?.output().match(/was not done here/g)?.length, 1);
    const runs = await client.keys('folkmoot:north:*:runs:*');
    assert.deepEqual(runs, [], 'no run of it is open');
  });

  it('do an entry once when one stands still for longer than the others wait', async () => {
    const model = await slowModel();
    const north = await make('north', model.env);
    await hasGroup();
    const id = await add('turn on the hall light');
    await until('its agent is asked', () => model.asked() === 1);
    north.signal('SIGSTOP');
    model.quick();
    await age(id);
    const south = await make('south', model.env);
    await until('the other did it', () => south.person.peek().length === 1, limits.streamIdleMs * 1.5);
    model.open();
    north.signal('SIGCONT');
    await until('it is told', () => /was not done here\. Another one/.test(north.home?.output() ?? ''));
    await until('it is acknowledged', isOver);
    await Promise.all([north.person.fence(), south.person.fence()]);
    assert.deepEqual(shown([north, south]), [`south ${command}`]);
  });

  it(`do nothing twice when one is killed ${kills} times at any moment, and the other takes over at once`, async () => {
    const random = randomFrom(seed());
    const [north, south] = [await make('north'), await make('south')];
    await hasGroup();
    for (let n = 0; n < kills; n += 1) {
      for (let m = 1; m <= entries; m += 1) await add(`tell everyone that parcel ${n * entries + m} is at the door`);
      await pause(Math.floor(random() * 500));
      await north.kill();
      for (const [id] of (await client.xpending(key, group, '-', '+', 100)) as [string][]) await age(id);
      // In some of the rounds the other one is given the time to take it over.
      if (n % 3 === 0) await until('the other has it', isOver, limits.streamIdleMs);
      await north.start();
    }
    await until('all are acknowledged', isOver, limits.streamIdleMs * 1.5);
    const parcels = () =>
      [north, south].map(({ person }) =>
        person.peek().map(({ payload }) => /parcel (\d+)/.exec(JSON.stringify(payload))?.[1]),
      );
    await until('all is done', () => new Set(parcels().flat()).size === kills * entries).catch(() => undefined);
    await Promise.all([north.person.quiet(), south.person.quiet()]);
    const [northern = [], southern = []] = parcels();
    const all = [...northern, ...southern];
    const figures = { kills, entries: kills * entries, north: northern.length, south: southern.length };
    console.log(`      killed at any moment: ${JSON.stringify(figures)}`);
    const twice = all.filter((parcel, at) => all.indexOf(parcel) !== at);
    assert.deepEqual(twice, [], 'done twice');
    assert.equal(new Set(all).size, kills * entries, 'not done');
  });
});
