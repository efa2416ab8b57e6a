import { commonFields, config, flag, list, number } from '../shared/fields.ts';

export const toolsFields = {
  ...commonFields,
  toolbox: config('folkmoot-toolbox'),
  /** Names of those that may be used; empty: all. */
  only: list<string>(),
  runWithoutAsking: flag(false),
  keepSeconds: number(0, { minimum: 0, maximum: 86_400 }),
  retries: number(0, { minimum: 0, maximum: 5 }),
  timeLimitSeconds: number(30, { minimum: 1, maximum: 3600 }),
} as const;
