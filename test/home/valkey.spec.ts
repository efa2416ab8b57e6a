/** A home that keeps everything on a Valkey server. Its comings and goings: test/long. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { readAsJava } from '../java-reader.ts';
import { javaRows } from '../java-rows.ts';
import { startMosquitto } from '../mosquitto.ts';
import { startValkey, type TestValkey } from '../valkey-server.ts';
import { newFolder, startHome, startRefused, type HomeProcess } from './home-process.ts';
import { connectPerson, type Person } from './person.ts';

/** Waits for the file. */
async function minutesOf(folder: string, conversation: string) {
  const file = path.join(folder, 'minutes', `${conversation}.minute.json`);
  const text = () => readFile(file, 'utf8').catch(() => '');
  for (let tries = 0; tries < 300 && !(await text()).endsWith('}\n'); tries += 1) await pause(20);
  return JSON.parse(await text()) as { actors: string[]; summary: string; messages: string[] };
}

/** What a sensor tells becomes a run, a board and a command, without a person. */
async function actsByItself({ ready }: HomeProcess, person: Person): Promise<void> {
  const boards: string[] = [];
  person.client.on('message', (topic, body) => void (topic.includes('/boards/') && boards.push(body.toString())));
  await person.client.subscribeAsync('folkmoot/v1/boards/+/changes', { qos: 1 });
  // What comes in the first seconds after a start is overheard only.
  await pause(Math.max(0, Date.parse(ready.since) + 2_500 - Date.now()));
  const before = person.runEvents().length;
  person.commands();
  for (const occupancy of [false, true])
    await person.publish('zigbee2mqtt/hall_motion', { occupancy, illuminance: 12 });
  await person.untilCommands(1, 10_000);
  assert.deepEqual(person.commands(), [{ topic: 'zigbee2mqtt/hall_light/set', payload: { state: 'ON' } }]);
  const kinds = () =>
    person
      .runEvents()
      .slice(before)
      .map(({ kind }) => kind);
  const isTold = () => kinds().includes('ended') && boards.some((body) => body.includes('"SetLight"'));
  for (let tries = 0; tries < 300 && !isTold(); tries += 1) await pause(20);
  assert.ok(isTold(), [...kinds(), ...boards].join('\n'));
  assert.deepEqual([kinds()[0], kinds().includes('plan')], ['started', true]);
}

/** As an agent of others tells it. */
const conversationEnded = (person: Person, conversationId: string) =>
  person.client.publishAsync('/es/nachobrito/amica/system/event/v1', JSON.stringify({ conversationId }), {
    qos: 1,
    properties: {
      userProperties: {
        MESSAGE_ID: randomUUID(),
        CONVERSATION_ID: randomUUID(),
        PAYLOAD_TYPE: 'es.nachobrito.amica.domain.model.message.payload.ConversationEnded',
      },
    },
  });

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
    const asked = randomUUID();
    const { text: told } = await person.say('how many users are logged into this system?', { conversation: asked });
    const list = await client.lrange(`conversation:${asked}`, 0, -1);
    assert.deepEqual(readAsJava(list), ['USER_MESSAGE', 'AGENT_MESSAGE', 'TOOL_EXECUTION', 'AGENT_MESSAGE']);
    assert.equal((JSON.parse(list.at(-1) ?? '') as { text: string }).text, told);
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

  it('takes minutes there, acts on what sensors tell, and knows that after it was killed (rows 39, P7, P12)', async () => {
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
      const { messages } = await minutesOf(folder, conversation);
      assert.deepEqual(messages, ['The user asked: “turn on the kitchen light”', `The agent response was: “${text}”`]);
      await person.publish('zigbee2mqtt/attic_climate', { local_temperature: 14.5 });
      const ask = async () => (await person?.say('how warm is it in the attic?'))?.text ?? '';
      for (let tries = 0; tries < 50 && !(await ask()).includes('14.5 °C'); tries += 1) await pause(50);
      await actsByItself(home as HomeProcess, person);
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

  it('takes minutes of what agents of others kept there, and none of what nobody kept (rows 35 to 37)', async () => {
    const folder = await newFolder();
    const broker = await startMosquitto();
    const client = new Redis(server.url);
    try {
      const env = { FOLKMOOT_VALKEY_URL: server.url, FOLKMOOT_HOUSE: 'house three', FOLKMOOT_MQTT_URL: broker.url };
      home = await startHome({ folder, env });
      person = await connectPerson(broker.url);
      // Its agents listen when it answers.
      await person.say('what can you do?');
      const [kept, last] = [randomUUID(), randomUUID()];
      for (const id of [kept, last])
        await client.rpush(`conversation:${id}`, ...javaRows.map((row) => JSON.stringify(row)));
      for (const id of [kept, randomUUID(), last]) await conversationEnded(person, id);
      assert.deepEqual(await minutesOf(folder, kept), {
        actors: ['ana', 'local-system-agent'],
        summary: 'ana asked “How many users are logged in”, and local-system-agent answered.',
        messages: [
          'The user asked: “How many users are logged in?”',
          'The agent response was: “Two users are logged in.”',
        ],
      });
      await minutesOf(folder, last);
      const files = await readdir(path.join(folder, 'minutes'));
      assert.equal(files.length, 3, files.join());
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
