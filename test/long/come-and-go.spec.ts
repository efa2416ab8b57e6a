/** A home that starts before its broker and its Valkey server, loses them in any order under load, and gets them back. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type MqttClient } from 'mqtt';
import { until } from '../../engine/bus/bus.contract.ts';
import { ourTopics } from '../../engine/bus/topics.ts';
import type { MetricsBody } from '../../engine/bus/watch-schemas.ts';
import { startHome } from '../home/home-process.ts';
import { startMosquitto } from '../mosquitto.ts';
import { startValkey } from '../valkey-server.ts';
import { countedWire, type CountedWire } from './counted-wire.ts';

const requestTopic = '/es/nachobrito/amica/user/request/v1';
const replies = '/es/nachobrito/amica/replies/';
const classes = 'es.nachobrito.amica.domain.model.message.payload';
const rooms = ['kitchen', 'living room', 'bedroom', 'hall'];
const levels = 99;
/** How long each state lasts under load. */
const stateMs = 2_000;
const everyMs = 250;
/** Pauses grow up to a minute; in what this takes they stay far below. */
const backMs = 60_000;
const orders: readonly (readonly ('broker' | 'valkey')[])[] = [
  ['broker', 'valkey'],
  ['valkey', 'broker'],
];

interface Asked {
  readonly parts: { readonly text: string; readonly outbox: string; readonly isComplete: boolean }[];
}

/** Asks for another room and brightness each time: one command belongs to one request. */
function asker(url: string) {
  const client: MqttClient = connect(url, { protocolVersion: 5, reconnectPeriod: 100 });
  const asked = new Map<string, Asked>();
  /** The outbox's ids of each command that came. A repetition has the same id. */
  const commands = new Map<string, Set<string>>();
  /** Of the home, by its own count. */
  let maybeLost = 0;
  client.on('error', () => undefined);
  client.on('message', (topic, body, { properties }) => {
    const own = (properties?.userProperties ?? {}) as Record<string, string>;
    const outbox = own['OUTBOX_ID'] ?? randomUUID();
    if (topic === ourTopics.metrics) {
      maybeLost = (JSON.parse(body.toString()) as MetricsBody).outbox.maybeLost;
      return;
    }
    if (topic.endsWith('/set')) {
      const command = `${topic} ${body.toString()}`;
      commands.set(command, (commands.get(command) ?? new Set()).add(outbox));
      return;
    }
    const { message: text, isComplete } = JSON.parse(body.toString()) as { message: string; isComplete: boolean };
    asked.get(topic.slice(replies.length))?.parts.push({ text, outbox, isComplete });
  });
  client.on('connect', () => client.subscribe([`${replies}+`, 'zigbee2mqtt/+/set', ourTopics.metrics], { qos: 1 }));
  return {
    client,
    asked,
    commands,
    get maybeLost() {
      return maybeLost;
    },
    ask(): Asked {
      const [id, one, n] = [randomUUID(), { parts: [] }, asked.size];
      assert.ok(n < rooms.length * levels);
      asked.set(id, one);
      const message = `turn the ${rooms[Math.floor(n / levels)]} light on at ${(n % levels) + 1} %`;
      const body = JSON.stringify({ dateTime: new Date().toISOString(), userName: `alex-${id}`, message });
      const userProperties = { MESSAGE_ID: id, CONVERSATION_ID: id, PAYLOAD_TYPE: `${classes}.UserRequest` };
      client.publish(requestTopic, body, { qos: 0, properties: { userProperties } });
      return one;
    },
  };
}

/** How often the same words stand in a log, at most, whatever the time in front of them. */
const mostRepeated = (log: string): number => {
  const counts = new Map<string, number>();
  for (const [, words = ''] of log.matchAll(/\[folkmoot\] (.*)/g)) counts.set(words, (counts.get(words) ?? 0) + 1);
  return Math.max(0, ...counts.values());
};

/** Between two tries of one client, in milliseconds, in order. */
const gapsOf = ({ tries }: CountedWire): number[] =>
  [...tries.values()].flatMap((times) => times.slice(1).map((at, n) => Math.round(at - (times[n] ?? 0))));

