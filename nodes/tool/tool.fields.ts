import { choice, commonFields, config, flag, list, number, text } from '../shared/fields.ts';

export const toolFields = {
  ...commonFields,
  /** Blank: what is wired behind it; else a tool of this package that needs no wire. */
  builtIn: choice(['', 'users', 'uptime', 'load', 'processes', 'system', 'state'], ''),
  /** `state`: names or properties of what it tells; empty: all. */
  properties: list<string>(),
  backbone: config('folkmoot-backbone'),
  description: text(),
  /** Other words for it, at most eight. */
  synonyms: list<string>(),
  parametersBy: choice(['form', 'schema'], 'form'),
  /** Parameter specs (contracts.md 2). */
  parameters: list(),
  /** JSON Schema, as text. */
  schema: text(),
  result: text(),
  sentence: text(),
  risk: choice(['read', 'reversible', 'critical'], 'read'),
  effect: flag(false),
  runWithoutAsking: flag(false),
  /** Of one that only looks: how long an answer is good for (0: not at all), and how often it is asked again when it fails. */
  keepSeconds: number(0, { minimum: 0, maximum: 86_400 }),
  retries: number(0, { minimum: 0, maximum: 5 }),
  timeLimitSeconds: number(30, { minimum: 1, maximum: 3600 }),
  policy: config('folkmoot-policy'),
} as const;
