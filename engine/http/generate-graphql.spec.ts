import assert from 'node:assert/strict';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import { fakeClock } from '../clock.ts';
import { createModel } from '../model/catalogue.ts';
import type { ScriptLine } from '../model/model.ts';
import { plannerOf } from '../router/plan.ts';
import type { GraphqlBody } from './bodies.ts';
import { generateGraphql } from './generate-graphql.ts';
import { detailOfBody, failedBody } from './proposal.ts';
import type { Proposer } from './proposer.ts';

const pumps = `
  type Pump { name: String! }
  type Query { pumps: [Pump!]! }
  type Mutation { addPump(name: String!, depth: Int): Pump  drain(pump: String!): Int }`;
const valves = 'type Mutation { addValve(pump: String!): Int }';
const agents: GraphqlBody['agent_definitions'] = [
  {
    agent_name: 'Pump Fitter',
    description: 'Adds pumps',
    accepted_graphql_schemas: [],
    mutations_allowed_to_generate: [pumps],
    topics: ['pump'],
    agent_parameters: { 'pool-side': [] },
  },
  {
    agent_name: 'Valve Fitter',
    description: 'Adds valves',
    accepted_graphql_schemas: [pumps],
    mutations_allowed_to_generate: [valves],
    topics: ['valve'],
  },
];
const body: GraphqlBody = {
  agent_definitions: agents,
  chat_agent_description: 'Chats',
  user_prompt: 'a pump, a valve',
};
const step = (agent: string, prompt: string) => ({ agent, prompt });
const p1 = 'mutation { addPump(name: "P1") { name } }';
const script: readonly ScriptLine[] = [
  {
    task: 'plan',
    answer: { message: 'I fit both.', steps: [step('Pump Fitter', 'a pump'), step('Valve Fitter', 'a valve')] },
  },
  { task: 'generate', when: 'a pump', answer: { message: 'A pump.', mutations: [p1] } },
  {
    task: 'generate',
    when: 'a valve',
    answer: { message: 'A valve.', mutations: ['mutation { addValve(pump: "P1") }'] },
  },
  { task: 'generate', when: 'nonsense', answer: { mutations: ['mutation { addPump(depth: "deep") { name } }'] } },
];
function proposer(more: Partial<Proposer> = {}): Proposer {
  const model = createModel({ provider: 'scripted', script });
  return {
    ...{ call: plannerOf(model), model: () => model, clock: fakeClock() },
    ...{ stepDeadlineMs: 60_000, deadlineMs: 300_000, signal: new AbortController().signal },
    ...more,
  };
}
const generate = (given: Partial<GraphqlBody> = {}, how: Partial<Proposer> = {}) =>
  generateGraphql({ ...body, ...given }, proposer(how));
const lines = (texts: readonly string[]) => texts.map((text) => text.replace(/\s+/g, ' '));
const said = (...messages: string[]) => messages.map((message) => ({ role: 'assistant' as const, message }));
const plan = (...steps: [string, string][]) => ({
  chat_message: 'As planned.',
  recommended_agents: steps.map(([agent_name, rewritten_user_prompt]) => ({
    ...{ agent_name, rewritten_user_prompt },
    agent_parameters: {},
  })),
});

