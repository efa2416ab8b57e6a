/** A team that works with GraphQL on real wires: schema in, checked mutations out, application data on the board. */
import assert from 'node:assert/strict';
import { aTeamOnWires, agent, called, ends, modules as team, router, say } from '../../test/red/team-flow.ts';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import { arrivals, deploy, load, nextAt, node, onTab, until, type FlowNode } from '../../test/red/red.ts';
import applyNode from '../apply/apply.ts';
import blackboardNode from '../blackboard/blackboard.ts';

const modules = [...team, applyNode, blackboardNode] as never[];
const schema = `
  enum Kind { EATS FEEDS }
  input RelationInput { from: String!, to: String!, kind: Kind! }
  type Creature { name: String!, age: Int }
  type Query { creatures(name: String): [Creature!]! }
  type Mutation {
    addCreature(name: String!, age: Int): Creature @category(name: "creatures")
    addRelation(input: RelationInput!): Creature
    removeAll(sure: Boolean!): Int @critical
  }`;
const wolf = 'mutation { addCreature(name: "Wolf", age: 3) { name } }';
const eats = 'mutation { addRelation(input: { from: "Wolf", to: "Frog", kind: EATS }) { name } }';
const steps = ['creatures', 'relations'].map((name) => ({ agent: name, prompt: `a wolf: ${name}` }));
const script = [
  { task: 'plan', answer: { message: 'A wolf it is.', steps } },
  { task: 'generate', when: 'a wolf: creatures', answer: { mutations: [wolf] } },
  { task: 'generate', when: 'a wolf: relations', answer: { mutations: [eats] } },
];
const language = { id: 'lang', type: 'folkmoot-language', kind: 'graphql', schema };
const world = (model: object = { provider: 'scripted', script }): FlowNode[] => [
  language,
  { id: 'model', type: 'folkmoot-model', ...model },
  ...onTab([
    router(['creatures', 'relations'], { model: 'model', wires: [['board', 'result'], [], [], ['a1', 'a2']] }),
    agent('a1', 'creatures', ['category:creatures'], { model: 'model' }),
    agent('a2', 'relations', ['addRelation'], { model: 'model', accepts: ['addCreature'] }),
    { id: 'board', type: 'folkmoot-blackboard', operation: 'message', language: 'lang', wires: [['apply', 'onboard']] },
    {
      ...{
        id: 'apply',
        type: 'folkmoot-apply',
        language: 'lang',
        outputs: 2,
        rows: [{ kind: 'else', target: '' }],
      },
      wires: [['report'], ['row']],
    },
    { id: 'c', type: 'catch', uncaught: false, wires: [['caught']] },
    ...ends,
    ...['onboard', 'report', 'row'].map((id) => ({ id, type: 'helper', wires: [] })),
  ]),
];
const relation = { from: 'Wolf', to: 'Frog', kind: 'EATS' };
const in1 = { moot: { v: 1, conversation: 'c1' } };
const onBoard = (operation: string, payload?: unknown): void =>
  node('board').receive({ payload, operation, moot: { v: 1, conversation: 'c1' } });

