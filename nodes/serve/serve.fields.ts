import { choice, commonFields, config, flag, number, text } from '../shared/fields.ts';

export const serveFields = {
  ...commonFields,
  /** Under Node-RED's `httpNodeRoot`; `/` is allowed. */
  path: text('/folkmoot', { pattern: '/?[A-Za-z0-9._~-]*(?:/[A-Za-z0-9._~-]+)*/?' }),
  authentication: choice(['none', 'basic', 'bearer'], 'none'),
  /** Programs that speak MCP use what is wired, and it acts. */
  mcp: flag(false),
  requestsPerMinute: number(60, { minimum: 1, maximum: 100_000 }),
  /** Largest body. */
  bodyKilobytes: number(1024, { minimum: 1, maximum: 16_384 }),
  /** What is remembered of a client is forgotten so long after its last request. */
  sessionMinutes: number(60, { minimum: 1, maximum: 43_200 }),
  backbone: config('folkmoot-backbone'),
} as const;

export const serveCredentials = {
  user: { type: 'text' },
  password: { type: 'password' },
  token: { type: 'password' },
  /** For submitting agents. */
  submitToken: { type: 'password' },
} as const;
