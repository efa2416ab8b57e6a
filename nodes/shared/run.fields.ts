/** Settings that the nodes which begin runs share. */
import { choice, config, number } from './fields.ts';

export const runFields = {
  backbone: config('folkmoot-backbone'),
  model: config('folkmoot-model'),
  language: config('folkmoot-language'),
  deadlineSeconds: number(300, { minimum: 1, maximum: 86_400 }),
  overlap: choice(['queued', 'single', 'restart', 'parallel'], 'queued'),
} as const;
