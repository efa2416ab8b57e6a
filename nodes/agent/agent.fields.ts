import { commonFields, config, flag, list, text } from '../shared/fields.ts';
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
  listensToRequests: flag(false),
  listensToEvents: list<string>(),
  ...runFields,
  policy: config('folkmoot-policy'),
} as const;
