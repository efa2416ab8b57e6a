/** A home that keeps everything on a Valkey server. Its comings and goings: test/long. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { readAsJava } from '../java-reader.ts';
import { startMosquitto } from '../mosquitto.ts';
import { startValkey, type TestValkey } from '../valkey-server.ts';
import { newFolder, startHome, startRefused, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';

describe('a home with a Valkey server', function () {
  this.timeout(120_000);
  let server: TestValkey;
  let home: HomeProcess | undefined;
  let person: Person | undefined;
  before(async () => void (server = await startValkey({ persists: true })));
  after(() => server.stop());
  afterEach(async () => {
    await person?.close();
    await home?.stop();
    person = home = undefined;
  });

  const start = async (more: Readonly<Record<string, string>> = {}) => {
    home = await startHome({ env: { FOLKMOOT_VALKEY_URL: server.url, FOLKMOOT_HOUSE: 'house one', ...more } });
    person = await connectPerson(home.ready.mqtt);
    return { home, person };
  };
  it('keeps conversations as A.M.I.C.A. does, and what is its own under its name', async () => {
    const { home, person } = await start();
    assert.match(home.output(), new RegExp(`memory ${server.url}`));
    assert.equal(home.ready.valkey, server.url);
    const conversation = randomUUID();
    const reply = await person.say('turn on the kitchen light', { conversation, user: 'ana' });
    assert.ok(reply.hasEnded);
    const client = new Redis(server.url);
    // Written before the conversation's end was told.
    const rows = await client.lrange(`conversation:${conversation}`, 0, -1);
    assert.deepEqual(readAsJava(rows), ['USER_MESSAGE', 'AGENT_MESSAGE']);
    assert.deepEqual(
      rows.map((row) => (JSON.parse(row) as { text: string }).text),
      ['turn on the kitchen light', reply.text],
    );
    const days = (await client.ttl(`conversation:${conversation}`)) / 86_400;
    assert.ok(days > 29.9 && days <= 30, `${days} days`);
    const names = (await client.keys('*')).filter((name) => !/^(conversation|folkmoot:(list|did)):/.test(name));
    assert.ok(names.length > 5);
    assert.deepEqual(
      names.filter((name) => !name.startsWith('folkmoot:house one:')),
      [],
    );
    client.disconnect();
  });

  it('takes minutes there, and knows after it was killed what sensors told', async () => {
    const folder = await newFolder();
    const broker = await startMosquitto();
    const client = new Redis(server.url);
    const env = { FOLKMOOT_VALKEY_URL: server.url, FOLKMOOT_HOUSE: 'house two', FOLKMOOT_MQTT_URL: broker.url };
    const begin = async () => void (home = await startHome({ folder, env }));
    try {
      await begin();
      person = await connectPerson(broker.url);
      const conversation = randomUUID();
      const { text } = await person.say('turn on the kitchen light', { conversation, user: 'ana' });
      const file = path.join(folder, 'minutes', `${conversation}.minute.json`);
      const minutes = () => readFile(file, 'utf8').catch(() => '');
      for (let tries = 0; tries < 300 && !(await minutes()).endsWith('}\n'); tries += 1) await pause(20);
      const { messages } = JSON.parse(await minutes()) as { messages: string[] };
      assert.deepEqual(messages, ['The user asked: “turn on the kitchen light”', `The agent response was: “${text}”`]);
      await person.publish('zigbee2mqtt/attic_climate', { local_temperature: 14.5 });
      const ask = async () => (await person?.say('how warm is it in the attic?'))?.text ?? '';
      for (let tries = 0; tries < 50 && !(await ask()).includes('14.5 °C'); tries += 1) await pause(50);
      const isKept = async () => (await client.keys('folkmoot:house two:*state*attic_climate')).length === 1;
      for (let tries = 0; tries < 300 && !(await isKept()); tries += 1) await pause(20);
      await home?.stop('SIGKILL');
      await begin();
      assert.match(await ask(), /^The temperature of the attic is 14\.5 °C, told/);
    } finally {
      await person?.close();
      await home?.stop();
      home = person = undefined;
      client.disconnect();
      await broker.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('refuses an address that is none, in words', async () => {
    const folder = await newFolder();
    const ended = await startRefused({ folder, env: { FOLKMOOT_VALKEY_URL: 'localhost:6379' } });
    assert.equal(ended.code, 1);
    assert.match(ended.output, /FOLKMOOT_VALKEY_URL is not an address of the form valkey:\/\/HOST:PORT/);
  });
});
