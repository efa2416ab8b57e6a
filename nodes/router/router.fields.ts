import { choice, commonFields, config, number, text } from '../shared/fields.ts';
import { limitFields } from '../shared/limit-fields.ts';
import { overlapModes, runFields } from '../shared/run.fields.ts';

export const routerFields = {
  ...commonFields,
  /** What the team is for; said when nothing fits. */
  description: text(),
  /** A folder of `*.agent.json`, whose agents join the team; relative to the user folder. Blank: none. */
  agentsFolder: text(),
  ...limitFields,
  ...runFields,
  /** Default: one slow agent keeps nobody else waiting. */
  overlap: choice(overlapModes, 'conversation'),
  /** Who plans. Blank: the model. */
  planModel: config('folkmoot-model'),
  /** Plans what is clear without a model. Without effect where planning costs nothing: by `rules` and `scripted`. */
  firstTier: choice(['on', 'off'], 'on'),
  /** Below it a request is the planner's. */
  firstTierThreshold: number(0.55, { minimum: 0, maximum: 1 }),
  /** So many of the clear ones, 0 to 1, are given to the planner too, to compare. */
  firstTierCheck: number(0, { minimum: 0, maximum: 1 }),
  /** Before what a person is asked. */
  approve: choice(['nothing', 'plan', 'commands', 'both'], 'nothing'),
  approveBy: choice(['whole', 'group'], 'whole'),
  /** So long an answer is waited for. */
  approvalMinutes: number(60, { minimum: 1, maximum: 10_080 }),
  stepSeconds: number(60, { minimum: 1, maximum: 3600 }),
} as const;
