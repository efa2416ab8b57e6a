import assert from 'node:assert/strict';
import { callsBody, emptyBoard, planBody, poolKeeper, poolScript, weatherman } from '../../test/http/pool.ts';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import { fakeClock } from '../clock.ts';
import { createModel } from '../model/catalogue.ts';
import { plannerOf } from '../router/plan.ts';
import type { CallsBody, ForeignPlan } from './bodies.ts';
import { generateFunctionCalls } from './generate-function-calls.ts';
import { generatePlan } from './generate-plan.ts';
import type { Proposer } from './proposer.ts';

function proposer(more: Partial<Proposer> = {}) {
  const model = createModel({ provider: 'scripted', script: poolScript });
  const planned: string[] = [];
  const plan = plannerOf(model);
  const made: Proposer = {
    call: (one) => (planned.push(one.data.request), plan(one)),
    model: () => model,
    clock: fakeClock(),
    ...{ stepDeadlineMs: 60_000, deadlineMs: 300_000, signal: new AbortController().signal },
    ...more,
  };
  return { made, planned };
}
const callsFor = (more: Partial<CallsBody>, how: Partial<Proposer> = {}) =>
  generateFunctionCalls({ ...callsBody, ...more }, proposer(how).made);

const step = (agent_name: string, rewritten_user_prompt: string) => ({
  agent_name,
  rewritten_user_prompt,
  agent_parameters: {},
});
const plan = (...recommended_agents: ForeignPlan['recommended_agents'][number][]): ForeignPlan => ({
  chat_message: 'As planned.',
  recommended_agents,
});
const deepClean = { agent_name: 'Pool Keeper', function_name: 'CleanPool', parameters: { end: 'deep' } };
const warm = { agent_name: 'Weather Man', function_name: 'ReportWeather', parameters: { celsius: '24' } };

describe('generate_plan', () => {
  it('answers with the client’s names, rewritten prompts and parameters', async () => {
    assert.deepEqual(await generatePlan(planBody, proposer().made), {
      chat_message: 'Sure, the deep end will be cleaned.',
      recommended_agents: [
        {
          agent_name: 'Pool Keeper',
          rewritten_user_prompt: 'clean the deep end',
          agent_parameters: { 'pool-side': ['deep'] },
        },
      ],
    });
  });

  it('lets the planner see messages and the plan that shall be changed', async () => {
    let seen: unknown;
    const call: Proposer['call'] = ({ data }) => {
      seen = [data.history, data.previous];
      return plannerOf(createModel({ provider: 'scripted', script: poolScript }))({ data } as never);
    };
    const body = {
      ...planBody,
      previous_plan: plan(step('Pool Keeper', 'heat it')),
      messages: [{ role: 'user' as const, message: 'heat the pool' }],
    };
    await generatePlan(body, proposer({ call }).made);
    assert.deepEqual(seen, [
      [{ role: 'user', text: 'heat the pool' }],
      { message: 'As planned.', steps: [{ agent: 'pool-keeper', prompt: 'heat it', parameters: {} }] },
    ]);
  });

  it('plans without a model by descriptions and topics too, for a client sends no functions', async () => {
    const call = plannerOf(createModel({ provider: 'rules' }));
    const planned = async (user_prompt: string, how: Partial<Proposer> = { call, plansByRules: true }) => {
      const made = await generatePlan({ ...planBody, user_prompt }, proposer(how).made);
      return made.recommended_agents.map(({ agent_name: name, rewritten_user_prompt: words }) => `${name}: ${words}`);
    };
    assert.deepEqual(await planned('clean the pool please'), ['Pool Keeper: clean the pool please']);
    assert.deepEqual(await planned('how is the weather'), ['Weather Man: how is the weather']);
    assert.deepEqual(await planned('order a pizza'), []);
    assert.deepEqual(await planned('clean the pool please', { call }), []);
  });

  it('recommends nobody when there is only talk', async () => {
    const made = await generatePlan({ ...planBody, user_prompt: 'hello' }, proposer().made);
    assert.deepEqual(made, { chat_message: 'Hello!', recommended_agents: [] });
  });

  it('fails without agents, and when planning fails', async () => {
    const body = { ...planBody, agent_descriptions: [] };
    await assert.rejects(generatePlan(body, proposer().made), { code: 'FOLKMOOT_NO_AGENTS' });
    const call = () => Promise.reject(new Error('no model'));
    await assert.rejects(generatePlan(planBody, proposer({ call }).made), /no model/);
  });
});

