/** A pool and a garden as a client of gpt-multi-atomic-agents would send them. */
import type { CallsBody, PlanBody } from '../../engine/http/bodies.ts';
import type { ScriptLine } from '../../engine/model/model.ts';

const cleanPool = {
  function_name: 'CleanPool',
  description: 'Cleans one end',
  parameters: [{ name: 'end', type: 'string' as const, allowed_values: ['deep', 'shallow'] }],
};
const reportWeather = {
  function_name: 'ReportWeather',
  description: 'States the weather',
  parameters: [{ name: 'celsius', type: 'int' as const, allowed_values: [] }],
};

export const poolKeeper = {
  agent_name: 'Pool Keeper',
  description: 'Cleans and heats the pool',
  accepted_functions: [cleanPool, reportWeather],
  functions_allowed_to_generate: [cleanPool],
  topics: ['pool', 'water'],
  agent_parameters: { 'pool-side': [] },
};
export const weatherman = {
  agent_name: 'Weather Man',
  description: 'Tells the weather',
  accepted_functions: [],
  functions_allowed_to_generate: [reportWeather],
  topics: ['weather'],
};

export const planBody: PlanBody = {
  agent_descriptions: [
    {
      agent_name: 'Pool Keeper',
      description: 'Cleans and heats the pool',
      topics: ['pool', 'water'],
      agent_parameter_names: ['pool-side'],
    },
    { agent_name: 'Weather Man', description: 'Tells the weather', topics: ['weather'], agent_parameter_names: [] },
  ],
  chat_agent_description: 'Chats about pools',
  user_prompt: 'clean the deep end',
};

export const callsBody: CallsBody = {
  agent_definitions: [poolKeeper, weatherman],
  chat_agent_description: 'Chats about pools',
  user_prompt: 'clean the deep end',
};

export const emptyBoard = {
  format: 'function_call',
  internal_previously_generated_functions: [],
  internal_previous_messages: [],
  internal_newly_generated_messages: [],
  internal_newly_generated_functions: [],
} as const;

/** Plans and generates what the specs ask for. */
export const poolScript: readonly ScriptLine[] = [
  { task: 'plan', when: 'hello', answer: { message: 'Hello!', steps: [] } },
  {
    task: 'plan',
    when: 'weather',
    answer: {
      message: 'Let us see.',
      steps: [
        { agent: 'Weather Man', prompt: 'tell the weather' },
        { agent: 'Pool Keeper', prompt: 'clean the deep end' },
      ],
    },
  },
  {
    task: 'plan',
    answer: {
      message: 'Sure, the deep end will be cleaned.',
      steps: [{ agent: 'Pool Keeper', prompt: 'clean the deep end', parameters: { 'pool-side': ['deep'] } }],
    },
  },
  {
    task: 'generate',
    when: 'weather',
    answer: { message: 'Warm.', calls: [{ function: 'ReportWeather', parameters: { celsius: 24 } }] },
  },
  {
    task: 'generate',
    when: 'clean',
    answer: { message: 'I clean it.', calls: [{ function: 'CleanPool', parameters: { end: 'deep' } }] },
  },
  {
    task: 'generate',
    when: 'drain',
    answer: { message: '', calls: [{ function: 'DrainPool', parameters: {} }] },
  },
];
