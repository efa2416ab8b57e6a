/** A house in shadow, as people meet it: everything runs and is told, and no device gets anything. */
import assert from 'node:assert/strict';
import mqtt, { type MqttClient } from 'mqtt';
import { amicaClient, type AmicaClient } from '../../test/amica-client.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { arrivals, load, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { statusOf } from '../../test/red/remote-flow.ts';
import { agent, config, ends, modules as team, router } from '../../test/red/team-flow.ts';
import { ourTopics } from '../../engine/bus/topics.ts';
import type { MetricsBody } from '../../engine/bus/watch-schemas.ts';
import busIn from '../bus-in/bus-in.ts';
import busOut from '../bus-out/bus-out.ts';
import toolResult from '../tool-result/tool-result.ts';
import tool from '../tool/tool.ts';
import apply from './apply.ts';

const modules = [...(team as readonly unknown[]), apply, busIn, busOut, tool, toolResult] as never[];
const only = 'The house only tries things out, so nothing was really done.';

describe('a house in shadow', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let person: AmicaClient;
  let client: MqttClient;
  let counts: MetricsBody | undefined;
  before(async () => {
    broker = await startMosquitto();
    await startServer();
    person = await amicaClient(broker.url);
    client = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
    await client.subscribeAsync([ourTopics.metrics, ourTopics.control], { qos: 1 });
    client.on('message', (topic, payload) => {
      if (topic === ourTopics.metrics) counts = JSON.parse(payload.toString()) as MetricsBody;
      if (topic === ourTopics.control) control = payload.toString();
    });
  });
  after(async () => {
    await Promise.all([person.close(), client.endAsync()]);
    await stopServer();
    await broker.stop();
  });
  afterEach(unload);

  let control = '';
  const setShadow = async (shadow: boolean) => {
    const body = JSON.stringify({ paused: false, shadow, by: 'ana', since: new Date().toISOString() });
    await client.publishAsync(ourTopics.control, body, { qos: 1, retain: true });
    await until(() => control === body);
  };
  const said = async (text: string): Promise<string> => {
    const id = await person.ask(text);
    const complete = () => person.parts(id).find(({ isComplete }) => isComplete);
    await until(() => complete() !== undefined, 10_000);
    return complete()?.message ?? '';
  };
  /** Requests before the subscription stands are lost to any listener. */
  const untilHeard = () => until(() => statusOf('in') === 'connected');
  const sent = { backbone: 'b', language: 'lang' };
  const flow = () => [
    {
      id: 'b',
      type: 'folkmoot-backbone',
      bus: 'mqtt',
      busUrl: broker.url,
      storePath: ':memory:',
      house: 'test',
      foreignResponders: 'no',
    },
    ...config(),
    ...onTab([
      { id: 'in', type: 'folkmoot-bus-in', mode: 'requests', backbone: 'b', wires: [['router']] },
      { ...router([], { wires: [['apply'], ['out'], [], ['lights', 'porter']] }), ...sent },
      agent('lights', 'lights', ['SetLight'], sent),
      agent('porter', 'porter', [], { ...sent, wires: [[], [], [], ['bell']] }),
      {
        ...{
          id: 'bell',
          type: 'folkmoot-tool',
          name: 'RingBell',
          description: 'Rings the bell',
          wires: [['rung', 'ringing']],
        },
        ...{ risk: 'reversible', effect: true, synonyms: ['ring the bell'] },
      },
      { id: 'rung', type: 'folkmoot-tool-result', wires: [] },
      {
        ...{ id: 'apply', type: 'folkmoot-apply', ...sent, outputs: 2, wires: [['report', 'out'], ['light']] },
        rows: [{ kind: 'function', target: 'SetLight', waitMs: 20 }],
      },
      { id: 'out', type: 'folkmoot-bus-out', mode: 'reply', backbone: 'b', wires: [] },
      ...[...ends.map(({ id }) => id), 'report', 'light', 'ringing'].map((id) => ({ id, type: 'helper', wires: [] })),
    ]),
  ];

  it('tells people what it would have done, counts it, and acts when that is over', async () => {
    await load(modules, flow());
    const [lights, reports, rung] = [arrivals('light'), arrivals('report'), arrivals('ringing')];
    await untilHeard();
    assert.equal(await said('turn the kitchen light off'), 'Kitchen light off.');
    assert.equal(await said('ring the bell'), 'That is done.');
    assert.equal(rung.length, 1);
    assert.equal(lights.length, 1);
    await setShadow(true);
    assert.equal(await said('turn the kitchen light on'), `${only}\nWould have been done: Kitchen light on.`);
    assert.equal(lights.length, 1);
    assert.deepEqual(
      reports.at(-1)?.moot?.report?.map(({ state, reason }) => [state, reason]),
      [['board only', only]],
    );
    assert.equal(await said('ring the bell'), only);
    assert.equal(rung.length, 1);
    await until(() => counts?.heldBack.shadow === 2);
    assert.match(await said('turn the light on'), /\?$/, 'what it asks back it asks as ever');
    await setShadow(false);
    assert.equal(await said('turn the hall light on'), 'Hall light on.');
    assert.equal(lights.length, 2);
  });
});
