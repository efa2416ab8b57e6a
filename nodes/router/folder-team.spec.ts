/** Agents of a folder in a router's team, beside those on wires (rows 67 to 69). */
import assert from 'node:assert/strict';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  agent,
  aTeamOnWires,
  called,
  config,
  ends,
  functions,
  modules,
  router,
  say,
} from '../../test/red/team-flow.ts';
import { adminGet, deploy, load, nextAt, node, onTab, until, type FlowNode } from '../../test/red/red.ts';
import { leaseBackbone, type Backbone } from '../backbone/lease.ts';
import { agentFoldersOf, reloadAgents } from '../shared/agent-folders.ts';
import type { Red, RedMessage } from '../shared/red.ts';
import type { ListedAgents } from './listed-agents.ts';

describe('a router with a folder of agents', function () {
  this.timeout(20_000);
  const { clock } = aTeamOnWires();
  let RED: Red;
  const start = (nodes: readonly FlowNode[]) => load([...modules, (red: Red) => (RED = red)], nodes);
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-team-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const put = (name: string, document: unknown) =>
    writeFile(
      path.join(folder, `${name}.agent.json`),
      typeof document === 'string' ? document : JSON.stringify(document),
    );
  const mower = { v: 1, name: 'Lawn Mower', generates: ['MowLawn'], topics: ['lawn'] };
  const flow = (wired: readonly FlowNode[], more: object = {}): FlowNode[] => [
    ...config(),
    ...onTab([
      router(
        wired.map(({ id }) => id),
        { agentsFolder: folder, ...more },
      ),
      ...wired,
      ...ends,
    ]),
  ];
  const lights = agent('lights', 'lights', ['category:lights']);
  const asked = async (text: string): Promise<RedMessage> => {
    const result = nextAt('result');
    say(text);
    return result;
  };
  const told = (id = 'router') =>
    (node(id) as unknown as { warn: { args: unknown[][] } }).warn.args.map(([text]) => String(text));
  /** As those who list and reload the house's agents do it. */
  async function withBackbone<T>(use: (backbone: Backbone) => T): Promise<T> {
    const lease = leaseBackbone(RED, '');
    try {
      return await use(await lease.ready);
    } finally {
      await lease.release();
    }
  }
  const reload = () => withBackbone(reloadAgents);
  const list = () => adminGet<ListedAgents>('/folkmoot-admin/router/agents?router=router');

  it('asks them as it asks those on wires', async () => {
    await put('mower', mower);
    await start(flow([lights]));
    const { moot } = await asked('turn the kitchen light on and mow the front lawn');
    assert.deepEqual(called(moot), [
      ['SetLight', { room: 'kitchen', state: 'on' }],
      ['MowLawn', { area: 'front' }],
    ]);
    assert.deepEqual(await list(), {
      agents: [{ agentId: 'lawn-mower', name: 'Lawn Mower', file: 'mower.agent.json' }],
      problems: [],
    });
    assert.deepEqual(told(), []);
  });

  it('needs none on wires', async () => {
    await put('mower', mower);
    await start(flow([]));
    assert.deepEqual(called((await asked('mow the front lawn')).moot), [['MowLawn', { area: 'front' }]]);
  });

  it('gives them no more than its language has', async () => {
    const parameters = [{ name: 'area', type: 'string', allowed_values: ['front', 'back'] }];
    const dig = { function_name: 'DigHole', description: 'Digs a hole', parameters };
    const digger = { agent_name: 'Digger', description: '', topics: [], accepted_functions: [] };
    await put('digger', { ...digger, functions_allowed_to_generate: [dig] });
    await start(flow([lights]));
    assert.deepEqual(called((await asked('dig hole front')).moot), []);
  });

  it('takes what changes in the folder, by itself and when it is told to', async () => {
    await start(flow([lights]));
    assert.deepEqual(called((await asked('mow the front lawn')).moot), []);
    await put('mower', mower);
    assert.deepEqual(
      (await reload()).agents.map(({ file }) => file),
      ['mower.agent.json'],
    );
    assert.deepEqual(called((await asked('mow the front lawn')).moot), [['MowLawn', { area: 'front' }]]);
    await put('mower', { ...mower, description: 'Cuts grass.', name: 'Grass Cutter' });
    const [team] = await withBackbone((backbone) => [...agentFoldersOf(backbone)]);
    const names = () => team?.state.agents.map(({ definition }) => definition.name).join();
    await until(() => (void clock().advance(200), names() === 'Grass Cutter'));
    assert.equal((await asked('mow the back lawn')).moot?.plan?.steps[0]?.agent, 'grass-cutter');
  });

  it('passes over what is no agent, and says so once', async () => {
    await put('mower', mower);
    await put('waste', { agentName: 'Waste', description: '', acceptedFunctionCategories: [] });
    await put('torn', '{');
    await start(flow([lights]));
    assert.deepEqual(called((await asked('mow the front lawn')).moot), [['MowLawn', { area: 'front' }]]);
    const expected = [
      /^torn\.agent\.json: The agent can’t be read: it is no JSON\.$/,
      /^waste\.agent\.json: .*functionCategoriesAllowedToGenerate is missing/,
    ];
    for (const problems of [told(), (await list()).problems]) {
      assert.equal(problems.length, 2);
      expected.forEach((words, at) => assert.match(problems[at] ?? '', words));
    }
    await reload();
    await put('waste', { v: 1, name: 'Waste' });
    await reload();
    assert.equal(told().length, 2, 'once, as long as it lasts');
    assert.equal((await list()).problems.length, 1);
    await put('waste', '[');
    await reload();
    assert.equal(told().length, 3);
  });

  it('asks the one on a wire where both have a name, and says so once', async () => {
    await put('lights', { v: 1, name: 'Lights', agentId: 'lights', generates: ['MowLawn'] });
    await start(flow([lights]));
    assert.deepEqual(called((await asked('turn the hall light on')).moot), [
      ['SetLight', { room: 'hall', state: 'on' }],
    ]);
    assert.deepEqual(called((await asked('mow the front lawn')).moot), []);
    assert.deepEqual(told().length, 1);
    assert.match(told()[0] ?? '', /^lights\.agent\.json: "lights" is on a wire already/);
    assert.deepEqual((await list()).problems, told());
  });

  for (const language of ['lang', ''])
    it(`gives them new functions when ${language ? 'its' : 'a'} language is deployed anew`, async () => {
      await put('gate', { v: 1, name: 'Gate Keeper', generates: ['OpenGate'] });
      await start(flow([lights], { language }));
      await asked('turn the hall light on');
      assert.match((await list()).problems.join(), /there is no function "OpenGate"/);
      const gate = { ...functions[1], name: 'OpenGate', description: 'Opens a gate', synonyms: ['open gate'] };
      const [lang, ...rest] = flow([lights], { language });
      assert.ok(lang);
      await deploy([{ ...lang, functions: [...functions, gate] }, ...rest], 'nodes');
      assert.deepEqual(called((await asked('open the front gate')).moot), [['OpenGate', { area: 'front' }]]);
      assert.deepEqual((await list()).problems, []);
    });

  it('lets one of them talk, with the router’s model', async () => {
    await put('talker', { v: 1, name: 'Talker', fallback: true });
    const script = [
      { task: 'plan', answer: { message: '', steps: [{ agent: 'chat', prompt: 'tell a joke' }] } },
      { task: 'generate', answer: { message: 'Two lamps meet.' } },
    ];
    const model = { id: 'words', type: 'folkmoot-model', provider: 'scripted', script };
    await start([model, ...flow([lights], { model: 'words' })]);
    assert.equal((await asked('a joke')).payload, 'Two lamps meet.');
  });

  it('lets them work with GraphQL, and see the data', async () => {
    const schema = `type Creature { name: String! } type Query { creatures: [Creature!]! }
      type Mutation { addCreature(name: String!): Creature  removeAll: Int }`;
    await put('creator', { v: 1, name: 'Creator', generates: ['addCreature'] });
    const server = await startFakeOpenAi({
      answer: ({ tools }) => {
        const plans = tools.some(({ name }) => name === 'make_plan');
        const steps = [{ agent: 'creator', prompt: 'a frog' }];
        const mutations = ['mutation { addCreature(name: "Frog") { name } }'];
        return {
          calls: [
            plans
              ? { name: 'make_plan', args: { message: 'So be it.', steps } }
              : { name: 'generate_graphql', args: { mutations } },
          ],
        };
      },
    });
    const [, ...rest] = flow([], { model: 'ai' });
    await start([
      { id: 'lang', type: 'folkmoot-language', kind: 'graphql', schema },
      { id: 'ai', type: 'folkmoot-model', provider: 'openai-compatible', baseUrl: server.url, modelName: 'fake' },
      ...rest,
    ]);
    const result = nextAt('result');
    say('a frog', { moot: { v: 1, data: { creatures: [{ name: 'Wolf' }] } } });
    const [made] = (await result).moot?.mutations ?? [];
    await server.close();
    assert.match(made?.graphql ?? '', /addCreature\(name: "Frog"\)/);
    assert.match(server.requests.at(-1)?.text ?? '', /"Wolf"/);
    assert.doesNotMatch(server.requests.at(-1)?.text ?? '', /removeAll/);
  });

  it('has no folder any more when it is gone', async () => {
    await put('mower', mower);
    await start(flow([lights]));
    await asked('mow the front lawn');
    await deploy(flow([lights], { agentsFolder: '' }), 'nodes');
    assert.deepEqual(called((await asked('mow the front lawn')).moot), []);
    assert.equal((await withBackbone(agentFoldersOf)).size, 0);
  });
});
