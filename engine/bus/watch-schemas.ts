/** JSON Schemas (draft 2020-12) of what tells others how a house is: run events, changes of boards, control, counters. */
import type { MetricsSnapshot } from './metrics.ts';
import type { SharedChange } from '../blackboard/board-changes.ts';
import type { RunEvent } from '../moot.ts';

/** On `control`, retained. */
export interface ControlBody {
  /** People's requests are refused in words. */
  readonly paused: boolean;
  /** Carried and shown; nothing acts on it yet. */
  readonly shadow: boolean;
  /** Who set it. */
  readonly by: string;
  /** ISO 8601: the newer one counts. */
  readonly since: string;
}

export interface MetricsBody extends MetricsSnapshot {
  readonly process: string;
  readonly house: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface WatchBodies {
  readonly runEvent: RunEvent;
  readonly boardChange: SharedChange;
  readonly control: ControlBody;
  readonly metrics: MetricsBody;
}

const id = { type: 'string', minLength: 1, maxLength: 300 } as const;
const time = { type: 'string', maxLength: 40, format: 'date-time' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const counts = { type: 'object', additionalProperties: count } as const;

export const runEventSchema = {
  title: 'Run event',
  description: 'On folkmoot/v1/runs/<run>/events. What data holds depends on the kind.',
  type: 'object',
  required: ['run', 'at', 'kind'],
  properties: {
    run: id,
    at: time,
    kind: { enum: ['started', 'plan', 'step', 'text', 'approval', 'ended'] },
    step: id,
    agent: id,
    data: {},
  },
} as const;

export const boardChangeSchema = {
  title: 'Change of a board',
  description: 'On folkmoot/v1/boards/<conversation>/changes. The revision grows with each change of a board.',
  type: 'object',
  required: ['conversation', 'kind', 'revision'],
  properties: {
    conversation: id,
    kind: { enum: ['mutation', 'message', 'data', 'cleared'] },
    revision: count,
    mutation: { type: 'object', required: ['id', 'function', 'parameters'], properties: { id, function: id } },
    message: {
      type: 'object',
      required: ['role', 'text'],
      properties: { role: { enum: ['user', 'assistant'] }, text: { type: 'string' } },
    },
  },
} as const;

export const controlSchema = {
  title: 'Control',
  description:
    'Retained on folkmoot/v1/control, for all houses on the broker; the newer one counts. While paused is true, nothing is done: people and other houses are told so, and no run begins. While shadow is true, everything is decided and told, and no command leaves for a device.',
  type: 'object',
  required: ['paused', 'shadow', 'by', 'since'],
  properties: {
    paused: { type: 'boolean' },
    shadow: { type: 'boolean' },
    by: { type: 'string', minLength: 1, maxLength: 200 },
    since: time,
  },
} as const;

export const metricsSchema = {
  title: 'Counters',
  description:
    'On folkmoot/v1/metrics, once a minute, and after a change at most once a second. They begin with the connection.',
  type: 'object',
  required: ['v', 'process', 'house', 'at', 'topics', 'outbox'],
  properties: {
    v: { const: 1 },
    process: id,
    house: id,
    at: time,
    topics: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['in', 'out', 'dropped', 'refusedSenders'],
        properties: {
          in: count,
          out: count,
          dropped: counts,
          refusedSenders: count,
          lastError: {
            type: 'object',
            required: ['text', 'at'],
            properties: { text: { type: 'string' }, at: time },
          },
        },
      },
    },
    outbox: {
      type: 'object',
      required: ['waiting', 'maybeLost', 'lost'],
      properties: { waiting: count, maybeLost: count, lost: counts },
    },
    heldBack: {
      description: 'What control kept from happening since then.',
      type: 'object',
      required: ['paused', 'shadow'],
      properties: { paused: count, shadow: count },
    },
    planned: {
      description:
        'Requests that were planned by a first tier, without a model, and those that went on to the planner.',
      type: 'object',
      required: ['firstTier', 'planner', 'checked', 'agreed'],
      properties: { firstTier: count, planner: count, checked: count, agreed: count },
    },
  },
} as const;

/** One for each kind of body. */
export const watchSchemas = {
  runEvent: runEventSchema,
  boardChange: boardChangeSchema,
  control: controlSchema,
  metrics: metricsSchema,
} as const satisfies Record<keyof WatchBodies, object>;
