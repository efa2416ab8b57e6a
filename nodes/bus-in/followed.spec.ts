/** A person's message, followed over a real broker: its id leads to its run, the run's steps, the answer and the counters. */
import assert from 'node:assert/strict';
import mqtt, { type MqttClient } from 'mqtt';
import { amicaTopics, ourPatterns, ourTopics } from '../../engine/bus/topics.ts';
import type { MetricsBody } from '../../engine/bus/watch-schemas.ts';
import type { RunEvent } from '../../engine/moot.ts';
import { amicaClient, type AmicaClient } from '../../test/amica-client.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { load, onTab, settle, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { agent, config, ends, modules as team, router } from '../../test/red/team-flow.ts';
import busOut from '../bus-out/bus-out.ts';
import busIn from './bus-in.ts';

const modules = [...(team as readonly unknown[]), busIn, busOut] as never[];

describe('a message that is followed', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let person: AmicaClient;
  let watcher: MqttClient;
  const events: RunEvent[] = [];
  let counts: MetricsBody['topics'] = {};
  before(async () => {
    broker = await startMosquitto();
    await startServer();
    person = await amicaClient(broker.url);
    watcher = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
    watcher.on('message', (topic, payload) => {
      const body = JSON.parse(payload.toString()) as unknown;
      if (topic === ourTopics.metrics) counts = (body as MetricsBody).topics;
      else events.push(body as RunEvent);
    });
    await watcher.subscribeAsync([ourPatterns.runs, ourTopics.metrics], { qos: 1 });
  });
  after(async () => {
    await unload();
    await stopServer();
    await Promise.all([person.close(), watcher.endAsync(true)]);
    await broker.stop();
  });

  it('tells its run, and is counted where it came in and where its answer left (P2)', async () => {
    await load(modules, [
      { id: 'b', type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:', house: 'test' },
      ...config(),
      ...onTab([
        { id: 'in', type: 'folkmoot-bus-in', mode: 'requests', backbone: 'b', wires: [['router']] },
        router(['lights'], { backbone: 'b', wires: [['out'], ['out'], [], ['lights']] }),
        agent('lights', 'lights', ['category:lights'], { backbone: 'b' }),
        { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', wires: [] },
        ...ends,
      ]),
    ]);
    const isAnswered = (id: string) => person.parts(id).some(({ isComplete }) => isComplete);
    const hellos: string[] = [];
    while (!hellos.some(isAnswered)) {
      hellos.push(await person.ask('hello'));
      await settle();
    }
    const id = await person.ask('turn the kitchen light on', 'c-followed');
    await until(() => isAnswered(id) && person.ended.includes('c-followed'));
    const began = () =>
      events.find(({ kind, data }) => kind === 'started' && (data as { request?: string }).request === id);
    await until(() => events.some(({ run, kind }) => run === began()?.run && kind === 'ended'));
    const own = events.filter(({ run }) => run === began()?.run);
    const { resumed, ...data } = began()?.data as Record<string, unknown>;
    assert.deepEqual(
      [data, resumed],
      [{ text: 'turn the kitchen light on', request: id, conversation: 'c-followed' }, false],
    );
    assert.deepEqual(
      own
        .filter(({ kind }) => kind === 'step')
        .map(({ agent: name, data: step }) => [name, (step as { state: string }).state]),
      [
        ['lights', 'running'],
        ['lights', 'answered'],
      ],
    );
    const { outcome, payload } = own.at(-1)?.data as { outcome: string; payload: string };
    assert.equal(outcome, 'done');
    assert.equal(
      person
        .parts(id)
        .map(({ message }) => message)
        .join(''),
      payload,
    );
    const answers = () => hellos.filter(isAnswered).length + 1;
    await until(() => {
      const [asked, replied] = [counts[amicaTopics.requests]?.in ?? 0, counts[amicaTopics.replies('+')]?.out ?? 0];
      return asked === answers() && replied === answers();
    }, 5_000);
  });
});