describe('generate_graphql', () => {
  it('plans, lets agents write mutations of their schemas, and gives the board with the data as it came', async () => {
    const blackboard = { internal_user_data: '{"pumps": []}' };
    const { board, failedSteps, notes } = await generate({ blackboard });
    const messages = said('I fit both.', 'A pump.', 'A valve.');
    assert.deepEqual(
      { ...board, internal_previously_generated_mutation_calls: [] },
      {
        format: 'graphql',
        internal_previously_generated_mutation_calls: [],
        internal_previous_messages: [{ role: 'user', message: 'a pump, a valve' }, ...messages],
        internal_newly_generated_messages: messages,
        internal_user_data: '{"pumps": []}',
      },
    );
    assert.deepEqual(lines(board.internal_previously_generated_mutation_calls), [
      'mutation { addPump(name: "P1") { name } }',
      'mutation { addValve(pump: "P1") }',
    ]);
    assert.deepEqual([failedSteps, notes], [[], []]);
  });

  it('keeps this generation’s mutations only, and all that was said', async () => {
    const first = (await generate()).board;
    const { board } = await generate({
      ...{ blackboard: first, user_prompt: 'proceed', execution_plan: plan(['Pump Fitter', 'a pump']) },
    });
    assert.deepEqual(lines(board.internal_previously_generated_mutation_calls), [p1]);
    assert.equal(board.internal_previous_messages.length, first.internal_previous_messages.length + 2);
    assert.deepEqual(board.internal_newly_generated_messages, said('A pump.'));
  });

  it('shows an agent the data, what it accepts of earlier steps, and its own schemas', async () => {
    const seen: string[] = [];
    const server = await startFakeOpenAi({
      answer: ({ text }) => {
        seen.push(text);
        const mutations = text.includes('You are Pump Fitter') ? [p1] : [];
        return { calls: [{ name: 'generate_graphql', args: { mutations } }] };
      },
    });
    const model = createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'small' });
    const steps = plan(['Pump Fitter', 'a pump'], ['Valve Fitter', 'a valve']);
    const blackboard = { internal_user_data: 'three pools' };
    await generate({ blackboard, user_prompt: '', execution_plan: steps }, { model: () => model });
    await server.close();
    assert.equal(seen.length, 2);
    assert.match(seen[1] ?? '', /addPump \{"name":"P1"\}[^]*Application data:\nthree pools/);
    assert.match(seen[1] ?? '', /You may use addValve\./);
    assert.doesNotMatch(seen[0] ?? '', /addValve/);
  });

  it('tells of a step whose mutations the schema does not allow, and goes on', async () => {
    const steps = plan(['Pump Fitter', 'nonsense'], ['Valve Fitter', 'a valve']);
    const { board, failedSteps } = await generate({ user_prompt: '', execution_plan: steps });
    assert.deepEqual(failedSteps, ['Pump Fitter']);
    assert.deepEqual(lines(board.internal_previously_generated_mutation_calls), ['mutation { addValve(pump: "P1") }']);
    assert.equal(board.internal_newly_generated_messages.length, 2);
  });

  it('leaves schemas out that can’t be read, notes it, and fails without agents', async () => {
    const [fitter, ...others] = agents;
    assert.ok(fitter);
    const broken = { ...fitter, mutations_allowed_to_generate: [pumps, 'type Mutation {'] };
    const { board, notes } = await generate({ agent_definitions: [broken, ...others] });
    assert.equal(board.internal_previously_generated_mutation_calls.length, 2);
    assert.match(notes.join(), /Syntax Error.*line 1/);
    await assert.rejects(async () => generate({ agent_definitions: [] }), { code: 'FOLKMOOT_NO_AGENTS' });
  });

  it('answers with the board also when planning failed', async () => {
    const blackboard = { internal_user_data: 'x', internal_previously_generated_mutation_calls: [p1] };
    const call = () => Promise.reject(new Error('no model'));
    const { board, failedSteps } = await generate({ blackboard }, { call });
    assert.deepEqual(failedSteps, ['plan']);
    assert.deepEqual(failedBody('generate_graphql', { ...body, blackboard }), board);
    assert.deepEqual([board.internal_previously_generated_mutation_calls, board.internal_user_data], [[], 'x']);
  });
});

describe('a body of generate_graphql', () => {
  const detail = (more: object) => detailOfBody('generate_graphql', { ...body, ...more });

  it('passes in the documented form; what may be left out may be null', () => {
    assert.equal(detail({}), undefined);
    assert.equal(detail({ blackboard: null, execution_plan: null }), undefined);
    assert.equal(detail({ blackboard: { internal_user_data: '{"pumps": [{"name": "P1"}]}' } }), undefined);
    assert.equal(detail({ blackboard: { internal_user_data: 'words' } }), undefined);
  });

  it('with data that does not fit the schemas is refused, with the path', () => {
    const [first] = detail({ blackboard: { internal_user_data: '{"pumps": [{"nom": "P1"}]}' } }) ?? [];
    assert.deepEqual(first?.loc, ['body', 'blackboard', 'internal_user_data']);
    assert.match(first.msg, /pumps\.0\.nom is no field of Pump/);
    assert.equal(first.type, 'value_error');
    assert.match(detail({ blackboard: { internal_user_data: 'x'.repeat(200_001) } })?.[0]?.msg ?? '', /200000/);
  });

  it('that lacks something or holds too much is told where', () => {
    const locs = (more: object) => detail(more)?.map(({ loc, type }) => [...loc, type].join('.'));
    assert.deepEqual(locs({ agent_definitions: [{}] })?.length, 5);
    assert.deepEqual(locs({ blackboard: { format: 'graphql', extra: 1 } }), ['body.blackboard.extra.extra_forbidden']);
    assert.deepEqual(locs({ user_prompt: 5 }), ['body.user_prompt.string_type']);
  });
});
