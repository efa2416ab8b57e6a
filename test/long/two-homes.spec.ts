/** Two homes, each a process of its own, whose memory is one Valkey server. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { TestBroker } from '../broker.ts';
import { startFakeOpenAi, type FakeAnswer, type FakeRequest } from '../fake-openai.ts';
import { newFolder, startHome, type HomeProcess } from '../home/home-process.ts';
import { connectPerson, type Person } from '../home/person.ts';
import { readAsJava } from '../java-reader.ts';
import { startMosquitto } from '../mosquitto.ts';
import { realValkeyProgram, startValkey, type TestValkey } from '../valkey-server.ts';

async function until(what: string, isSo: () => boolean, withinMs = 20_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`Not within ${withinMs} ms: ${what}.`);
    await pause(5);
  }
}

const isPlan = (request: FakeRequest) => request.tools.some((tool) => tool.name === 'make_plan');

describe('two homes on one Valkey server', function () {
  this.timeout(180_000);
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
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  const start = async (house: string, broker: TestBroker, more: Readonly<Record<string, string>> = {}) => {
    const folder = await newFolder();
    const again = async () => {
      const env = { FOLKMOOT_VALKEY_URL: server.url, FOLKMOOT_HOUSE: house, FOLKMOOT_MQTT_URL: broker.url, ...more };
      const home = await startHome({ folder, env });
      ends.push(() => home.stop('SIGKILL'));
      return home;
    };
    ends.push(() => rm(folder, { recursive: true, force: true }));
    return { home: await again(), again };
  };
  const startBroker = async () => {
    const broker = await startMosquitto();
    ends.push(() => broker.stop());
    return broker;
  };
  const meet = async (broker: TestBroker): Promise<Person> => {
    const person = await connectPerson(broker.url);
    ends.push(() => person.close());
    return person;
  };
  const keysOf = async (house: string) =>
    (await client.keys(`folkmoot:${house}:*`)).filter((key) => !/:did:/.test(key));

  it('share what was said in a conversation, and nothing else', async () => {
    const [northern, southern] = [await startBroker(), await startBroker()];
    await Promise.all([start('north', northern), start('south', southern)]);
    const [ana, ben] = [await meet(northern), await meet(southern)];
    const conversation = randomUUID();
    const asked = await ana.say('turn on the light', { conversation, user: 'ana' });
    assert.match(asked.text, /\?/, 'it asks back which one');
    // The open question is the northern house's: the southern one takes the same words for something new.
    const other = await ben.say('the kitchen', { conversation: randomUUID(), user: 'ana' });
    assert.deepEqual(ben.commands(), [], other.text);
    const done = await ana.say('the kitchen', { conversation, user: 'ana' });
    assert.match(done.text, /kitchen light on/i);
    await ben.say('turn on the hall light', { conversation, user: 'ben' });
    await Promise.all([ana.fence(), ben.fence()]);
    assert.deepEqual(
      [ana.commands(), ben.commands()].map((all) => all.map(({ topic }) => topic)),
      [['zigbee2mqtt/kitchen_light/set'], ['zigbee2mqtt/hall_light/set']],
    );
    const rows = await client.lrange(`conversation:${conversation}`, 0, -1);
    readAsJava(rows);
    const texts = rows.map((row) => (JSON.parse(row) as { text: string }).text);
    assert.deepEqual(
      texts.filter((_, n) => n % 2 === 0),
      ['turn on the light', 'the kitchen', 'turn on the hall light'],
    );
    const [north, south] = [await keysOf('north'), await keysOf('south')];
    const plain = (keys: readonly string[], house: string) => keys.map((key) => key.slice(`folkmoot:${house}:`.length));
    const runs = (keys: readonly string[]) => keys.filter((key) => /\{[0-9a-f-]{36}\}:run$/.test(key));
    assert.ok(runs(north).length >= 2 && runs(south).length >= 2, JSON.stringify({ north, south }));
    assert.deepEqual(
      runs(plain(north, 'north')).filter((key) => runs(plain(south, 'south')).includes(key)),
      [],
    );
    const strays = (await client.keys('*')).filter(
      (key) => !/^(?:folkmoot:(?:north|south):|conversation:|folkmoot:(?:list|did):\{conversation:)/.test(key),
    );
    assert.deepEqual(strays, []);
  });

  it('one that is killed in the middle of a run goes on with it, and the other one has nothing of it', async () => {
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
    const [model, northern, southern] = [await startFakeOpenAi({ answer }), await startBroker(), await startBroker()];
    ends.push(() => model.close());
    const smart = { FOLKMOOT_MODEL: `openai-compatible:${model.url}#small` };
    const north = await start('north', northern, smart);
    const south = await start('south', southern, smart);
    const [ana, ben] = [await meet(northern), await meet(southern)];
    const conversation = randomUUID();
    const said = ana.say('hall light on, then close the bedroom blinds', { conversation, withinMs: 60_000 });
    await until('the second step', () =>
      model.requests.some((request) => !isPlan(request) && request.text.includes('second the')),
    );
    await north.home.stop('SIGKILL');
    isSlow = false;
    const killed = performance.now();
    const again: HomeProcess = await north.again();
    const { text, parts } = await said;
    console.log(`      answered ${Math.round(performance.now() - killed)} ms after the kill: ${text}`);
    assert.match(text, /blind/i);
    assert.equal(parts.filter((part) => part.isComplete).length, 1);
    await again.stop();
    await Promise.all([ana.fence(), ben.fence()]);
    assert.deepEqual(ana.commands(), [
      { topic: 'zigbee2mqtt/hall_light/set', payload: { state: 'ON' } },
      { topic: 'zigbee2mqtt/bedroom_blind/set', payload: { position: 0 } },
    ]);
    assert.deepEqual(ben.commands(), []);
    assert.equal(model.requests.filter(isPlan).length, 1, 'planned once');
    // What one home answered is in what the other one's model is asked (row 21).
    await ben.say('the same here', { conversation, withinMs: 60_000 });
    const [, asked] = model.requests.filter(isPlan);
    for (const words of ['hall light on, then close', ...text.split('\n')]) {
      assert.ok(JSON.stringify(asked).includes(words), words);
    }
    // And what it said itself, after its process was killed (row 22).
    await south.home.stop('SIGKILL');
    await south.again();
    await ben.say('once more', { conversation, withinMs: 60_000 });
    const last = model.requests.filter(isPlan).at(-1);
    for (const words of ['once more', 'the same here', 'hall light on, then close', ...text.split('\n')]) {
      assert.ok(JSON.stringify(last).includes(words), words);
    }
  });
});
