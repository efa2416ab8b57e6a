/** Conversations shared with A.M.I.C.A.'s agents in Valkey (seed-contracts.md A7, rows 17 to 22). */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyRow } from '../../test/any-row.ts';
import { readAsJava } from '../../test/java-reader.ts';
import { repeats, seed } from '../../test/red/tier.ts';
import { startValkeyBench, type ValkeyBench } from '../../test/valkey-place.ts';
import { systemClock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Store } from '../store/store.ts';
import { createValkeyStore } from '../store/valkey.ts';
import { conversationPrefix, createConversations, type Conversations, type NewMessage } from './conversation.ts';
import { createHistory } from './history.ts';
import { createTurns } from './turns.ts';

/** As Java wrote them (A11, 5). */
const javaRows = [
  '{"source":"ana","text":"(prompt text)\\n\\nRespond to the following user message:\\n\\nHow many users are logged in?\\n","messageType":"USER_MESSAGE","timestamp":"2026-03-04T05:06:07.4Z"}',
  '{"source":"local-system-agent","messageType":"AGENT_MESSAGE","timestamp":"2026-03-04T05:06:12.0Z","executionRequests":[{"id":"t-1","toolName":"UserCountTool","toolArguments":"{}"}]}',
  '{"source":"UserCountTool","text":"2","messageType":"TOOL_EXECUTION","timestamp":"2026-03-04T05:06:12.1Z","executionRequests":[{"id":"t-1","toolName":"UserCountTool"}]}',
  '{"source":"local-system-agent","text":"Two users are logged in.","messageType":"AGENT_MESSAGE","timestamp":"2026-03-04T05:06:19.4Z"}',
];
const javaSeconds = 3_600_000;
const day = 24 * 3_600;
const hello: NewMessage = { messageType: 'USER_MESSAGE', source: 'ben', text: 'hello' };

