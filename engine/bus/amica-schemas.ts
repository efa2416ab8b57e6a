/** A.M.I.C.A.'s three payloads as JSON Schemas (seed-contracts.md A4), as its Java readers really take them. */

const date = { type: ['string', 'null'], format: 'amica-date' } as const;

/** `message` must be there; the Java reader lets the other two be missing. Unknown fields are ignored. */
export const userRequestSchema = {
  type: 'object',
  properties: { dateTime: date, userName: { type: ['string', 'null'] }, message: { type: 'string' } },
  required: ['message'],
} as const;

/** An empty message may be left out by the Java writer; a first number of 0 is in the wild. */
export const agentResponseSchema = {
  type: 'object',
  properties: {
    message: { type: ['string', 'null'] },
    dateTime: date,
    isComplete: { type: ['boolean', 'null'] },
    sequenceNumber: { type: ['object', 'null'], properties: { value: { type: 'integer' } } },
  },
} as const;

export const conversationEndedSchema = {
  type: 'object',
  properties: { conversationId: { type: 'string', minLength: 1 } },
  required: ['conversationId'],
} as const;

/** One row of the list `conversation:<id>` (seed-contracts.md A7); what is empty is left out. */
export const conversationMessageSchema = {
  type: 'object',
  properties: {
    source: { type: 'string', minLength: 1 },
    text: { type: 'string' },
    messageType: { enum: ['USER_MESSAGE', 'AGENT_MESSAGE', 'TOOL_EXECUTION'] },
    timestamp: { type: 'string', format: 'amica-date' },
    agentThinking: { type: 'string' },
    executionRequests: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, toolName: { type: 'string' }, toolArguments: { type: 'string' } },
      },
    },
  },
  required: ['source', 'messageType', 'timestamp'],
} as const;
