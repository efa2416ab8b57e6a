/** A peer that sends garbage a thousand times a second, on every topic that a home listens to, while people ask. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectAsync, type IClientPublishOptions, type MqttClient } from 'mqtt';
import { until } from '../../engine/bus/bus.contract.ts';
import { amicaTopics, ourTopics } from '../../engine/bus/topics.ts';
import { startHome } from '../home/home-process.ts';
import { connectPerson } from '../home/person.ts';
import { startMosquitto } from '../mosquitto.ts';
import { randomFrom, seed } from '../red/tier.ts';
import { atRate, openKept } from './broker-kills.ts';

const perSecond = 1_000;
const floodMs = 10_000;
/** What a person waits at most, three times. */
const slowestMs = 3_000 * 3;
/** What a home may grow by: everything that it keeps of others is bounded. */
const growthMiB = 150;

type Random = () => number;

const bytes = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: Math.floor(random() * 200) }, () => random() * 256));
const pick = <T>(of: readonly T[], random: Random): T => of[Math.floor(random() * of.length)] as T;
const idOf = (random: Random): string => Math.floor(random() * 1e12).toString(36);

/** Bytes, torn JSON, JSON of another form, too deep, and what is nearly right. */
const bodies: readonly ((random: Random) => Buffer | string)[] = [
  bytes,
  () => '',
  () => '{"message": "turn',
  () => '['.repeat(2_000),
  (random) => JSON.stringify({ message: idOf(random).repeat(100), userName: null, dateTime: 5 }),
  (random) => JSON.stringify({ v: 1, id: idOf(random), agentId: 7, status: 'perhaps', paused: 'yes', since: 'then' }),
  () => JSON.stringify({ __proto__: { polluted: true }, constructor: 1, v: 2 }),
];

const userProperties: readonly ((random: Random) => Record<string, string>)[] = [
  () => ({ PAYLOAD_TYPE: 'com.example.Unknown' }),
  (random) => ({ MESSAGE_ID: idOf(random), CONVERSATION_ID: idOf(random), PAYLOAD_TYPE: 'x.UserRequest' }),
  (random) => ({ MESSAGE_ID: `${idOf(random)}/#`, AGENT_ID: '', HOUSE: idOf(random), PROCESS: idOf(random) }),
];

/** One of garbage on one of these topics; those who ask back are told a topic that leads nowhere. */
function send(peer: MqttClient, topics: readonly ((random: Random) => string)[], random: Random): void {
  const own: IClientPublishOptions['properties'] = {
    userProperties: pick(userProperties, random)(random),
    responseTopic: `garbage/${idOf(random)}`,
    correlationData: bytes(random),
  };
  // Cards and presence are read when they are retained too; a broker keeps few of them here.
  peer.publish(pick(topics, random)(random), pick(bodies, random)(random), { qos: 0, properties: own });
}

const residentMiB = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

