import { commonFields, config, list, number } from '../shared/fields.ts';

/** One row, one output: saved by name, so that a change of the language never moves a wire. */
export interface ApplyRow {
  readonly kind: 'function' | 'category' | 'device' | 'else';
  /** Name of the function or category; empty for `device` and `else`. */
  readonly target: string;
  /** A critical function runs without asking a person. */
  readonly runWithoutAsking?: boolean;
  /** How long a failure may take to come back; milliseconds. Default 300; for a device 5000. */
  readonly waitMs?: number;
}

export const applyFields = {
  ...commonFields,
  rows: list<ApplyRow>(),
  backbone: config('folkmoot-backbone'),
  language: config('folkmoot-language'),
  policy: config('folkmoot-policy'),
  /** The report and one for each row. */
  outputs: number(1, { minimum: 1 }),
} as const;
