import { choice, commonFields, config, flag, number, text } from '../shared/fields.ts';

export const busInFields = {
  ...commonFields,
  /**
   * `requests`: what people ask over A.M.I.C.A.'s topic. `topic`: any topic of the bus. `events`: A.M.I.C.A.'s system events.
   * `presence`: which processes come and go. `stream`: entries of a Valkey stream. `counters`: what these connections
   * carried, dropped and refused.
   */
  mode: choice(['requests', 'topic', 'events', 'presence', 'stream', 'counters'], 'requests'),
  topic: text(),
  /** `topic` and `stream`: all nodes of the same name get each message once between them. */
  shareWork: flag(false),
  shareName: text('team', { pattern: '[^/+#]+' }),
  /** `key:` in front: taken literally, so that streams of other programs can be read. */
  stream: text(),
  /** `entries`: each by itself. `talk`: a role speaks, with the last of what was said in view. */
  form: choice(['entries', 'talk'], 'entries'),
  /** Who speaks; blank: the node's name. */
  role: text(),
  clearAtStart: flag(false),
  /** First line of a stream that is empty, and who says it. */
  kickoff: text(),
  kickoffRole: text('Captain'),
  /** Said when the flow fails or has nothing to say. */
  fallbackLine: text(),
  replyLimit: number(10, { minimum: 1, maximum: 10_000 }),
  cooldownSeconds: number(10, { minimum: 0, maximum: 3_600 }),
  replySeconds: number(300, { minimum: 1, maximum: 86_400 }),
  backbone: config('folkmoot-backbone'),
} as const;