describe('a home whose broker and Valkey server come and go', function () {
  this.timeout(400_000);

  it('starts before both, loses them in any order under load, and goes on: nothing acts twice, no try within a second', async () => {
    const [broker, valkey] = await Promise.all([startMosquitto(), startValkey({ persists: true })]);
    const servers = { broker, valkey };
    const wires = {
      broker: await countedWire(broker.port, (first) => /folkmoot-[\da-z-]+/.exec(first)?.[0]),
      valkey: await countedWire(valkey.port, () => 'the home'),
    };
    await Promise.all([broker.kill(), valkey.kill()]);
    const began = performance.now();
    const home = await startHome({
      env: {
        FOLKMOOT_MQTT_URL: `mqtt://127.0.0.1:${wires.broker.port}`,
        FOLKMOOT_VALKEY_URL: `redis://127.0.0.1:${wires.valkey.port}`,
        FOLKMOOT_HOUSE: 'house one',
      },
    });
    assert.match(home.output(), /No MQTT 5 broker answers at .* yet/);
    assert.match(home.output(), /The Valkey server at .* cannot be used yet/);
    const person = asker(broker.url);
    const isDone = ({ parts }: Asked) => parts.some(({ text }) => /^[A-Z][a-z ]+ light on at \d+ %\.$/.test(text));
    /** Under load all the time; gives how long it took until one that was asked meanwhile is done. */
    const untilDone = async () => {
      const began = performance.now();
      const since: Asked[] = [];
      while (!since.some(isDone)) {
        assert.ok(
          performance.now() - began < backMs,
          `nothing is done again; said last: ${home.output().slice(-1_000)}`,
        );
        if (person.client.connected) since.push(person.ask());
        await pause(everyMs);
      }
      return Math.round(performance.now() - began);
    };
    const load = async (ms: number) => {
      for (const end = Date.now() + ms; Date.now() < end;) {
        if (person.client.connected) person.ask();
        await pause(everyMs);
      }
    };
    const back: number[] = [];
    await broker.restart();
    await load(stateMs);
    await valkey.restart();
    back.push(await untilDone());
    for (const lost of orders) {
      for (const found of orders) {
        for (const name of lost) {
          await servers[name].kill();
          await load(stateMs);
        }
        for (const name of found) {
          await servers[name].restart();
          await load(stateMs);
        }
        back.push(await untilDone());
      }
    }
    await until('the last answers', () => [...person.asked.values()].slice(-1).every(isDone), backMs);
    await pause(5_000);
    const all = [...person.asked.values()];
    const complete = all.map(
      ({ parts }) => new Set(parts.filter((part) => part.isComplete).map(({ outbox }) => outbox)),
    );
    const twice = [...person.commands.values()].filter((ids) => ids.size > 1).length;
    const answeredTwice = complete.filter((ids) => ids.size > 1).length;
    const saidDone = all.filter(isDone).length;
    // The first one of all only looks whether the server is there, for the line that says that the home is ready.
    const gaps = { broker: gapsOf(wires.broker), valkey: gapsOf(wires.valkey).slice(1) };
    const shortest = Math.min(...gaps.broker, ...gaps.valkey);
    const minutes = Math.ceil((performance.now() - began) / 60_000);
    const sameWords = mostRepeated(home.output());
    const figures = {
      ...{ asked: all.length, answered: complete.filter(({ size }) => size > 0).length, saidDone },
      ...{ commands: person.commands.size, maybeLost: person.maybeLost, twice, answeredTwice, back, gaps, sameWords },
    };
    console.log(`      ${JSON.stringify(figures)}`);
    await person.client.endAsync(true);
    const { code } = await home.stop();
    await Promise.all(
      [...Object.values(wires), broker, valkey].map((one) => ('stop' in one ? one.stop() : one.close())),
    );
    assert.deepEqual([twice, answeredTwice, code], [0, 0, 0]);
    assert.ok(saidDone >= back.length, `${saidDone}`);
    // Once a minute, however many ask.
    assert.ok(sameWords <= minutes + 1, `${sameWords} times the same in the log of ${minutes} minutes`);
    // What is said to be done was done, or counted.
    assert.ok(saidDone <= person.commands.size + person.maybeLost, JSON.stringify(figures));
    // Noted by another process, which may note one late; a second is what the pauses' own specs show.
    assert.ok(shortest >= 900, `${shortest} ms`);
  });
});
