/** One request on A.M.I.C.A.'s topic and all who hear it, on a real broker: two houses of ours and a program of others. */
import assert from 'node:assert/strict';
import mqtt, { type MqttClient } from 'mqtt';
import { amicaAgent, javaAnswer, type AmicaAgent } from '../../test/amica-agent.ts';
import { amicaClient, type AmicaClient } from '../../test/amica-client.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { arrivals, load, node, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { agent, config, ends, modules as teamModules } from '../../test/red/team-flow.ts';
import busOut from '../bus-out/bus-out.ts';

const modules = [...teamModules, busOut] as never[];
const replies = '/es/nachobrito/amica/replies/';
/** Those of seed-contracts.md, row 23, that are allowed. */
const ids = ['abcde', 'a-1-b'];

describe('a request that several hear', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let person: AmicaClient;
  let java: AmicaAgent;
  let watcher: MqttClient;
  const topics = new Set<string>();
  before(async () => {
    broker = await startMosquitto();
    person = await amicaClient(broker.url);
    watcher = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
    watcher.on('message', (topic) => void topics.add(topic));
    await watcher.subscribeAsync('#', { qos: 1 });
    java = await amicaAgent(broker.url, (asked, own) => own.send(asked, javaAnswer('I am Java.')));
    await startServer();
  });
  after(async () => {
    await unload();
    await stopServer();
    await person.close();
    await java.close();
    await watcher.endAsync(true);
    await broker.stop();
  });

  it('is worked on and answered by each, on its own reply topic only (rows 1, 4, 23, 40)', async () => {
    const result = (id: string) => `result-${id}`;
    const houses = ids.map((id) => ({
      ...{ id: `house-${id}`, type: 'folkmoot-backbone', bus: 'mqtt', busUrl: broker.url, storePath: ':memory:' },
      house: id,
    }));
    const agents = ids.map((id) =>
      agent(id, id, ['SetLight'], {
        ...{ agentId: id, backbone: `house-${id}`, listensToRequests: true },
        wires: [[result(id)], [], [], []],
      }),
    );
    const helpers = ids.map((id) => ({ id: result(id), type: 'helper', wires: [] }));
    await load(modules, [...houses, ...config(), ...onTab([...agents, ...helpers, ...ends])]);
    const asked = new Set<string>();
    const who = (id: string) => new Set(person.parts(id).map(({ agent: name }) => name));
    const ask = async () => {
      const id = await person.ask('turn the kitchen light on');
      asked.add(id);
      return id;
    };
    const all = ['', ...ids.map((id) => `folkmoot-${id}`)].sort();
    const isHeardByAll = () => [...asked].some((id) => all.every((name) => who(id).has(name)));
    // Asked again until all listen: nobody tells from outside when a subscription stands.
    while (!isHeardByAll()) {
      await ask();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const worked = ids.map((id) => arrivals(result(id)));
    const id = await ask();
    await until(() => person.parts(id).length === 3);
    assert.deepEqual([...who(id)].sort(), all);
    assert.ok(person.parts(id).every(({ isComplete }) => isComplete));
    await until(() => worked.every((messages) => messages.some(({ moot }) => moot?.request?.id === id)));
    assert.deepEqual(
      worked.map((messages) => messages.find(({ moot }) => moot?.request?.id === id)?.moot?.mutations?.[0]?.function),
      ['SetLight', 'SetLight'],
    );
    const repliedTo = [...topics]
      .filter((topic) => topic.startsWith(replies))
      .map((topic) => topic.slice(replies.length));
    assert.deepEqual(repliedTo.sort(), [...asked].sort());
    const others = [...topics].filter((topic) => topic.startsWith('/') && !topic.startsWith(replies));
    assert.deepEqual(others.sort(), ['/es/nachobrito/amica/system/event/v1', '/es/nachobrito/amica/user/request/v1']);
    for (const name of ids)
      assert.equal((node(name) as unknown as { error: { callCount: number } }).error.callCount, 0);
  });
});
