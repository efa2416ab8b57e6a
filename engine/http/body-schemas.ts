/**
 * JSON Schemas of request bodies. As there, unknown fields are refused in requests, agents and boards, and passed over in
 * plans, functions, calls, parameters, messages and descriptions (seed-contracts.md B3).
 */
const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const textsByName = { type: 'object', additionalProperties: texts } as const;
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });

const object = (required: readonly string[], properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  required,
  properties,
});

const closed = (required: readonly string[], properties: Readonly<Record<string, object>>) => ({
  ...object(required, properties),
  additionalProperties: false,
});

const list = (items: object) => ({ type: 'array', items });

export const messageSchema = object(['role', 'message'], { role: { enum: ['user', 'assistant'] }, message: text });

export const planSchema = object(['chat_message', 'recommended_agents'], {
  chat_message: text,
  recommended_agents: list(
    object(['agent_name', 'rewritten_user_prompt', 'agent_parameters'], {
      agent_name: text,
      rewritten_user_prompt: text,
      agent_parameters: textsByName,
    }),
  ),
});

const functionSchema = object(['description', 'function_name', 'parameters'], {
  description: text,
  function_name: text,
  parameters: list(
    object(['name', 'type'], {
      name: text,
      type: { enum: ['int', 'float', 'string', 'datetime'] },
      allowed_values: texts,
    }),
  ),
});

const callSchema = object(['agent_name', 'function_name', 'parameters'], {
  agent_name: text,
  function_name: text,
  parameters: { type: 'object', additionalProperties: text },
});

export const boardSchema = closed([], {
  // As published: what it says is passed over, for the endpoint says what kind of board it is.
  format: { enum: ['function_call', 'graphql'] },
  internal_previously_generated_functions: list(callSchema),
  internal_previous_messages: list(messageSchema),
  internal_newly_generated_messages: list(messageSchema),
  internal_newly_generated_functions: list(callSchema),
});

export const agentSchema = closed(
  ['agent_name', 'description', 'accepted_functions', 'functions_allowed_to_generate', 'topics'],
  {
    agent_name: text,
    description: text,
    accepted_functions: list(functionSchema),
    functions_allowed_to_generate: list(functionSchema),
    topics: texts,
    agent_parameters: textsByName,
  },
);

export const planBodySchema = closed(['agent_descriptions', 'chat_agent_description', 'user_prompt'], {
  agent_descriptions: list(
    object(['agent_name', 'description', 'topics', 'agent_parameter_names'], {
      agent_name: text,
      description: text,
      topics: texts,
      agent_parameter_names: texts,
    }),
  ),
  chat_agent_description: text,
  user_prompt: text,
  previous_plan: orNull(planSchema),
  messages: orNull(list(messageSchema)),
});

export const callsBodySchema = closed(['agent_definitions', 'chat_agent_description', 'user_prompt'], {
  agent_definitions: list(agentSchema),
  chat_agent_description: text,
  user_prompt: text,
  blackboard: orNull(boardSchema),
  execution_plan: orNull(planSchema),
});

const graphqlBoardSchema = closed([], {
  format: { enum: ['function_call', 'graphql'] },
  internal_previously_generated_mutation_calls: texts,
  internal_previous_messages: list(messageSchema),
  internal_newly_generated_messages: list(messageSchema),
  internal_user_data: text,
});

const graphqlAgentSchema = closed(
  ['agent_name', 'description', 'accepted_graphql_schemas', 'mutations_allowed_to_generate', 'topics'],
  {
    agent_name: text,
    description: text,
    accepted_graphql_schemas: texts,
    mutations_allowed_to_generate: texts,
    topics: texts,
    agent_parameters: textsByName,
  },
);

export const graphqlBodySchema = closed(['agent_definitions', 'chat_agent_description', 'user_prompt'], {
  agent_definitions: list(graphqlAgentSchema),
  chat_agent_description: text,
  user_prompt: text,
  blackboard: orNull(graphqlBoardSchema),
  execution_plan: orNull(planSchema),
});
