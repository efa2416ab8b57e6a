import { choice, commonFields, config, text } from '../shared/fields.ts';

export const memoryStoreFields = {
  ...commonFields,
  /** Stores with the same word here, on the same connections, are one memory. */
  space: text('home', { pattern: '[a-z0-9][a-z0-9-]{0,39}' }),
  embedding: choice(['lexical'], 'lexical'),
  /** Of the index. Blank: `<userDir>/folkmoot/memory`. */
  folder: text(),
  backbone: config('folkmoot-backbone'),
} as const;