describe('generate_function_calls', () => {
  it('plans, lets agents generate, and puts calls and words into both lists, values as text', async () => {
    const { board, failedSteps } = await callsFor({ user_prompt: 'how is the weather, and clean the deep end' });
    assert.deepEqual(board, {
      format: 'function_call',
      internal_previously_generated_functions: [warm, deepClean],
      internal_previous_messages: [
        { role: 'user', message: 'how is the weather, and clean the deep end' },
        { role: 'assistant', message: 'Let us see.' },
        { role: 'assistant', message: 'Warm.' },
        { role: 'assistant', message: 'I clean it.' },
      ],
      internal_newly_generated_messages: [
        { role: 'assistant', message: 'Let us see.' },
        { role: 'assistant', message: 'Warm.' },
        { role: 'assistant', message: 'I clean it.' },
      ],
      internal_newly_generated_functions: [warm, deepClean],
    });
    assert.deepEqual(failedSteps, []);
  });

  it('uses a plan for an empty prompt or "proceed", and throws it away for any other', async () => {
    for (const [prompt, calls, planned] of [
      ['', [warm], 0],
      [' proceed ', [warm], 0],
      ['Proceed', [deepClean], 1],
    ] as const) {
      const { made, planned: asked } = proposer();
      const body = { ...callsBody, user_prompt: prompt, execution_plan: plan(step('Weather Man', 'tell the weather')) };
      const { board } = await generateFunctionCalls(body, made);
      assert.deepEqual(board.internal_newly_generated_functions, calls);
      assert.equal(asked.length, planned);
      assert.deepEqual(board.internal_previous_messages[0], { role: 'user', message: prompt });
    }
  });

  it('keeps nothing between two requests: the board that comes in is the board that goes on, on whatever server', async () => {
    const first = await callsFor({});
    const second = await callsFor({ user_prompt: 'how is the weather', blackboard: first.board });
    const { board } = second;
    assert.deepEqual(board.internal_previously_generated_functions, [deepClean, warm, deepClean]);
    assert.deepEqual(board.internal_newly_generated_functions, [warm, deepClean]);
    assert.equal(board.internal_newly_generated_messages.length, 3);
    assert.equal(board.internal_previous_messages.length, 3 + 4);
    assert.deepEqual((await callsFor({ user_prompt: 'how is the weather', blackboard: first.board })).board, board);
  });

  it('shows an agent what it accepts of the board, typed, and nothing else', async () => {
    let seen = '';
    const server = await startFakeOpenAi({ answer: ({ text }) => ((seen = text), { text: 'Nothing to do.' }) });
    const model = createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'small' });
    const other = { agent_name: 'Else', function_name: 'Whatever', parameters: { x: '<UNKNOWN>' } };
    const blackboard = { ...emptyBoard, internal_previously_generated_functions: [warm, other] };
    const body = { blackboard, execution_plan: plan(step('Pool Keeper', 'clean it')), user_prompt: '' };
    await callsFor(body, { model: () => model });
    await server.close();
    assert.match(seen, /On the board, oldest first:\n- ReportWeather \{"celsius":24\}\n\n/);
    assert.doesNotMatch(seen, /Whatever/);
  });

  it('tells of a step that fails on the board and by name, and goes on', async () => {
    const steps = [step('Pool Keeper', 'drain it'), step('Nobody', 'x'), step('Weather Man', 'tell the weather')];
    const { board, failedSteps, notes } = await callsFor({ user_prompt: '', execution_plan: plan(...steps) });
    assert.deepEqual(failedSteps, ['Pool Keeper', 'Nobody']);
    assert.match(notes.join('\n'), /"Pool Keeper" did not work out: refused\.\n.*"Nobody" .* failed/);
    assert.deepEqual(board.internal_newly_generated_functions, [warm]);
    assert.equal(board.internal_newly_generated_messages.length, 3);
    for (const { role, message } of board.internal_newly_generated_messages) assert.ok(role === 'assistant' && message);
  });

  it('answers with the board also when planning failed', async () => {
    const call = () => Promise.reject(new Error('no model'));
    const { board, failedSteps, notes } = await callsFor({}, { call });
    assert.deepEqual(failedSteps, ['plan']);
    assert.match(notes.join(), /no model/);
    assert.deepEqual(board.internal_newly_generated_functions, []);
    assert.equal(board.internal_previous_messages.length, 2);
  });

  it('skips the chat step, asks the first of two agents with one name, and runs one agent twice', async () => {
    const twin = { ...weatherman, agent_name: 'Pool Keeper' };
    const steps = [step('chat', 'talk'), step('Pool Keeper', 'clean it'), step('Pool Keeper', 'clean it again')];
    const body = { agent_definitions: [poolKeeper, twin], user_prompt: 'proceed', execution_plan: plan(...steps) };
    const { board, failedSteps, notes } = await callsFor(body);
    assert.deepEqual(board.internal_newly_generated_functions, [deepClean, deepClean]);
    assert.deepEqual(failedSteps, []);
    assert.deepEqual(notes, ['More than one agent is called "Pool Keeper"; the first one is asked.']);
  });

  it('leaves functions out that break our rules, and notes it', async () => {
    const strange = { function_name: 'Clean the pool', description: '', parameters: [] };
    const agent = {
      ...poolKeeper,
      functions_allowed_to_generate: [...poolKeeper.functions_allowed_to_generate, strange],
    };
    const { board, notes } = await callsFor({ agent_definitions: [agent] });
    assert.deepEqual(board.internal_newly_generated_functions, [deepClean]);
    assert.match(notes.join(), /Clean the pool/);
  });

  it('fails without agents', async () => {
    await assert.rejects(callsFor({ agent_definitions: [] }), { code: 'FOLKMOOT_NO_AGENTS' });
  });
});
