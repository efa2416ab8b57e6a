import { commonFields, number, text } from '../shared/fields.ts';
import { runFields } from '../shared/run.fields.ts';

export const routerFields = {
  ...commonFields,
  /** What the team is for; said when nothing fits. */
  description: text(),
  ...runFields,
  stepSeconds: number(60, { minimum: 1, maximum: 3600 }),
} as const;