describe('a peer that sends garbage a thousand times a second for ten seconds', function () {
  this.timeout(180_000);

  it('keeps no request to a home from its answer, and fills neither its log nor its memory', async () => {
    const random = randomFrom(seed());
    const broker = await startMosquitto();
    const home = await startHome({ env: { FOLKMOOT_MQTT_URL: broker.url } });
    const [person, peer] = await Promise.all([
      connectPerson(broker.url),
      connectAsync(broker.url, { protocolVersion: 5, reconnectPeriod: 0 }),
    ]);
    const [agents, processes]: [string[], string[]] = [[], []];
    peer.on('message', (topic) => {
      const id = topic.split('/')[3] ?? '';
      (topic.startsWith(ourTopics.agent('')) ? agents : processes).push(id);
    });
    await peer.subscribeAsync(['folkmoot/v1/agents/+', 'folkmoot/v1/presence/+'], { qos: 1 });
    await until('cards and presence', () => agents.length > 0 && processes.length > 0);
    await peer.unsubscribeAsync(['folkmoot/v1/agents/+', 'folkmoot/v1/presence/+']);
    const [ownAgents, ownProcess] = [[...agents], processes[0] ?? ''];
    const topics: readonly ((random: Random) => string)[] = [
      () => amicaTopics.requests,
      () => amicaTopics.events,
      (r) => amicaTopics.replies(idOf(r)),
      (r) => ourTopics.agent(idOf(r)),
      (r) => ourTopics.agentAsk(pick(ownAgents, r)),
      (r) => ourTopics.tool(idOf(r)),
      (r) => ourTopics.presence(idOf(r)),
      () => ourTopics.answers(`folkmoot-${ownProcess}`),
      () => ourTopics.registry(ownProcess),
      () => ourTopics.control,
    ];
    // The first answers load what later ones need.
    for (let n = 0; n < 5; n += 1) await person.say('turn on the hall light');
    person.commands();
    const [before, linesBefore] = [await residentMiB(home.ready.pid), home.output().split('\n').length];
    const stop = new AbortController();
    const flood = atRate(perSecond, stop.signal, () => send(peer, topics, random));
    const times: number[] = [];
    for (const end = Date.now() + floodMs; Date.now() < end;) {
      const asked = performance.now();
      const { parts, text } = await person.say(`turn the kitchen light on at ${(times.length % 90) + 1} %`);
      times.push(performance.now() - asked);
      assert.equal(parts.filter(({ isComplete }) => isComplete).length, 1);
      assert.match(text, /kitchen/i);
      await pause(50);
    }
    stop.abort();
    const sent = await flood;
    await person.say('turn on the bedroom light');
    await person.fence();
    const commands = person.commands().length;
    const grown = (await residentMiB(home.ready.pid)) - before;
    const lines = home
      .output()
      .split('\n')
      .slice(linesBefore - 1);
    times.sort((a, b) => a - b);
    const [middle, slowest] = [times[times.length >> 1] ?? 0, times.at(-1) ?? 0].map(Math.round);
    console.log(
      `      ${sent} of garbage on ${topics.length} kinds of topics; ${times.length} answers, the middle one after ` +
        `${middle} ms, the slowest ${slowest} ms; ${lines.length} lines of log; grown by ${Math.round(grown)} MiB`,
    );
    await Promise.all([person.close(), peer.endAsync(true)]);
    const { code } = await home.stop();
    await broker.stop();
    assert.ok(sent >= ((perSecond * floodMs) / 1_000) * 0.9, `${sent}`);
    assert.ok(times.length >= 10, `${times.length} answers`);
    assert.equal(commands, times.length + 1);
    assert.ok((slowest ?? 0) < slowestMs, `${slowest} ms`);
    // Each kind of message and reason once a minute.
    assert.ok(lines.length < 120, lines.join('\n'));
    assert.ok(lines.every((line) => line.length <= 1_000));
    assert.ok(grown < growthMiB, `${grown} MiB`);
    assert.equal(code, 0);
  });

  it('keeps no answer from who asked, though it writes to where answers come', async () => {
    const [broker, folder] = await Promise.all([startMosquitto(), mkdtemp(path.join(tmpdir(), 'folkmoot-garbage-'))]);
    const [house, asker] = await Promise.all(
      ['house', 'asker'].map((name) => openKept(broker.url, name, path.join(folder, name))),
    );
    assert.ok(house && asker);
    const peer = await connectAsync(broker.url, { protocolVersion: 5, reconnectPeriod: 0 });
    await house.bus.subscribe('home/#', () => undefined);
    await house.bus.subscribe('home/ask', ({ responseTopic, correlation, payload }) =>
      // What has nobody to answer is garbage.
      responseTopic?.startsWith('folkmoot/')
        ? house.bus.publish(responseTopic, { payload, correlation: correlation ?? '' })
        : undefined,
    );
    await until('both are up', () => house.bus.state === 'up' && asker.bus.state === 'up');
    const random = randomFrom(seed());
    const topics = ['home/garbage', 'home/ask', ourTopics.answers('folkmoot-asker')].map((topic) => () => topic);
    const stop = new AbortController();
    const flood = atRate(perSecond, stop.signal, () => send(peer, topics, random));
    const times: number[] = [];
    for (const end = Date.now() + floodMs; Date.now() < end;) {
      const began = performance.now();
      const { payload } = await asker.bus.request('home/ask', { payload: `${times.length}` }, { timeoutMs: 5_000 });
      assert.equal(Buffer.from(payload).toString(), `${times.length}`);
      times.push(performance.now() - began);
      await pause(20);
    }
    stop.abort();
    const sent = await flood;
    const slowest = Math.round(Math.max(...times));
    console.log(`      ${sent} of garbage; ${times.length} answers, the slowest after ${slowest} ms`);
    await Promise.all([house.close(), asker.close(), peer.endAsync(true)]);
    await broker.stop();
    await rm(folder, { recursive: true, force: true });
    assert.ok(sent >= ((perSecond * floodMs) / 1_000) * 0.9, `${sent}`);
    assert.ok(times.length > 50, `${times.length}`);
    assert.ok(slowest < slowestMs / 3, `${slowest} ms`);
  });
});
