import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyRow } from '../../test/any-row.ts';
import { repeats, seed } from '../../test/red/tier.ts';
import { fakeClock, type FakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { rejectsWith } from '../store/store-bench.contract.ts';
import type { Store } from '../store/store.ts';
import { createConversations, isConversationMessage, type Conversations, type NewMessage } from './conversation.ts';

const hello: NewMessage = { messageType: 'USER_MESSAGE', source: 'ana', text: 'hello' };

describe('conversations', () => {
  let clock: FakeClock;
  let store: Store;
  let conversations: Conversations;
  beforeEach(() => {
    clock = fakeClock();
    store = createEmbeddedStore({ path: ':memory:', clock });
    conversations = createConversations(store, clock);
  });
  afterEach(() => store.close());

  it('keep rows in order under A.M.I.C.A.’s key and in its form', async () => {
    await conversations.append('c1', [
      hello,
      {
        messageType: 'AGENT_MESSAGE',
        source: 'agent',
        text: '',
        executionRequests: [{ id: 't1', toolName: 'Uptime' }],
      },
      {
        messageType: 'TOOL_EXECUTION',
        source: 'Uptime',
        text: '2',
        executionRequests: [{ id: 't1', toolName: 'Uptime', toolArguments: '' }],
      },
      { messageType: 'AGENT_MESSAGE', source: 'agent', text: 'Two days.', agentThinking: '', executionRequests: [] },
    ]);
    const rows = (await store.readLast<Record<string, unknown>>('conversation:c1', 9)).map(({ value }) => value);
    for (const row of rows) assert.match(String(row['timestamp']), /^2026-01-01T00:00:00(\.\d+)?Z$/);
    assert.deepEqual(
      rows.map(({ timestamp: _, ...row }) => row),
      [
        { source: 'ana', text: 'hello', messageType: 'USER_MESSAGE' },
        { source: 'agent', messageType: 'AGENT_MESSAGE', executionRequests: [{ id: 't1', toolName: 'Uptime' }] },
        {
          source: 'Uptime',
          text: '2',
          messageType: 'TOOL_EXECUTION',
          executionRequests: [{ id: 't1', toolName: 'Uptime' }],
        },
        { source: 'agent', text: 'Two days.', messageType: 'AGENT_MESSAGE' },
      ],
    );
    assert.deepEqual(await conversations.readLast('c1', 2), rows.slice(-2));
  });

  it('write only rows that the others can read, without an empty field', async () => {
    const property = fc.asyncProperty(anyRow(5), async (row) => {
      await conversations.forget('c1');
      const kept = await conversations.append('c1', [row]).then(
        () => true,
        () => false,
      );
      const raw = await store.readLast('conversation:c1', 9);
      assert.equal(raw.length, kept ? 1 : 0);
      for (const { value } of raw) {
        assert.ok(isConversationMessage(value));
        assert.doesNotMatch(JSON.stringify(value), /:(""|\[\]|null)[,}]/);
      }
    });
    await fc.assert(property, { seed: seed(), numRuns: repeats(2_000) });
  });

  it('refuse a row that would make the whole list unreadable, and then keep none of them', async () => {
    const bad: NewMessage[] = [
      { messageType: 'USER_MESSAGE', source: 'ana', text: ' \n' },
      { messageType: 'USER_MESSAGE', source: '', text: 'hello' },
      { messageType: 'TOOL_EXECUTION', source: 'Uptime', text: '2', executionRequests: [] },
      { messageType: 'TOOL_EXECUTION', source: 'Uptime', text: '', executionRequests: [{ id: 't' }] },
    ];
    for (const row of bad) await rejectsWith('FOLKMOOT_MESSAGE_INVALID', conversations.append('c1', [hello, row]));
    assert.deepEqual(await conversations.readLast('c1', 9), []);
  });

  it('pass over what others wrote in another form', async () => {
    await store.append('conversation:c1', [
      null,
      'text',
      { source: 'x' },
      { messageType: 'USER_MESSAGE', source: 'x' },
    ]);
    await conversations.append('c1', [{ messageType: 'USER_MESSAGE', source: 'ben', text: 'hi' }]);
    assert.deepEqual(
      (await conversations.readLast('c1', 9)).map((row) => row.source),
      ['ben'],
    );
  });

  it('last thirty days from their newest row', async () => {
    await conversations.append('c1', [hello]);
    await clock.advance(limits.recordExpiryMs - 1_000);
    await conversations.append('c1', [hello]);
    await clock.advance(2_000);
    assert.equal((await conversations.readLast('c1', 9)).length, 2);
    await clock.advance(limits.recordExpiryMs);
    assert.deepEqual(await conversations.readLast('c1', 9), []);
  });

  it('cut a text that is too long and keep nothing for no rows', async () => {
    await conversations.append('c1', []);
    assert.equal(await conversations.forget('c1'), false);
    await conversations.append('c1', [{ ...hello, text: 'x'.repeat(limits.promptChars + 5) }]);
    assert.equal((await conversations.readLast('c1', 1))[0]?.text?.length, limits.promptChars);
  });
});
