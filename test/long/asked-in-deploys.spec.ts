/** A home is deployed again and again while another one, a process of its own, asks its agent. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestBroker } from '../broker.ts';
import { deployHome, deployKinds } from '../home/deploy-home.ts';
import { startHomeWith, type HomeProcess } from '../home/home-process.ts';
import { connectPerson, type Person } from '../home/person.ts';
import { startMosquitto } from '../mosquitto.ts';
import { askingHouse, otherHouse } from '../peers/flows.ts';
import { startValkey, type TestValkey } from '../valkey-server.ts';

const deploys = 40;
const deployEveryMs = 100;
const askEveryMs = 40;
const beds = ['tomatoes', 'herbs'] as const;

describe('a home that is deployed while another one asks it', function () {
  this.timeout(300_000);
  let broker: TestBroker;
  let valkey: TestValkey;
  let person: Person;
  const homes: HomeProcess[] = [];
  const commands: string[] = [];

  const startWith = async (flow: readonly object[], FOLKMOOT_HOUSE: string) => {
    const env = { FOLKMOOT_MQTT_URL: broker.url, FOLKMOOT_VALKEY_URL: valkey.url, FOLKMOOT_HOUSE };
    const home = await startHomeWith(flow, env);
    homes.push(home);
    return home;
  };
  let asked: HomeProcess;
  before(async () => {
    [broker, valkey] = await Promise.all([startMosquitto(), startValkey()]);
    const places = { broker: broker.url, valkey: valkey.url };
    asked = await startWith(otherHouse(places), 'greenhouse');
    await startWith(askingHouse(places, ['plants']), 'town');
    person = await connectPerson(broker.url);
    person.client.on('message', (topic, body) => {
      if (topic === 'peers/commands') commands.push(body.toString());
    });
    await person.client.subscribeAsync('peers/commands', { qos: 1 });
    for (let tries = 0; tries < 60 && commands.length === 0; tries += 1) {
      await person.say('water the herbs', { withinMs: 5_000 }).catch(() => undefined);
    }
    assert.deepEqual(commands.splice(0), ['{"bed":"herbs"}']);
  });
  after(async () => {
    await person?.close();
    for (const home of homes) {
      await home.stop();
      await rm(home.folder, { recursive: true, force: true });
    }
    await Promise.all([broker?.stop(), valkey?.stop()]);
  });

  it(`answers every ask over ${deploys} deploys of all kinds, by its agent, and each command is done once`, async () => {
    let isOver = false;
    const deploying = (async () => {
      for (let n = 0; n < deploys; n += 1) {
        await deployHome(asked, deployKinds[n % deployKinds.length] ?? 'full', `change ${n}`);
        await pause(deployEveryMs);
      }
    })().finally(() => (isOver = true));
    const said: Promise<{ readonly text: string; readonly ms: number; readonly complete: number }>[] = [];
    while (!isOver) {
      const [began, bed] = [performance.now(), beds[said.length % beds.length] ?? 'herbs'];
      const one = person.say(`water the ${bed}`, { conversation: randomUUID(), withinMs: 60_000 });
      said.push(
        one.then(({ text, parts }) => ({
          text,
          ms: Math.round(performance.now() - began),
          complete: parts.filter(({ isComplete }) => isComplete).length,
        })),
      );
      await pause(askEveryMs);
    }
    await deploying;
    const answers = await Promise.all(said);
    await person.fence();
    const slowest = Math.max(...answers.map(({ ms }) => ms));
    console.log(`      ${answers.length} asked over ${deploys} deploys, slowest answer ${slowest} ms`);
    assert.deepEqual(
      answers.map(({ text }) => text).filter((text) => !/^Watering the (?:tomatoes|herbs)\.$/i.test(text)),
      [],
    );
    assert.deepEqual(new Set(answers.map(({ complete }) => complete)), new Set([1]));
    assert.equal(commands.length, answers.length);
    assert.ok(slowest < 20_000, `${slowest}`);
  });
});
