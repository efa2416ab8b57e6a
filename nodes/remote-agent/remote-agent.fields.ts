import { choice, commonFields, config, flag, list, number, text } from '../shared/fields.ts';
import { overlapModes } from '../shared/run.fields.ts';

export const remoteAgentFields = {
  ...commonFields,
  backbone: config('folkmoot-backbone'),
  kind: choice(['agent', 'tool'], 'agent'),
  /** `amica`: a broadcast that whoever hears it may answer. */
  mode: choice(['directed', 'amica'], 'directed'),
  /** Its id on the broker. */
  remoteId: text('', { pattern: '[A-Za-z0-9._-]{1,128}' }),
  /** Blank: what its card says. */
  description: text(),
  language: config('folkmoot-language'),
  /** Function names or `category:NAME`; empty: all that its card says and this house can do. */
  generates: list<string>(),
  risk: choice(['read', 'reversible', 'critical'], 'read'),
  effect: flag(false),
  deadlineSeconds: number(60, { minimum: 1, maximum: 86_400 }),
  overlap: choice(overlapModes, 'queued'),
} as const;
