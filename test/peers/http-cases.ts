/** Requests for the Python server and a serve node, and a model for both. */
import type { FakeAnswer, FakeRequest } from '../fake-openai.ts';
import { callsBody, emptyBoard, planBody, weatherman } from '../http/pool.ts';

const step = (agent_name: string, rewritten_user_prompt: string) => ({
  ...{ agent_name, rewritten_user_prompt, agent_parameters: {} },
});
const cleanStep = step('Pool Keeper', 'do-clean');
const weatherStep = step('Weather Man', 'do-weather');
const plans: Readonly<Record<string, readonly ReturnType<typeof step>[]>> = {
  'please-clean': [cleanStep],
  'please-both': [weatherStep, cleanStep],
  'please-chat': [],
  'please-strange': [step('Nobody', 'do-clean'), cleanStep],
};
const calls: Readonly<Record<string, { name: string; args: Record<string, unknown> }>> = {
  'do-clean': { name: 'CleanPool', args: { end: 'deep' } },
  'do-weather': { name: 'ReportWeather', args: { celsius: 24 } },
};
/** Answers either program in the form that it asks for. */
export function answer({ messages, tools }: FakeRequest): FakeAnswer {
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const [tool] = tools.map(({ name }) => name);
  const isPlanner = tool === 'RouterAgentOutputSchema' || tools.some(({ name }) => name === 'make_plan');
  // What is asked now stands behind what was said before.
  const words = isPlanner ? [...Object.keys(plans), 'please-fail'] : [...Object.keys(calls), 'do-fail'];
  const [word = ''] = words
    .filter((one) => asked.includes(one))
    .sort((a, b) => asked.lastIndexOf(b) - asked.lastIndexOf(a));
  if (word.endsWith('-fail')) return { status: 400, text: 'No.' };
  if (tool === 'RouterAgentOutputSchema') {
    const plan = { chat_message: 'Sure.', recommended_agents: plans[word] ?? [] };
    return { calls: [{ name: tool, args: { execution_plan: plan } }] };
  }
  if (isPlanner) {
    const steps = (plans[word] ?? []).map((one) => ({ agent: one.agent_name, prompt: one.rewritten_user_prompt }));
    return { calls: [{ name: 'make_plan', args: { message: 'Sure.', steps } }] };
  }
  const call = calls[word];
  if (tool !== 'FunctionAgentOutputSchema') return { text: 'I do it.', calls: call ? [call] : [] };
  const parameters = Object.fromEntries(Object.entries(call?.args ?? {}).map(([name, value]) => [name, String(value)]));
  const made = call ? [{ agent_name: 'somebody else', function_name: call.name, parameters }] : [];
  return { calls: [{ name: tool, args: { chat_message: 'I do it.', generated_function_calls: made } }] };
}

export interface Case {
  readonly what: string;
  readonly endpoint?: 'generate_plan' | 'generate_function_calls';
  /** Sent as it is when it is a text. */
  readonly body: unknown;
  readonly status: number;
  /** Answers are alike in shape only: ours tells more. */
  readonly tellsMore?: true;
}

const plan = (...recommended_agents: object[]) => ({ chat_message: 'As planned.', recommended_agents });
const ask = (user_prompt: string, more: object = {}) => ({ ...callsBody, user_prompt, ...more });
const board = {
  ...emptyBoard,
  internal_previously_generated_functions: [
    { agent_name: 'A', function_name: 'ReportWeather', parameters: { celsius: '7' } },
  ],
  internal_previous_messages: [
    { role: 'user', message: 'before' },
    { role: 'assistant', message: 'said' },
  ],
  internal_newly_generated_messages: [{ role: 'assistant', message: 'said' }],
};
const messages = [{ role: 'user', message: 'before' }];
export const cases: readonly Case[] = [
  { what: 'a plan', endpoint: 'generate_plan', body: { ...planBody, user_prompt: 'please-both' }, status: 200 },
  {
    what: 'a plan with history',
    endpoint: 'generate_plan',
    body: { ...planBody, user_prompt: 'please-clean', messages, previous_plan: plan(weatherStep) },
    status: 200,
  },
  { what: 'talk', endpoint: 'generate_plan', body: { ...planBody, user_prompt: 'please-chat' }, status: 200 },
  {
    what: 'nulls',
    endpoint: 'generate_plan',
    body: { ...planBody, user_prompt: 'please-clean', messages: null, previous_plan: null },
    status: 200,
  },
  {
    what: 'a model that fails',
    endpoint: 'generate_plan',
    body: { ...planBody, user_prompt: 'please-fail' },
    status: 500,
  },
  { what: 'a field too many', endpoint: 'generate_plan', body: { ...planBody, colour: 1 }, status: 422 },
  { what: 'fields too few', endpoint: 'generate_plan', body: {}, status: 422 },
  { what: 'no JSON', endpoint: 'generate_plan', body: '{', status: 422 },
  { what: 'nothing', endpoint: 'generate_plan', body: '', status: 422 },
  { what: 'a list', endpoint: 'generate_plan', body: [], status: 422 },
  { what: 'calls of two agents', body: ask('please-both'), status: 200 },
  { what: 'a plan that is given', body: ask('', { execution_plan: plan(cleanStep) }), status: 200 },
  {
    what: 'a plan and a board',
    body: ask(' proceed ', { execution_plan: plan(weatherStep, cleanStep), blackboard: board }),
    status: 200,
  },
  { what: 'a plan that is thrown away', body: ask('please-clean', { execution_plan: plan(weatherStep) }), status: 200 },
  {
    what: 'a chat step and a repeated one',
    body: ask('', { execution_plan: plan(step('chat', 'x'), cleanStep, cleanStep) }),
    status: 200,
  },
  {
    what: 'two agents of one name',
    body: ask('please-clean', {
      agent_definitions: [...callsBody.agent_definitions, { ...weatherman, agent_name: 'Pool Keeper' }],
    }),
    status: 200,
  },
  {
    what: 'more in plans than there should be',
    body: ask('', {
      execution_plan: { ...plan({ ...cleanStep, more: 1 }), more: 1 },
      blackboard: { internal_previous_messages: [{ role: 'user', message: 'x' }] },
    }),
    status: 200,
  },
  { what: 'an agent that nobody is', body: ask('please-strange'), status: 200, tellsMore: true },
  {
    what: 'a step that fails',
    body: ask('', { execution_plan: plan(step('Pool Keeper', 'do-fail'), weatherStep) }),
    status: 200,
    tellsMore: true,
  },
  { what: 'a plan that fails', body: ask('please-fail', { blackboard: board }), status: 200, tellsMore: true },
  { what: 'no agents', body: ask('please-clean', { agent_definitions: [] }), status: 500 },
  {
    what: 'a wrong value deep inside',
    body: ask('x', {
      blackboard: {
        ...board,
        internal_previously_generated_functions: [{ agent_name: 'A', function_name: 'F', parameters: { n: 7 } }],
      },
    }),
    status: 422,
  },
  {
    what: 'wrong kinds',
    body: ask('x', {
      agent_definitions: {},
      execution_plan: 7,
      blackboard: { format: 'paper', internal_previous_messages: [{ role: 'system', message: '' }] },
    }),
    status: 422,
  },
];