describe('conversations in Valkey', () => {
  let bench: ValkeyBench;
  let stores: Store[];
  let conversations: Conversations;
  before(async () => void (bench = await startValkeyBench()));
  after(() => bench.stop());
  beforeEach(async () => {
    await bench.client.flushall();
    stores = [];
    conversations = open();
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
  });

  const openStore = (house = 'home') => {
    const store = createValkeyStore(bench.options({ house, sharedLogs: [conversationPrefix] }));
    stores.push(store);
    return store;
  };
  const open = (house = 'home', days = 30) =>
    createConversations(openStore(house), systemClock, { expiryMs: days * day * 1_000 });
  const key = 'conversation:c1';
  const rows = () => bench.client.lrange(key, 0, -1);
  const seconds = () => bench.client.ttl(key);
  const about = (given: number, wanted: number) =>
    assert.ok(Math.abs(given - wanted) < 60, `${given} s, not about ${wanted} s`);
  const writeAsJava = async (list = javaRows) => {
    for (const row of list) {
      await bench.client.rpush(key, row);
      await bench.client.expire(key, javaSeconds);
    }
  };

  it('are plain lists of rows, in order, under A.M.I.C.A.’s key', async () => {
    await conversations.append('c1', [hello]);
    await conversations.append('c1', [{ messageType: 'AGENT_MESSAGE', source: 'home1', text: 'Good morning.' }]);
    assert.equal(await bench.client.type(key), 'list');
    const kept = (await rows()).map((row) => JSON.parse(row) as Record<string, unknown>);
    assert.deepEqual(
      kept.map(({ timestamp: _, ...row }) => row),
      [
        { source: 'ben', text: 'hello', messageType: 'USER_MESSAGE' },
        { source: 'home1', text: 'Good morning.', messageType: 'AGENT_MESSAGE' },
      ],
    );
    for (const row of kept) assert.match(String(row['timestamp']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('expire thirty days after their last row, or as it is set', async () => {
    await conversations.append('c1', [hello]);
    about(await seconds(), 30 * day);
    await bench.passTime(10 * day * 1_000);
    about(await seconds(), 20 * day);
    await conversations.append('c1', [hello]);
    about(await seconds(), 30 * day);
    await open('home', 7).append('c1', [hello]);
    about(await seconds(), 7 * day);
    await bench.passTime(7 * day * 1_000);
    assert.deepEqual(await bench.client.keys('conversation:*'), []);
    await conversations.append('c1', [hello]);
    about(await seconds(), 30 * day);
  });

  it('keep the time that a Java agent set, also when it wrote into a list of ours', async () => {
    await writeAsJava();
    await conversations.append('c1', [hello]);
    about(await seconds(), javaSeconds);
    await bench.passTime(20 * day * 1_000);
    await conversations.append('c1', [hello]);
    about(await seconds(), javaSeconds - 20 * day);
    await conversations.append('c2', [hello]);
    await bench.client.expire('conversation:c2', javaSeconds);
    await conversations.append('c2', [hello]);
    about(await bench.client.ttl('conversation:c2'), javaSeconds);
  });

  it('keep what others set to be short or for ever', async () => {
    await bench.client.rpush(key, javaRows[0] ?? '');
    await conversations.append('c1', [hello]);
    assert.equal(await seconds(), -1);
    await bench.client.expire(key, 600);
    await conversations.append('c1', [hello]);
    about(await seconds(), 600);
  });

  it('of Java agents are read: four rows, with the fields that they left out', async () => {
    await writeAsJava();
    const read = await conversations.readLast('c1', 9);
    assert.deepEqual(
      read,
      javaRows.map((row) => JSON.parse(row) as unknown),
    );
    assert.deepEqual(
      read.map(({ messageType }) => messageType),
      ['USER_MESSAGE', 'AGENT_MESSAGE', 'TOOL_EXECUTION', 'AGENT_MESSAGE'],
    );
  });

  it('are read around what is missing, null, or no row at all', async () => {
    await writeAsJava([
      '{"messageType":"USER_MESSAGE","text":"nobody said it"}',
      '{"source":"x","text":null,"messageType":"AGENT_MESSAGE","timestamp":"2026-03-04T05:06:07Z","executionRequests":null}',
      '{"source":"x","messageType":"AGENT_MESSAGE","executionRequests":[{"id":null,"toolName":"T"}]}',
      'not JSON',
      '{"source":"x","messageType":"SYSTEM_MESSAGE","text":"x"}',
    ]);
    assert.deepEqual(await conversations.readLast('c1', 9), [
      { source: '', messageType: 'USER_MESSAGE', text: 'nobody said it' },
      { source: 'x', messageType: 'AGENT_MESSAGE', timestamp: '2026-03-04T05:06:07Z' },
      { source: 'x', messageType: 'AGENT_MESSAGE', executionRequests: [{ toolName: 'T' }] },
    ]);
  });

  it('are written so that a Java agent can read every row', async () => {
    const property = fc.asyncProperty(fc.array(anyRow(6), { minLength: 1, maxLength: 3 }), async (added) => {
      await conversations.append('c1', added).catch(() => undefined);
      const list = await rows();
      readAsJava(list);
      await conversations.forget('c1');
      assert.equal(await bench.client.exists(key, `folkmoot:list:{${key}}`), 0);
    });
    await fc.assert(property, { seed: seed(), numRuns: repeats(600) });
    readAsJava(javaRows);
    for (const bad of ['{"messageType":"USER_MESSAGE","source":"x","timestamp":"2026-03-04T05:06:07Z"}', '{}'])
      assert.throws(() => readAsJava([bad]));
  });

  it('are shared by houses and agents: each is told what the others said', async () => {
    await writeAsJava();
    const historyOf = (kept: Conversations) => createHistory(kept, createTurns(kept, systemClock));
    const elsewhere = historyOf(open('cabin'));
    const request = { text: 'And now?', conversation: 'c1', user: 'ana' };
    await historyOf(conversations).keep(
      { run: 'r', request, payload: 'Three users are logged in.' } as Parameters<typeof elsewhere.keep>[0],
      'home1',
    );
    const lines = await elsewhere.lines(request);
    assert.deepEqual(
      lines.slice(-3).map((line) => line.text),
      ['Two users are logged in.', 'And now?', 'Three users are logged in.'],
    );
  });

  it('are there after a restart', async () => {
    await conversations.append('c1', [hello]);
    await stores[0]?.close();
    assert.equal((await open().readLast('c1', 9))[0]?.text, 'hello');
  });

  it('keep the newest rows only, and count on where others have written too', async () => {
    const store = openStore();
    await writeAsJava();
    assert.equal(await store.append(key, ['a', 'b'], { cap: 3, expiresInMs: 1_000 }), 6);
    await bench.client.rpush(key, '"java"');
    assert.equal(await store.append(key, ['c'], { cap: 3 }), 8);
    assert.deepEqual(await store.readLast(key, 9), [
      { index: 6, value: 'b' },
      { index: 7, value: 'java' },
      { index: 8, value: 'c' },
    ]);
    assert.deepEqual(await store.readRange(key, 1, 6), [{ index: 6, value: 'b' }]);
    about(await seconds(), javaSeconds);
    assert.equal(await store.deleteLog(key), true);
    assert.equal(await store.append(key, ['d'], { expiresInMs: limits.recordExpiryMs }), 1);
  });
});
