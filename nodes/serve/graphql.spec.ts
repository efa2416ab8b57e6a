/** `POST generate_graphql` of a serve node with a router behind it. */
import assert from 'node:assert/strict';
import type { ForeignGraphqlBoard, GraphqlBody } from '../../engine/http/bodies.ts';
import { load, onTab, startServer, stopServer, unload } from '../../test/red/red.ts';
import { anHttpServer, ask, ends, good, model, modules, router, serve } from '../../test/red/serve-flow.ts';

const schema =
  'type Pump { name: String! } type Query { pumps: [Pump!]! } type Mutation { addPump(name: String!): Pump }';
const body: GraphqlBody = {
  agent_definitions: [
    {
      ...{ agent_name: 'Fitter', description: 'Adds pumps', topics: ['pump'] },
      ...{ accepted_graphql_schemas: [schema], mutations_allowed_to_generate: [schema] },
    },
  ],
  chat_agent_description: 'Chats about pools',
  user_prompt: 'add a pump',
};
const script = [
  { task: 'plan', answer: { message: 'A pump.', steps: [{ agent: 'Fitter', prompt: 'add a pump' }] } },
  {
    task: 'generate',
    condition: '$contains(data, "P1")',
    answer: { mutations: ['mutation { addPump(name: "P2") { name } }'] },
  },
  { task: 'generate', answer: { mutations: ['mutation { addPump(name: "P1") { name } }'] } },
];
const path = '/folkmoot/generate_graphql';
const callsOf = ({ internal_previously_generated_mutation_calls: calls }: ForeignGraphqlBoard) =>
  calls.map((text) => text.replace(/\s+/g, ' '));

describe('a serve node, asked for GraphQL', function () {
  this.timeout(20_000);
  before(startServer);
  after(stopServer);
  beforeEach(() => load(modules, [model({ script }), ...onTab([serve(), router(), ...ends])]));
  afterEach(unload);
  anHttpServer();

  it('answers with a board of mutations, made with the data of the request', async () => {
    const first = await good<ForeignGraphqlBoard>(path, body);
    assert.deepEqual([first.format, callsOf(first)], ['graphql', ['mutation { addPump(name: "P1") { name } }']]);
    const internal_user_data = '{"pumps": [{"name": "P1"}]}';
    const second = await good<ForeignGraphqlBoard>(path, { ...body, blackboard: { ...first, internal_user_data } });
    assert.deepEqual(callsOf(second), ['mutation { addPump(name: "P2") { name } }']);
    assert.equal(second.internal_user_data, internal_user_data);
    assert.ok(second.internal_previous_messages.length > first.internal_previous_messages.length);
  });

  it('refuses data that does not fit the schemas with 422 and the path', async () => {
    const { status, body: refused } = await ask(path, {
      ...body,
      blackboard: { internal_user_data: '{"pumps": [{}]}' },
    });
    const [detail] = (refused as { detail: { loc: string[]; msg: string }[] }).detail;
    assert.equal(status, 422);
    assert.deepEqual(detail?.loc, ['body', 'blackboard', 'internal_user_data']);
    assert.match(detail.msg, /pumps\.0\.name is missing/);
  });

  it('goes on where a session left off', async () => {
    const internal_user_data = '{"pumps": [{"name": "P1"}]}';
    const begun = await ask(
      path,
      { ...body, blackboard: { internal_user_data } },
      { headers: { 'x-folkmoot-session': 'new' } },
    );
    const session = begun.headers.get('x-folkmoot-session') ?? '';
    const next = await good<ForeignGraphqlBoard>(path, body, { headers: { 'x-folkmoot-session': session } });
    assert.equal(next.internal_user_data, internal_user_data);
    assert.deepEqual(callsOf(next), ['mutation { addPump(name: "P2") { name } }']);
  });
});
