/** Planning served over HTTP by a real Node-RED. */
import assert from 'node:assert/strict';
import { callsBody, emptyBoard, planBody } from '../../test/http/pool.ts';
import { onFakeTime } from '../../test/red/fake-time.ts';
import { arrivals, deploy, load, settle } from '../../test/red/red.ts';
import { anHttpServer, ask, flow, good, model, modules, pool, router, serve } from '../../test/red/serve-flow.ts';
import type { ForeignBoard, ForeignPlan } from '../../engine/http/bodies.ts';

const deepClean = { agent_name: 'Pool Keeper', function_name: 'CleanPool', parameters: { end: 'deep' } };

describe('a serve node', () => {
  onFakeTime();
  anHttpServer();

  it('makes plans and function calls with the model of the router that is wired to it', async () => {
    await load(modules, pool());
    const plan = await good<ForeignPlan>('/folkmoot/generate_plan', planBody);
    assert.deepEqual(plan.recommended_agents, [
      {
        agent_name: 'Pool Keeper',
        rewritten_user_prompt: 'clean the deep end',
        agent_parameters: { 'pool-side': ['deep'] },
      },
    ]);
    const going = { ...callsBody, user_prompt: '', execution_plan: plan };
    const board = await good<ForeignBoard>('/folkmoot/generate_function_calls', going);
    assert.deepEqual(board.internal_newly_generated_functions, [deepClean]);
  });

  it('plans with the model that the router plans with', async () => {
    const script = [{ task: 'plan', answer: { message: 'Planned by another.', steps: [] } }];
    const other = { ...model({ script }), id: 'other' };
    await load(modules, [other, ...flow(serve(), router({ planModel: 'other' }))]);
    const plan = await good<ForeignPlan>('/folkmoot/generate_plan', planBody);
    assert.equal(plan.chat_message, 'Planned by another.');
  });

  it('tells how long it took, and of a step that failed in a header only', async () => {
    await load(modules, pool());
    const steps = ['Pool Keeper', 'Nöbody, really'].map((agent_name) => ({
      ...{ agent_name, rewritten_user_prompt: 'drain it', agent_parameters: {} },
    }));
    const execution_plan = { chat_message: '', recommended_agents: steps };
    const { status, headers, body } = await ask('/folkmoot/generate_function_calls', {
      ...callsBody,
      ...{ user_prompt: 'proceed', execution_plan },
    });
    assert.equal(status, 200);
    assert.match(headers.get('x-process-time') ?? '', /^[\d.]+$/);
    assert.equal(headers.get('x-folkmoot-failed-steps'), 'Pool Keeper, N%C3%B6body%2C really');
    assert.deepEqual(Object.keys(body as object).sort(), Object.keys(emptyBoard).sort());
    assert.equal((body as ForeignBoard).internal_newly_generated_messages.length, 2);
  });

  it('lets nothing leave by the router’s own outputs, and tells by its events what it was asked', async () => {
    await load(modules, pool());
    const other = ['result', 'fallback', 'told'].map(arrivals);
    const events = arrivals('events');
    await good('/folkmoot/generate_function_calls', callsBody);
    await settle();
    assert.deepEqual(other.flat(), []);
    assert.deepEqual(
      events.map(({ topic }) => topic),
      ['started', 'ended'],
    );
    assert.equal(events[0]?.moot?.request?.via, 'http');
  });

  it('passes what is asked through the nodes on its wire, which may change the words', async () => {
    const change = { id: 'fn', type: 'function', func: "msg.payload = 'hello'; return msg;", outputs: 1 };
    await load(modules, flow(serve({}, ['fn']), { ...change, wires: [['router']] }, router()));
    const plan = await good<ForeignPlan>('/folkmoot/generate_plan', planBody);
    assert.deepEqual(plan, { chat_message: 'Hello!', recommended_agents: [] });
  });

  it('asks an agent where no router is wired, and says so when nobody is', async () => {
    const agent = { id: 'agent', type: 'folkmoot-agent', name: 'helper', model: 'model', wires: [[], [], [], []] };
    await load(modules, flow(serve({}, ['agent']), agent));
    assert.ok(await good('/folkmoot/generate_plan', planBody));
    await deploy(flow(serve({}, [])), 'full');
    const { status, body } = await ask('/folkmoot/generate_plan', planBody);
    assert.equal(status, 503);
    assert.match((body as { detail: string }).detail, /Nobody is wired/);
  });

  it('answers as that server does what it can’t work with', async () => {
    await load(modules, pool());
    const path = '/folkmoot/generate_plan';
    const told = async (body: unknown, sent = {}) => {
      const answered = await ask(path, body, sent);
      const { detail } = answered.body as { detail: readonly { loc: unknown; type: string }[] };
      return [answered.status, ...detail.map(({ loc, type }) => `${(loc as unknown[]).join('.')} ${type}`)];
    };
    assert.deepEqual(await told({ ...planBody, user_prompt: undefined }), [422, 'body.user_prompt missing']);
    assert.deepEqual(await told({ ...planBody, colour: 1 }), [422, 'body.colour extra_forbidden']);
    assert.deepEqual(await told('{'), [422, 'body.1 json_invalid']);
    assert.deepEqual(await told(undefined), [422, 'body missing']);
    assert.deepEqual(await told('null'), [422, 'body missing']);
    assert.deepEqual(await told([]), [422, 'body model_attributes_type']);
    const plain = { headers: { 'content-type': 'text/plain' } };
    assert.deepEqual(await told(JSON.stringify(planBody), plain), [422, 'body model_attributes_type']);
    const deep = `{"user_prompt":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    assert.deepEqual(await told(deep), [422, 'body.0 json_invalid']);
    const { status, headers, body } = await ask(path, undefined, { method: 'GET' });
    assert.deepEqual([status, headers.get('allow'), body], [405, 'POST', { detail: 'Method Not Allowed' }]);
  });

  it('fails with 500 when there are no agents, and when planning fails in generate_plan', async () => {
    await load(modules, pool());
    assert.equal((await ask('/folkmoot/generate_plan', { ...planBody, agent_descriptions: [] })).status, 500);
    const none = await ask('/folkmoot/generate_function_calls', { ...callsBody, agent_definitions: [] });
    assert.deepEqual([none.status, none.body], [500, 'Internal Server Error']);
    const model = { id: 'model', type: 'folkmoot-model', provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9' };
    await deploy([model, ...pool().slice(1)], 'full');
    assert.equal((await ask('/folkmoot/generate_plan', planBody)).status, 500);
    const swallowed = await ask('/folkmoot/generate_function_calls', callsBody);
    assert.equal(swallowed.status, 200);
    assert.equal(swallowed.headers.get('x-folkmoot-failed-steps'), 'plan');
  });

  it('makes mutations for agents that bring schemas, remembers their board, and refuses data that fits no schema', async () => {
    const pumps =
      'type Pump { name: String! } type Query { pumps: [Pump!]! } type Mutation { addPump(name: String!): Pump }';
    const fitter = {
      ...{ agent_name: 'Pool Keeper', description: 'Adds pumps', topics: ['pump'], accepted_graphql_schemas: [] },
      mutations_allowed_to_generate: [pumps],
    };
    const script = [
      { task: 'plan', answer: { message: 'I add it.', steps: [{ agent: 'Pool Keeper', prompt: 'a pump' }] } },
      { task: 'generate', answer: { message: 'Added.', mutations: ['mutation { addPump(name: "P1") { name } }'] } },
    ];
    await load(modules, [model({ script }), ...pool().slice(1)]);
    const asking = { agent_definitions: [fitter], chat_agent_description: 'Pumps', user_prompt: 'add a pump' };
    const send = (blackboard: object | null, session: string) =>
      ask('/folkmoot/generate_graphql', { ...asking, blackboard }, { headers: { 'x-folkmoot-session': session } });
    const first = await send({ internal_user_data: '{"pumps":[]}' }, 'new');
    const board = first.body as GraphqlBoard;
    assert.deepEqual([first.status, board.format, board.internal_user_data], [200, 'graphql', '{"pumps":[]}']);
    assert.match(board.internal_previously_generated_mutation_calls.join(), /addPump\(name: "P1"\)/);
    const second = (await send(null, first.headers.get('x-folkmoot-session') ?? '')).body as GraphqlBoard;
    assert.equal(second.internal_user_data, '{"pumps":[]}');
    assert.equal(second.internal_previous_messages.length, 6);
    const { status, body } = await send({ internal_user_data: '{"pumps":[{}]}' }, 'new');
    assert.equal(status, 422);
    const [detail] = (body as { detail: { loc: string[]; msg: string }[] }).detail;
    assert.deepEqual(detail?.loc, ['body', 'blackboard', 'internal_user_data']);
    assert.match(detail.msg, /pumps\.0\.name is missing/);
  });

  it('may have any path, and leaves others to Node-RED', async () => {
    await load(modules, pool({ path: '/' }));
    assert.ok(await good('/generate_plan', planBody));
    assert.equal((await ask('/folkmoot/generate_plan', planBody)).status, 404);
    assert.equal((await ask('/generate_nothing', planBody)).status, 404);
    await deploy(pool({ path: 'a/b/' }), 'nodes');
    assert.ok(await good('/a/b/generate_plan', planBody));
    assert.equal((await ask('/generate_plan', planBody)).status, 404);
  });
});

interface GraphqlBoard {
  readonly format: string;
  readonly internal_previously_generated_mutation_calls: readonly string[];
  readonly internal_previous_messages: readonly unknown[];
  readonly internal_user_data: string;
}
