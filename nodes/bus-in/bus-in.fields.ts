import { choice, commonFields, config, number, text } from '../shared/fields.ts';

export const busInFields = {
  ...commonFields,
  /**
   * `requests`: what people ask over A.M.I.C.A.'s topic. `topic`: any topic of the bus. `events`: A.M.I.C.A.'s system events.
   * `presence`: which processes come and go.
   */
  mode: choice(['requests', 'topic', 'events', 'presence'], 'requests'),
  topic: text(),
  replySeconds: number(300, { minimum: 1, maximum: 86_400 }),
  backbone: config('folkmoot-backbone'),
} as const;
