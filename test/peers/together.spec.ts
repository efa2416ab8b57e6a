/** Two homes, programs in Java and Python, and a person, on one broker and one Valkey server. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { TestBroker } from '../broker.ts';
import { callFolkmoot } from '../command-line.ts';
import { startHomeWith, type HomeProcess } from '../home/home-process.ts';
import { connectPerson, type Person } from '../home/person.ts';
import { startMosquitto } from '../mosquitto.ts';
import { startValkey, type TestValkey } from '../valkey-server.ts';
import { root } from '../structure/sources.ts';
import { askingHouse, otherHouse } from './flows.ts';
import { preparePrograms, type Programs } from './programs.ts';

const agents = ['aquarium', 'coffee-corner', 'plants'];

describe('two homes, Java, Python and a person', function () {
  this.timeout(300_000);
  let broker: TestBroker;
  let valkey: TestValkey;
  let programs: Programs;
  let person: Person;
  const homes: HomeProcess[] = [];
  const commands: unknown[] = [];

  const startWith = async (flow: readonly object[], FOLKMOOT_HOUSE: string) => {
    const env = { FOLKMOOT_MQTT_URL: broker.url, FOLKMOOT_VALKEY_URL: valkey.url, FOLKMOOT_HOUSE };
    homes.push(await startHomeWith(flow, env));
  };
  /** An agent is asked only when its card and the connection are there, which may be after the home says it is ready. */
  const untilAsked = async (text: string, expected: RegExp) => {
    const end = Date.now() + 60_000;
    for (;;) {
      const conversation = randomUUID();
      const said = await person.say(text, { conversation, withinMs: 5_000 }).then(
        (reply) => reply.text,
        () => '',
      );
      if (expected.test(said)) return;
      assert.ok(Date.now() < end, `"${text}" is still answered by: ${said}`);
    }
  };

  before(async () => {
    [broker, valkey] = await Promise.all([startMosquitto(), startValkey()]);
    programs = await preparePrograms({ BROKER: broker.url, VALKEY: valkey.url, PAUSE: '0' });
    const places = { broker: broker.url, valkey: valkey.url };
    await startWith(otherHouse(places), 'greenhouse');
    await startWith(askingHouse(places, agents), 'town');
    await programs.startJava('agent', 'aquarium');
    await programs.startPython('agent.py', 'coffee-corner');
    person = await connectPerson(broker.url);
    person.client.on('message', (topic, body) => {
      if (topic === 'peers/commands') commands.push(JSON.parse(body.toString()));
    });
    await person.client.subscribeAsync('peers/commands', { qos: 1 });
    await untilAsked('feed the fish', /Java/);
    await untilAsked('make two cups of coffee', /coffee/);
    await untilAsked('water the herbs', /Watering/i);
  });
  after(async () => {
    await person?.close();
    await programs?.close();
    for (const home of homes) {
      await home.stop();
      await rm(home.folder, { recursive: true, force: true });
    }
    await Promise.all([broker?.stop(), valkey?.stop()]);
  });

  it('take part in one conversation: one answer has something of all, and Java reads what was said', async () => {
    commands.length = 0;
    const conversation = randomUUID();
    const sentence = 'make three cups of coffee, feed the fish and water the tomatoes';
    const reply = await person.say(sentence, { conversation, user: 'ana' });
    assert.match(reply.text, /making 3 cups of coffee/i);
    assert.match(reply.text, /says Java/);
    assert.match(reply.text, /watering the tomatoes/i);
    assert.equal(reply.parts.filter((part) => part.isComplete).length, 1);
    assert.ok(reply.hasEnded);
    // The commands of Python and of the other house; Java fed the fish itself.
    assert.deepEqual(commands.map((one) => JSON.stringify(one)).sort(), ['{"bed":"tomatoes"}', '{"cups":3}']);
    const { stdout } = await programs.runJava('rows', conversation);
    assert.equal(stdout.split('\n')[0], `ana: ${sentence}`);
    for (const words of reply.text.split('\n')) assert.ok(stdout.includes(words), stdout);
  });

  it('let a question back be answered in the same conversation', async () => {
    const conversation = randomUUID();
    const question = await person.say('make coffee', { conversation, user: 'ben' });
    assert.match(question.text, /how many cups/i);
    const answer = await person.say('two', { conversation, user: 'ben' });
    assert.match(answer.text, /making 2 cups of coffee/i);
  });

  it('give Java and Python whole answers when they ask', async () => {
    const sentence = 'make two cups of coffee and water the herbs';
    const [fromJava, fromPython] = await Promise.all([
      programs.runJava('ask', sentence),
      programs.runPython('amica.py', 'ask', sentence),
    ]);
    for (const { stdout } of [fromJava, fromPython]) {
      assert.match(stdout, /^(?=.*making 2 cups of coffee)(?=.*watering the herbs)[^]*\n---\n$/is);
    }
  });

  it('talk on a stream: a role in Python, and an agent of a house', async () => {
    const server = new Redis(valkey.url);
    const villager = await programs.startPython('townhall.py', 'Villager');
    await server.xadd('townhall', '*', 'role', 'Judge', 'text', 'Order! Who speaks?');
    const lines = async () =>
      (await server.xrange('townhall', '-', '+')).map(([, [, role, , text]]) => `${role}: ${text}`);
    const end = Date.now() + 30_000;
    const both = (said: readonly string[]) =>
      said.filter((line) => line.startsWith('Mayor: Mon ami')).length === 2 &&
      said.some((line) => /^Villager: (Judge|Mayor) says/.test(line));
    while (!both(await lines())) {
      assert.ok(Date.now() < end, `said so far: ${(await lines()).join(' | ')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const said = await lines();
    assert.equal(said[0], 'Captain: Bandits in the woods.');
    await villager.kill();
    server.disconnect();
  });

  it('know at once that a Java agent is gone when it is killed', async () => {
    const sudden = await programs.startJava('agent', 'second-aquarium');
    const { out } = await callFolkmoot(['agents', '--broker', broker.url, '--json']);
    assert.match(out, /"second-aquarium"/);
    await sudden.kill();
    const { out: after } = await callFolkmoot(['agents', '--broker', broker.url, '--json', '--here']);
    assert.doesNotMatch(after, /"second-aquarium"/);
    assert.match(after, /"aquarium"/);
  });

  it('leave the word to a Java agent whose answer has the number 0 and takes two seconds, in our chat', async () => {
    const responder = await programs.startJava('answer', 'Two users walk into a bar.');
    const words = ['chat', '--broker', broker.url, '--wait', '6'];
    const { code, out } = await callFolkmoot(words, { input: 'tell me a joke\n' });
    await responder.kill();
    assert.equal(code, 0);
    assert.match(out, /Two users walk into a bar\.\n---\n/);
  });

  it('let our chat hear a Python agent on the same topic', async () => {
    const responder = await programs.startPython('amica.py', 'answer', 'I am Python.');
    const words = ['chat', '--broker', broker.url, '--wait', '6'];
    const { code, out } = await callFolkmoot(words, { input: 'tell me a joke\n' });
    await responder.kill();
    assert.equal(code, 0);
    assert.match(out, /I am Python\.\n---\n/);
  });

  it('ask an agent of five lines of shell, as the page shows it', async () => {
    const page = await readFile(path.join(root, 'docs', 'join.md'), 'utf8');
    const [, script = ''] = /```sh\n(topic=[^]*?)```/.exec(page) ?? [];
    const here = ['mosquitto_pub', 'mosquitto_sub'].map(
      (name) => `${name}() { command ${name} -p ${new URL(broker.url).port} "$@"; }\n`,
    );
    // A group of its own, so that all that it started ends with it.
    const shell = spawn('bash', ['-c', `${here.join('')}${script}`], { detached: true, stdio: 'ignore' });
    const heard = new Map<string, string>();
    person.client.on('message', (topic, body, { properties }) => {
      heard.set(`${topic} ${properties?.correlationData?.toString()}`, body.toString());
    });
    await person.client.subscribeAsync('folkmoot/v1/answers/spec', { qos: 1 });
    const properties = { responseTopic: 'folkmoot/v1/answers/spec', correlationData: Buffer.from('c-1') };
    const ask = JSON.stringify({ v: 1, kind: 'step', payload: 'water the herbs', moot: { v: 1, ask: { id: 'a' } } });
    const end = Date.now() + 15_000;
    while (!heard.has('folkmoot/v1/answers/spec c-1')) {
      assert.ok(Date.now() < end, 'no answer');
      await person.client.publishAsync('folkmoot/v1/agents/greenhouse/ask', ask, { qos: 1, properties });
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    process.kill(-(shell.pid ?? 0), 'SIGKILL');
    const answer = JSON.parse(heard.get('folkmoot/v1/answers/spec c-1') ?? '') as object;
    assert.deepEqual(answer, { status: 'answered', payload: 'The plants have been watered.' });
    const { out } = await callFolkmoot(['agents', '--broker', broker.url, '--json', '--here']);
    assert.match(out, /"greenhouse"/);
  });
});
