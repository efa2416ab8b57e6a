import { choice, commonFields, config, text } from '../shared/fields.ts';

export const busOutFields = {
  ...commonFields,
  /** `reply`: answers the request that the message belongs to. `topic`: publishes the payload. */
  mode: choice(['reply', 'topic'], 'reply'),
  topic: text(),
  backbone: config('folkmoot-backbone'),
} as const;
