import { choice, commonFields, list, number, text } from '../shared/fields.ts';
import { runFields } from '../shared/run.fields.ts';

/** Which side an agent speaks for. */
export interface JudgeSide {
  /** Its short name, or its name. */
  readonly agent: string;
  readonly side: string;
}

export const judgeFields = {
  ...commonFields,
  /** What is to be decided; blank: what the message says. */
  question: text(),
  verdictBy: choice(['weighted', 'majority', 'model'], 'weighted'),
  /** By what a model decides. */
  criteria: text(),
  rounds: number(2, { minimum: 1, maximum: 10 }),
  sides: list<JudgeSide>(),
  ...runFields,
  statementSeconds: number(120, { minimum: 1, maximum: 3600 }),
} as const;
