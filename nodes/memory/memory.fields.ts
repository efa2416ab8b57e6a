import { choice, commonFields, config, number } from '../shared/fields.ts';

export const memoryFields = {
  ...commonFields,
  /** `message`: what `msg.operation` says, else recall. Agents that are wired to it choose by themselves. */
  operation: choice(['remember', 'recall', 'forget', 'message'], 'message'),
  most: number(3, { minimum: 1, maximum: 20 }),
  threshold: number(0.3, { minimum: 0, maximum: 1 }),
  /** What the payload of the result is. */
  result: choice(['list', 'words'], 'list'),
  memoryStore: config('folkmoot-memory-store'),
} as const;
