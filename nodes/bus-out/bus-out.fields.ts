import { choice, commonFields, config, text } from '../shared/fields.ts';

export const busOutFields = {
  ...commonFields,
  /**
   * `reply`: answers the request that the message belongs to. `topic`: publishes the payload. `events`: tells that the
   * message's conversation has ended.
   */
  mode: choice(['reply', 'topic', 'events'], 'reply'),
  topic: text(),
  /** `topic` without a connection: `keep` sends later, `fail` is an error at once, for commands that must not come late. */
  whenDown: choice(['keep', 'fail'], 'keep'),
  backbone: config('folkmoot-backbone'),
} as const;
