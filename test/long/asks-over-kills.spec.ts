/** Two houses, one of which asks the other, on a broker that is killed while asks are in work and being answered. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { until } from '../../engine/bus/bus.contract.ts';
import { createMqttBus } from '../../engine/bus/mqtt.ts';
import { amicaTopics } from '../../engine/bus/topics.ts';
import { systemClock } from '../../engine/clock.ts';
import { askDirected } from '../../engine/registry/directed-ask.ts';
import { returnMs } from '../../engine/registry/outage.ts';
import { presenceWill } from '../../engine/registry/presence.ts';
import { askEverybody } from '../../engine/registry/remote-work.ts';
import type { TestBroker } from '../broker.ts';
import { startMosquitto } from '../mosquitto.ts';
import { randomFrom, seed } from '../red/tier.ts';
import { openHouse, someAgent } from '../registry-house.ts';

const rounds = 10;
/** Of each round: asks whose work ends right around the kill, and asks whose work ends later. */
const asksOfARound = { around: 8, later: 8 };
const aroundMs = 150;
/** To connect, to wait for the other one and to ask again twice, with slack. */
const answeredMs = 15_000;
const child = fileURLToPath(new URL('../registry-house.child.ts', import.meta.url));

describe('asks of another house while the broker is killed', function () {
  this.timeout(600_000);
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  const startBroker = async () => {
    const broker = await startMosquitto();
    ends.push(() => broker.stop());
    return broker;
  };
  const open = async (broker: TestBroker, house: string) => {
    const identity = { house, process: `p-${house}`, since: new Date().toISOString() };
    const will = presenceWill(identity);
    const bus = createMqttBus({ url: broker.url, clientId: `folkmoot-p-${house}`, will });
    ends.push(() => bus.close());
    const opened = await openHouse({ bus, clock: systemClock, ...identity });
    ends.push(() => opened.close());
    return opened;
  };
  type Opened = Awaited<ReturnType<typeof open>>;
  const ask = ({ bus, registry, sender }: Opened, payload: string) =>
    askDirected({
      ...{ clock: systemClock, bus, registry, sender, agentId: 'lamp-agent', kind: 'step', payload },
      moot: { v: 1, ask: { id: `ask:r1/${payload}` } },
      deadlineMs: 60_000,
      signal: new AbortController().signal,
    });

  it('are each answered once with the real answer, and nothing is done twice', async () => {
    const random = randomFrom(seed());
    const broker = await startBroker();
    const [north, south] = [await open(broker, 'north'), await open(broker, 'south')];
    north.cards.join(someAgent('lamp-agent'), () => undefined);
    const effects = new Map<string, number>();
    const work = new Map<string, Promise<unknown>>();
    const endedAt = new Map<string, number>();
    north.serve('lamp-agent', async ({ payload }) => {
      const name = String(payload);
      await work.get(name);
      effects.set(name, (effects.get(name) ?? 0) + 1);
      endedAt.set(name, performance.now());
      return { status: 'answered', payload: `done: ${name}`, mutations: [] };
    });
    await until('it is there', () => south.registry.agent('lamp-agent')?.status === 'online');
    const waits: number[] = [];
    let overKills = 0;
    for (let round = 0; round < rounds; round += 1) {
      const killIn = 500;
      const names = (kind: 'around' | 'later') =>
        Array.from({ length: asksOfARound[kind] }, (_, n) => `${round}-${kind}-${n}`);
      for (const name of names('around')) work.set(name, pause(killIn + (random() * 2 - 1) * aroundMs));
      for (const name of names('later')) work.set(name, pause(killIn + aroundMs + random() * 8_000));
      const answers = [...names('around'), ...names('later')].map(async (name) => {
        const { status, payload } = await ask(south, name);
        return { name, status, payload, at: performance.now() };
      });
      await pause(killIn);
      await broker.kill();
      const killed = performance.now();
      await pause(random() * 2_000);
      await broker.restart();
      const back = performance.now();
      for (const { name, status, payload, at } of await Promise.all(answers)) {
        assert.deepEqual([status, payload], ['answered', `done: ${name}`]);
        if (at < killed) continue;
        overKills += 1;
        waits.push(Math.round(at - Math.max(back, endedAt.get(name) ?? 0)));
      }
      // After so long both connections count as steady again.
      await pause(11_000);
    }
    const most = Math.max(...waits);
    waits.sort((a, b) => a - b);
    const figures = { rounds, asks: work.size, overKills, medianMs: waits[waits.length >> 1], mostMs: most };
    console.log(`      after the broker and the work were there: ${JSON.stringify(figures)}`);
    assert.deepEqual([...effects.keys()].toSorted(), [...work.keys()].toSorted());
    assert.deepEqual(
      [...effects].filter(([, count]) => count !== 1),
      [],
    );
    assert.ok(most < answeredMs, `${most} ms`);
    // Else the kills hit nothing.
    assert.ok(overKills >= rounds * asksOfARound.later, `${overKills}`);
  });

  it('of a house that dies with the broker are told that it went away', async () => {
    const broker = await startBroker();
    const south = await open(broker, 'south');
    const other = spawn(process.execPath, [child, broker.url, 'north'], { stdio: ['ignore', 'pipe', 'inherit'] });
    ends.push(async () => other.kill('SIGKILL'));
    await until('it is there', () => south.registry.agent('lamp-agent')?.status === 'online', 10_000);
    const asked = ask(south, 'never');
    while (!String((await once(other.stdout, 'data'))[0]).includes('begun'));
    await broker.kill();
    other.kill('SIGKILL');
    await once(other, 'exit');
    await broker.restart();
    await until('the connection is back', () => south.bus.state === 'up', 10_000);
    const back = performance.now();
    const { payload } = await asked;
    const ms = Math.round(performance.now() - back);
    console.log(`      told ${ms} ms after the connection was back`);
    assert.equal(payload, 'lamp-agent went away while it worked.');
    assert.ok(ms < returnMs + 2_000, `${ms}`);
  });

  it('over A.M.I.C.A.’s topics say that the answer may be lost', async () => {
    const broker = await startBroker();
    const south = await open(broker, 'south');
    const heard = Promise.withResolvers<string>();
    const responder = createMqttBus({ url: broker.url, clientId: 'a-java-agent' });
    ends.push(() => responder.close());
    await responder.subscribe(amicaTopics.requests, ({ properties }) => heard.resolve(properties['MESSAGE_ID'] ?? ''));
    const everybody = (payload: string, id: string) =>
      askEverybody(
        {
          ...{ bus: south.bus, clock: systemClock, sender: south.sender, member: someAgent('everybody') },
          ...{ userName: 'south', deadlineMs: 120_000 },
        },
        {
          ...{ id, run: 'r1', step: 's1', kind: 'step', payload, moot: { v: 1 } },
          signal: new AbortController().signal,
        },
      );
    const asked = everybody('mow', 'ask:r1/s1');
    assert.notEqual(await heard.promise, '');
    await broker.kill();
    await broker.restart();
    await until('the connections are back', () => south.bus.state === 'up' && responder.state === 'up', 15_000);
    const back = performance.now();
    const { status, error } = await asked;
    const ms = Math.round(performance.now() - back);
    console.log(`      told ${ms} ms after the connection was back`);
    assert.deepEqual([status, error?.code], ['failed', 'FOLKMOOT_BUS_LOST']);
    assert.match(error?.message ?? '', /may be lost\. Ask again\./);
    assert.ok(ms < returnMs + 5_000, `${ms}`);
  });
});
