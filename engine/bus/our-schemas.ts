/**
 * JSON Schemas (draft 2020-12) of what is on our own topics. Unknown properties are passed over, so that newer programs
 * can say more.
 */
import { functionSpecSchema } from '../language/spec-schema.ts';
import { limits } from '../limits.ts';
import type { OurBodies } from './our-payloads.ts';
import { watchSchemas } from './watch-schemas.ts';

const v = { const: 1 } as const;
const name = { type: 'string', minLength: 1, maxLength: 200 } as const;
const id = { type: 'string', minLength: 1, maxLength: 300 } as const;
const text = { type: 'string', maxLength: 2_000 } as const;
const time = { type: 'string', maxLength: 40, format: 'date-time' } as const;
const names = { type: 'array', items: name, maxItems: limits.languageFunctions } as const;
const deadline = { type: 'integer', minimum: 1, maximum: limits.runHardEndMs } as const;
const risk = { enum: ['read', 'reversible', 'critical'] } as const;

/** An agent's or tool's id on the bus; another house's has that house in front. */
export const busIdSchema = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' } as const;

export const presenceSchema = {
  title: 'Presence',
  description: 'Retained on folkmoot/v1/presence/<process>. The last will of the connection says offline.',
  type: 'object',
  required: ['v', 'process', 'house', 'status', 'since'],
  properties: {
    v,
    process: name,
    house: name,
    status: { enum: ['online', 'offline'] },
    since: time,
    seconds: { type: 'integer', minimum: 1, maximum: 3_600 },
  },
} as const;

export const cardSchema = {
  title: 'Agent card',
  description: 'Retained on folkmoot/v1/agents/<agentId>. An empty message takes it away.',
  type: 'object',
  required: ['v', 'agentId', 'name'],
  properties: {
    v,
    agentId: busIdSchema,
    name,
    description: text,
    topics: names,
    parameters: names,
    accepts: names,
    generates: names,
    functions: { type: 'array', items: functionSpecSchema, maxItems: limits.languageFunctions },
    process: name,
    house: name,
    since: time,
  },
} as const;

const mutationSchema = {
  type: 'object',
  required: ['function', 'parameters'],
  properties: {
    id,
    run: id,
    step: id,
    agent: id,
    function: name,
    parameters: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'array', 'object'] } },
    risk,
  },
} as const;

const mutations = { type: 'array', items: mutationSchema, maxItems: limits.askMutations } as const;

export const askSchema = {
  title: 'Ask',
  description: 'On folkmoot/v1/agents/<agentId>/ask, with a response topic and correlation data.',
  type: 'object',
  required: ['v', 'kind'],
  properties: {
    v,
    kind: { enum: ['step', 'debate', 'tool', 'memory', 'evaluate', 'request', 'cancel'] },
    payload: {},
    moot: {
      type: 'object',
      properties: {
        v,
        run: id,
        conversation: id,
        user: name,
        depth: { type: 'integer', minimum: 0, maximum: 100 },
        step: id,
        parameters: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
        tainted: { type: 'boolean' },
        mutations,
        event: { type: 'array', items: { type: 'object' }, maxItems: limits.batchEvents },
        ask: { type: 'object', required: ['id'], properties: { id } },
      },
    },
    deadline,
  },
} as const;

export const answerSchema = {
  title: 'Answer',
  description: 'On the response topic of an ask or of a call of a tool, with the same correlation data.',
  type: 'object',
  required: ['status'],
  properties: {
    v,
    status: { enum: ['answered', 'refused', 'failed', 'timeout', 'cancelled'] },
    payload: {},
    mutations,
    usage: { type: 'object' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: name, message: { type: 'string', maxLength: 4_000 } },
    },
    asked: { type: 'boolean' },
    rest: { type: 'string', maxLength: limits.replyChars },
  },
} as const;

export const toolSchema = {
  title: 'Tool card',
  description: 'Retained on folkmoot/v1/tools/<toolId>. An empty message takes it away.',
  type: 'object',
  required: ['v', 'toolId', 'name', 'purpose', 'schema', 'channel'],
  properties: {
    v,
    toolId: busIdSchema,
    name,
    purpose: { type: 'string', minLength: 1, maxLength: 500 },
    schema: { type: 'object' },
    channel: name,
    result: { type: 'string', maxLength: 200 },
    risk,
    effect: { type: 'boolean' },
    synonyms: { type: 'array', items: name, maxItems: limits.synonyms },
    process: name,
    house: name,
    since: time,
  },
} as const;

export const toolCallSchema = {
  title: 'Call of a tool',
  description: 'On folkmoot/v1/tools/<toolId>/call, with a response topic and correlation data.',
  type: 'object',
  required: ['v', 'arguments', 'id'],
  properties: { v, arguments: { type: 'object' }, id, run: id, conversation: id, user: name, deadline },
} as const;

export const registryAskSchema = {
  title: 'Question for the registry',
  description: 'On folkmoot/v1/registry/<process>, with a response topic and correlation data.',
  type: 'object',
  required: ['v', 'kind'],
  properties: { v, kind: { const: 'list' } },
} as const;

export const homeAskSchema = {
  title: 'Question for a home',
  description: 'On folkmoot/v1/homes/<house>/ask, with a response topic and correlation data.',
  type: 'object',
  required: ['v', 'kind', 'operation'],
  properties: {
    v,
    kind: { enum: ['board', 'agents'] },
    operation: { enum: ['read', 'clear', 'import', 'export', 'list', 'reload'] },
    conversation: id,
    file: { type: 'string', maxLength: limits.busPayloadBytes },
  },
  oneOf: [
    {
      properties: { kind: { const: 'board' }, operation: { enum: ['read', 'clear', 'export'] } },
      required: ['conversation'],
    },
    {
      properties: { kind: { const: 'board' }, operation: { const: 'import' } },
      required: ['conversation', 'file'],
    },
    { properties: { kind: { const: 'agents' }, operation: { enum: ['list', 'reload'] } } },
  ],
} as const;

/** One for each kind of body. */
export const ourSchemas = {
  presence: presenceSchema,
  card: cardSchema,
  ask: askSchema,
  answer: answerSchema,
  tool: toolSchema,
  toolCall: toolCallSchema,
  registryAsk: registryAskSchema,
  homeAsk: homeAskSchema,
  ...watchSchemas,
} as const satisfies Record<keyof OurBodies, object>;
