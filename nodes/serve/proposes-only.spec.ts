/** A whole house behind a router: what a serve node asks it does nothing (contracts.md 6). */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import mqtt, { type MqttClient } from 'mqtt';
import { ourTopics } from '../../engine/bus/topics.ts';
import type { ForeignBoard, ForeignGraphqlBoard } from '../../engine/http/bodies.ts';
import type { TestBroker } from '../../test/broker.ts';
import { startMosquitto } from '../../test/mosquitto.ts';
import { load, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { anHttpServer, ask, good, model, modules as serving, serve } from '../../test/red/serve-flow.ts';
import { agent, config, ends, router, say } from '../../test/red/team-flow.ts';
import busOut from '../bus-out/bus-out.ts';

const modules = [...(serving as readonly unknown[]), busOut] as never[];
const setLight = {
  function_name: 'SetLight',
  description: 'Turn the light of a room on or off',
  parameters: [
    { name: 'room', type: 'string', allowed_values: ['kitchen', 'hall'] },
    { name: 'state', type: 'string', allowed_values: ['on', 'off'] },
  ],
};
const lamp = {
  ...{ agent_name: 'Lamp', description: 'Turns lights on and off', topics: ['light'], accepted_functions: [] },
  functions_allowed_to_generate: [setLight],
};
const body = { agent_definitions: [lamp], chat_agent_description: 'Lights', user_prompt: 'turn the kitchen light on' };
const generate = '/folkmoot/generate_function_calls';

describe('a house whose router is asked by a serve node', function () {
  this.timeout(30_000);
  let broker: TestBroker;
  let client: MqttClient;
  const heard: string[] = [];
  before(async () => {
    broker = await startMosquitto();
    client = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
    client.on('message', (topic) => void heard.push(topic));
    await client.subscribeAsync('#', { qos: 1 });
    await startServer();
  });
  after(async () => {
    await stopServer();
    await client.endAsync();
    await broker.stop();
  });
  afterEach(unload);
  anHttpServer();

  const house = (more: object = {}) => {
    const shared = { backbone: 'b', language: 'lang' };
    const rows = [{ kind: 'else', target: '' }];
    const [mosquitto, house] = [{ bus: 'mqtt', busUrl: broker.url, storePath: ':memory:' }, randomUUID()];
    return [
      { id: 'b', type: 'folkmoot-backbone', ...mosquitto, house },
      ...config(),
      ...onTab([
        serve({ backbone: 'b' }),
        router(['lights'], { ...shared, ...more, wires: [['apply'], ['apply'], ['events'], ['lights']] }),
        agent('lights', 'lights', ['category:lights'], shared),
        { id: 'apply', type: 'folkmoot-apply', rows, outputs: 2, ...shared, wires: [['result'], ['out']] },
        { id: 'out', type: 'folkmoot-bus-out', mode: 'topic', topic: 'devices/set', backbone: 'b', wires: [] },
        ...ends,
      ]),
    ];
  };
  /** What the broker passed on, without counters, until a mark of our own came. */
  const recorded = async (act: () => Promise<unknown>): Promise<string[]> => {
    heard.length = 0;
    await act();
    const mark = `mark/${randomUUID()}`;
    await client.publishAsync(mark, '', { qos: 1 });
    await until(() => heard.includes(mark));
    return heard.filter((topic) => topic !== mark && !topic.startsWith('folkmoot/v1/metrics'));
  };

  it('sends nothing over its broker for it, whatever is proposed; the same words said to the router do', async () => {
    await load(modules, house());
    await until(() => heard.some((topic) => topic === 'folkmoot/v1/agents/lights'));
    const topics = await recorded(async () => {
      for (let n = 0; n < 3; n += 1) {
        const board = await good<ForeignBoard>(generate, body);
        assert.deepEqual(board.internal_newly_generated_functions, [
          { agent_name: 'Lamp', function_name: 'SetLight', parameters: { room: 'kitchen', state: 'on' } },
        ]);
      }
    });
    assert.deepEqual(topics, []);
    say(body.user_prompt);
    await until(() => heard.includes('devices/set'));
  });

  it('sends nothing for what is proposed in GraphQL either', async () => {
    const schema = 'type Query { lit: Boolean } type Mutation { SetLight(room: String!, state: String!): Boolean }';
    const graphql = 'mutation { SetLight(room: "kitchen", state: "on") }';
    const script = [
      { task: 'plan', answer: { message: 'Light.', steps: [{ agent: 'Lamp', prompt: 'kitchen light on' }] } },
      { task: 'generate', answer: { mutations: [graphql] } },
    ];
    const scripted = model({ script });
    heard.length = 0;
    await load(modules, [scripted, ...house({ model: scripted.id })]);
    await until(() => heard.some((topic) => /^folkmoot\/v1\/agents\/.*lights$/.test(topic)));
    const agents = { accepted_graphql_schemas: [schema], mutations_allowed_to_generate: [schema] };
    const asked = {
      ...body,
      agent_definitions: [{ agent_name: 'Lamp', description: 'x', topics: ['light'], ...agents }],
    };
    const topics = await recorded(async () => {
      const board = await good<ForeignGraphqlBoard>('/folkmoot/generate_graphql', asked);
      assert.deepEqual(
        board.internal_previously_generated_mutation_calls.map((text) => text.replace(/\s+/g, ' ')),
        [graphql],
      );
    });
    assert.deepEqual(topics, []);
  });

  it('answers 503 in words while it is paused, and goes on afterwards', async () => {
    await load(modules, house());
    const setPaused = (paused: boolean) => {
      const control = { paused, shadow: false, by: 'ana', since: new Date().toISOString() };
      return client.publishAsync(ourTopics.control, JSON.stringify(control), { qos: 1, retain: true });
    };
    const becomes = async (wanted: number) => {
      for (;;) {
        const { status, body: told } = await ask(generate, body);
        if (status === wanted) return told;
      }
    };
    await setPaused(true);
    assert.match(((await becomes(503)) as { detail: string }).detail, /paused by ana/);
    await setPaused(false);
    await becomes(200);
  });
});
