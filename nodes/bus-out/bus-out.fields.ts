import { choice, commonFields, config, text } from '../shared/fields.ts';

export const busOutFields = {
  ...commonFields,
  /**
   * `reply`: answers the request that the message belongs to. `topic`: publishes the payload. `events`: tells that the
   * message's conversation has ended. `stream`: adds an entry to a Valkey stream.
   */
  mode: choice(['reply', 'topic', 'events', 'stream'], 'reply'),
  topic: text(),
  /** `topic` without a connection: `keep` sends later, `fail` is an error at once, for commands that must not come late. */
  whenDown: choice(['keep', 'fail'], 'keep'),
  /** Blank: answers on the stream that the message came from. `key:` in front: taken literally. */
  stream: text(),
  /** `entries`: the properties of the payload. `talk`: role and text. */
  form: choice(['entries', 'talk'], 'entries'),
  /** Who speaks; blank: the node's name. */
  role: text(),
  backbone: config('folkmoot-backbone'),
} as const;
