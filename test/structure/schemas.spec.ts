/** The published JSON Schemas are those by which the code checks, and the samples of the wire fit them (row 45). */
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Ajv } from 'ajv';
import { writeEnded, writeRequest, writeResponse } from '../../engine/bus/amica.ts';
import { publishedSchemas, schemasFolder } from '../../scripts/schemas.ts';
import { read } from './sources.ts';

const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as { Ajv2020: typeof Ajv };
const schemas = publishedSchemas();
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validates = (name: string, value: unknown): boolean =>
  Boolean(ajv.validate(JSON.parse(schemas.get(`${name}.json`) ?? 'null') as object, value));
const bodyOf = (written: { message: { payload: string | Uint8Array } }): unknown =>
  JSON.parse(String(written.message.payload));
const since = '2026-03-04T05:06:07.123Z';

describe('the published schemas', () => {
  beforeEach(() => ajv.removeSchema());

  it('are those of the code: "node scripts/schemas.ts" writes them', async () => {
    const files = (await readdir(schemasFolder)).sort();
    assert.deepEqual(files, [...schemas.keys()].sort());
    for (const file of files)
      assert.equal(await readFile(path.join(schemasFolder, file), 'utf8'), schemas.get(file), file);
  });

  it('are valid of draft 2020-12, with a title each, and listed in the docs', () => {
    for (const [file, text] of schemas) {
      const schema = JSON.parse(text) as { $schema: string; title?: string };
      assert.ok(ajv.validateSchema(schema), file);
      assert.ok(schema.title, file);
      assert.ok(read('docs/backbone.md').includes(`schemas/${file}`), `${file} is not in docs/backbone.md`);
    }
  });

  it('take the samples of A.M.I.C.A.’s wire and what we write', () => {
    const ids = { messageId: 'm', conversationId: 'c' };
    const atMs = Date.UTC(2026, 2, 4);
    const samples: readonly (readonly [string, unknown])[] = [
      [
        'amica-user-request',
        { dateTime: '2026-03-04T05:06:07.123456789Z', userName: 'ana', message: 'How many users are logged in?' },
      ],
      [
        'amica-agent-response',
        {
          message: 'Two users are logged in.',
          dateTime: '2026-03-04T06:06:19.5+01:00[Europe/Madrid]',
          isComplete: true,
          sequenceNumber: { value: 0 },
        },
      ],
      ['amica-conversation-ended', { conversationId: '9b7d1f0e-5c43-4c7b-9d0a-2f6f8f3a1b20' }],
      ['amica-conversation-message', { source: 'ana', text: 'Hi', messageType: 'USER_MESSAGE', timestamp: since }],
      ['amica-minutes', { actors: ['ana'], summary: 'Ana asked.', messages: ['The user asked how many.'] }],
      ['amica-user-request', bodyOf(writeRequest({ ...ids, userName: 'ana', message: 'x', atMs }))],
      [
        'amica-agent-response',
        bodyOf(
          writeResponse({ requestId: 'm', conversationId: 'c', message: 'x', isComplete: false, sequence: 1, atMs }),
        ),
      ],
      ['amica-conversation-ended', bodyOf(writeEnded('c'))],
      ['presence', { v: 1, process: 'p', house: 'h', status: 'online', since }],
      ['card', { v: 1, agentId: 'abcde', name: 'A' }],
      [
        'ask',
        { v: 1, kind: 'step', payload: 'do it', moot: { v: 1, run: 'r', ask: { id: 'ask:r/s1' } }, deadline: 1000 },
      ],
      ['answer', { status: 'answered', payload: 'done', mutations: [] }],
      ['tool', { v: 1, toolId: 't', name: 'T', purpose: 'Tells', schema: { type: 'object' }, channel: 'bus' }],
      ['tool-call', { v: 1, id: 'i', arguments: {} }],
      ['run-event', { run: 'r', at: since, kind: 'ended', data: { outcome: 'done' } }],
      ['board-change', { conversation: 'c', kind: 'cleared', revision: 3 }],
      ['control', { paused: true, shadow: false, by: 'ana', since }],
      [
        'metrics',
        {
          v: 1,
          process: 'p',
          house: 'h',
          at: since,
          topics: { x: { in: 1, out: 0, dropped: {}, refusedSenders: 0 } },
          outbox: { waiting: 0, maybeLost: 0, lost: {} },
          heldBack: { paused: 1, shadow: 0 },
          planned: { firstTier: 3, planner: 1, checked: 1, agreed: 1 },
        },
      ],
    ];
    for (const [name, value] of samples) {
      ajv.removeSchema();
      assert.ok(validates(name, value), `${name}: ${JSON.stringify(value)}: ${ajv.errorsText()}`);
    }
  });

  it('refuse a number for the sequence number, and others that are not in their form', () => {
    const wrong: readonly (readonly [string, unknown])[] = [
      ['amica-agent-response', { message: 'x', isComplete: true, sequenceNumber: 1 }],
      ['amica-user-request', { dateTime: '2026-03-04T05:06:07+0200', message: 'x' }],
      ['amica-user-request', { userName: 'ana' }],
      ['amica-conversation-ended', {}],
      ['presence', { v: 1, process: 'p', house: 'h', status: 'maybe', since }],
      ['control', { paused: 'yes', shadow: false, by: 'ana', since }],
      ['board-change', { conversation: 'c', kind: 'mutation' }],
      ['run-event', { run: 'r', at: since, kind: 'other' }],
    ];
    for (const [name, value] of wrong) {
      ajv.removeSchema();
      assert.equal(validates(name, value), false, `${name}: ${JSON.stringify(value)}`);
    }
  });
});
