/** Settings that the nodes which begin runs share. */
import type { OverlapMode } from '../../engine/plan/overlap.ts';
import { choice, config, number } from './fields.ts';

export const overlapModes = [
  'queued',
  'single',
  'restart',
  'parallel',
  'conversation',
] as const satisfies readonly OverlapMode[];

export const runFields = {
  backbone: config('folkmoot-backbone'),
  model: config('folkmoot-model'),
  language: config('folkmoot-language'),
  deadlineSeconds: number(300, { minimum: 1, maximum: 86_400 }),
  overlap: choice(overlapModes, 'queued'),
} as const;
