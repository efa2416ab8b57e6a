import { choice, commonFields, config, list, number, text } from '../shared/fields.ts';

export const toolboxFields = {
  ...commonFields,
  kind: choice(
    ['mcp-program', 'mcp-http', 'mcp-sse', 'time', 'calculator', 'wikipedia', 'http', 'system', 'devices'],
    'time',
  ),
  /** `mcp-program`: what is started. Variables for it are a credential, `NAME=value; NAME=value`. */
  command: text(),
  args: list<string>(),
  folder: text(),
  /** `mcp-http`, `mcp-sse`. Headers are a credential, `Name: value; Name: value`. */
  url: text(),
  /** What an MCP server's tools are taken for. */
  trust: choice(['said', 'looks', 'acts'], 'said'),
  /** `http`: hosts and beginnings of addresses that may be read. */
  allowed: list<string>(),
  /** `time`: where the house stands, for sun times; both 0: they are left out. */
  latitude: number(0, { minimum: -90, maximum: 90 }),
  longitude: number(0, { minimum: -180, maximum: 180 }),
  /** `devices`: whose devices, and where they are heard. */
  language: config('folkmoot-language'),
  backbone: config('folkmoot-backbone'),
} as const;