describe('a language of the kind GraphQL', function () {
  this.timeout(20_000);
  const { clock } = aTeamOnWires();

  it('lets a team write mutations, which are checked, put on the board and handed on with values and text', async () => {
    await load(modules, world());
    const rows = arrivals('row');
    const report = nextAt('report');
    const result = nextAt('result');
    say('add a wolf that eats frogs', in1);
    assert.deepEqual(called((await result).moot), [
      ['addCreature', { name: 'Wolf', age: 3 }],
      ['addRelation', { input: { from: 'Wolf', to: 'Frog', kind: 'EATS' } }],
    ]);
    await until(() => rows.length === 2);
    await clock().advance(300);
    assert.match(String((await report).payload), /Wolf/);
    assert.deepEqual(
      rows.map(({ payload, graphql }) => [payload, String(graphql).replace(/\s+/g, ' ')]),
      [
        [{ name: 'Wolf', age: 3 }, 'mutation { addCreature(name: "Wolf", age: 3) { name age } }'],
        [
          { input: { from: 'Wolf', to: 'Frog', kind: 'EATS' } },
          'mutation { addRelation(input: {from: "Wolf", to: "Frog", kind: EATS}) { name age } }',
        ],
      ],
    );
    const exported = nextAt('onboard');
    onBoard('export');
    const { blackboard } = JSON.parse(String((await exported).payload)) as { blackboard: Record<string, unknown[]> };
    assert.deepEqual(blackboard['format'], 'graphql');
    assert.equal(blackboard['internal_previously_generated_mutation_calls']?.length, 2);
  });

  it('hands on no text but that of the checked values, and nothing that the schema does not allow', async () => {
    await load(modules, world());
    const rows = arrivals('row');
    const bad = { id: 'b', function: 'addRelation', parameters: { input: { from: 'W', to: 'F', kind: 'LOVES' } } };
    const forged = { id: 'a', function: 'addCreature', parameters: { name: 'Wolf' }, risk: 'reversible' };
    const text = 'mutation { removeAll(sure: true) }';
    const mutations = [
      { ...forged, graphql: text },
      bad,
      { id: 'c', function: 'removeAll', parameters: { sure: true } },
    ];
    const report = nextAt('report');
    node('apply').receive({ payload: '', moot: { v: 1, mutations } as never });
    await until(() => rows.length === 1);
    await clock().advance(300);
    assert.deepEqual(
      (await report).moot?.report?.map(({ state }) => state),
      ['applied', 'refused', 'refused'],
    );
    assert.deepEqual(
      rows.map(({ graphql }) => String(graphql).replace(/\s+/g, ' ')),
      ['mutation { addCreature(name: "Wolf") { name age } }'],
    );
  });

  it('stands beside languages of functions, with names that differ in case only', async () => {
    const spec = {
      description: 'x',
      category: 'home',
      risk: 'reversible',
      effect: true,
      repeatable: true,
      parameters: [],
    };
    const functions = ['AddCreature', 'MowLawn'].map((name) => ({ ...spec, name }));
    const open = world().map((one) => (one.id === 'apply' ? { ...one, language: '' } : one));
    await load(modules, [{ id: 'other', type: 'folkmoot-language', functions }, ...open]);
    const rows = arrivals('row');
    const call = (name: string, parameters: object) => ({ id: name, function: name, parameters, risk: 'reversible' });
    const mutations = [call('MowLawn', {}), call('AddCreature', {}), call('addRelation', { input: relation })];
    node('apply').receive({ payload: '', moot: { v: 1, mutations } as never });
    await until(() => rows.length === 3);
    assert.deepEqual(
      rows.map(({ graphql }) => typeof graphql),
      ['undefined', 'undefined', 'string'],
    );
    await clock().advance(300);
  });

  it('gives agents what they may know of the schema, and the application data of the board or the message', async () => {
    const seen: string[] = [];
    const server = await startFakeOpenAi({
      answer: ({ text, tools }) => {
        if (tools.some(({ name }) => name === 'make_plan'))
          return { calls: [{ name: 'make_plan', args: { message: 'Yes.', steps: steps.slice(0, 1) } }] };
        seen.push(text);
        return { calls: [{ name: 'generate_graphql', args: { mutations: [wolf] } }] };
      },
    });
    await load(modules, world({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'small' }));
    const data = { creatures: [{ name: 'Owl', age: 7 }] };
    const told = nextAt('onboard');
    onBoard('data', data);
    const { payload, moot } = await told;
    assert.deepEqual([payload, moot?.data, moot?.mutations], [JSON.stringify(data), JSON.stringify(data), []]);
    const ask = async (more: object): Promise<string> => {
      const result = nextAt('result');
      say('add a wolf', more);
      assert.equal((await result).moot?.outcome, 'done');
      return seen.at(-1) ?? '';
    };
    const ofBoard = await ask(in1);
    assert.match(ofBoard, /Application data:\n\{"creatures":\[\{"name":"Owl","age":7\}\]\}/);
    assert.match(ofBoard, /addCreature\(name/);
    assert.doesNotMatch(ofBoard, /RelationInput|removeAll/);
    const other = { creatures: [{ name: 'Frog' }] };
    assert.match(
      await ask({ moot: { v: 1, conversation: 'c1', data: other } }),
      /data:\n\{"creatures":\[\{"name":"Frog"/,
    );
    assert.doesNotMatch(await ask({ moot: { v: 1, conversation: 'c2' } }), /Application data/);
    await server.close();
  });

  it('refuses data that does not fit the schema, with the path, on the board and with a request', async () => {
    await load(modules, world());
    const wrong = { creatures: [{ name: 'Owl', age: 'old' }] };
    const caught = nextAt('caught');
    onBoard('data', wrong);
    const { code, message } = (await caught).error as { code: string; message: string };
    assert.equal(code, 'FOLKMOOT_BAD_INPUT');
    assert.match(message, /creatures\.0\.age is “old”, not of type Int/);
    const result = nextAt('result');
    say('add a wolf', { moot: { v: 1, conversation: 'c1', data: wrong } });
    const refused = await result;
    assert.deepEqual([refused.moot?.outcome, refused.moot?.mutations], ['refused', []]);
    assert.match(String(refused.payload), /creatures\.0\.age/);
  });

  it('with a faulty schema is told with the line to whoever uses it, and works again when it is mended', async () => {
    const faulty = { ...language, schema: 'type Mutation {\n  add(name: Strong): Int\n}' };
    const [, ...others] = world();
    await load(modules, [faulty, ...others]);
    const caught = nextAt('caught');
    onBoard('read');
    assert.equal(((await caught).error as { code: string }).code, 'FOLKMOOT_MISSING_CONFIG');
    await deploy([language, ...others], 'nodes');
    const read = nextAt('onboard');
    onBoard('read');
    assert.deepEqual((await read).payload, []);
  });
});
