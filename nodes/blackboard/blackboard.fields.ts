import { choice, commonFields, config, list, number } from '../shared/fields.ts';

export const blackboardFields = {
  ...commonFields,
  /** `message`: what `msg.operation` says, else write. `gather`: emits once for each run that it saw. */
  operation: choice(['write', 'read', 'data', 'watch', 'clear', 'export', 'import', 'gather', 'message'], 'write'),
  /** Filter of `read` and `watch`: function names or `category:NAME`; empty: all. */
  accepts: list<string>(),
  deadlineSeconds: number(300, { minimum: 1, maximum: 86_400 }),
  backbone: config('folkmoot-backbone'),
  language: config('folkmoot-language'),
} as const;
