import { choice, commonFields, number, text } from '../shared/fields.ts';
import { runFields } from '../shared/run.fields.ts';

export const routerFields = {
  ...commonFields,
  /** What the team is for; said when nothing fits. */
  description: text(),
  /** A folder of `*.agent.json`, whose agents join the team; relative to the user folder. Blank: none. */
  agentsFolder: text(),
  ...runFields,
  /** Before what a person is asked. */
  approve: choice(['nothing', 'plan', 'commands', 'both'], 'nothing'),
  approveBy: choice(['whole', 'group'], 'whole'),
  /** So long an answer is waited for. */
  approvalMinutes: number(60, { minimum: 1, maximum: 10_080 }),
  stepSeconds: number(60, { minimum: 1, maximum: 3600 }),
} as const;
