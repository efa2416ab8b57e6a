import type { AgentExample } from '../../engine/agent/definition.ts';
import { choice, commonFields, config, flag, list, number, text } from '../shared/fields.ts';
import { limitFields } from '../shared/limit-fields.ts';
import { runFields } from '../shared/run.fields.ts';

export const agentFields = {
  ...commonFields,
  /** Blank: made from the name. */
  agentId: text('', { pattern: '[a-z0-9-]{5,}' }),
  description: text(),
  topics: list<string>(),
  parameters: list<string>(),
  /** Function names or `category:NAME`. */
  accepts: list<string>(),
  generates: list<string>(),
  instructions: text(),
  /** How it goes about its work, in order, and what is right for what people say; both are for AI models. */
  steps: list<string>(),
  examples: list<AgentExample>(),
  /** It answers what fits nobody else of a team. */
  fallback: flag(false),
  /** `minutes`: takes minutes of conversations whose end it is told, instead of doing what is asked. */
  work: choice(['commands', 'minutes'], 'commands'),
  /** For an agent that no asks output leads to: what people ask, and the kinds of system events that it gets. */
  listensToRequests: flag(false),
  listensToEvents: list<string>(),
  /** Which of the tools on its wires an AI model is shown, and at most how many. */
  toolChoice: choice(['all', 'keyword', 'semantic', 'model'], 'all'),
  toolCount: number(10, { minimum: 1, maximum: 100 }),
  ...limitFields,
  ...runFields,
  policy: config('folkmoot-policy'),
} as const;
