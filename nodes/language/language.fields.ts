import { choice, commonFields, list } from '../shared/fields.ts';

export const languageFields = {
  ...commonFields,
  kind: choice(['functions'], 'functions'),
  /** Function specs (contracts.md 2). */
  functions: list(),
} as const;
