/** The order of rows in A.M.I.C.A.'s conversations, on the embedded store and on a real Valkey server. */
import assert from 'node:assert/strict';
import { readAsJava } from '../../test/java-reader.ts';
import { startValkeyBench, type ValkeyBench } from '../../test/valkey-place.ts';
import { fakeClock, systemClock, type Clock } from '../clock.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { rejectsWith } from '../store/store-bench.contract.ts';
import type { Store } from '../store/store.ts';
import { createValkeyStore } from '../store/valkey.ts';
import { conversationPrefix, createConversations, type Conversations, type NewMessage } from './conversation.ts';
import { createTurns, rowsOfSaid, type Turns } from './turns.ts';

const said = { conversation: 'c1', user: 'ana', text: 'is the gate closed?' };
const toolRows = (n = 1): NewMessage[] => [
  { messageType: 'AGENT_MESSAGE', source: 'keeper', executionRequests: [{ id: `t${n}`, toolName: 'Gate' }] },
  {
    messageType: 'TOOL_EXECUTION',
    source: 'Gate',
    text: 'true',
    executionRequests: [{ id: `t${n}`, toolName: 'Gate' }],
  },
];
const javaRow = (text: string): NewMessage => ({
  messageType: 'USER_MESSAGE',
  source: 'ana',
  text: `You are of this system.\n\nRespond to the following user message:\n\n${text}\n`,
});
const javaAnswer: NewMessage = { messageType: 'AGENT_MESSAGE', source: 'local-system-agent', text: 'Two users.' };
const asked = 'ana: is the gate closed?';
const tools = ['keeper calls Gate', 'Gate: true'];
const answer = 'house: The gate is closed.';

interface Place {
  readonly clock: Clock;
  open(): Store;
  close(): Promise<void>;
}

function behaves(name: string, placeOf: () => Promise<Place>): void {
  describe(`the rows of one request (${name})`, () => {
    let place: Place;
    let conversations: Conversations;
    let turns: Turns;
    /** Another process on the same store. */
    const restart = () => {
      conversations = createConversations(place.open(), place.clock);
      turns = createTurns(conversations, place.clock);
    };
    beforeEach(async () => {
      place = await placeOf();
      restart();
    });
    afterEach(() => place.close());

    const rows = async (conversation = 'c1') => {
      const kept = await conversations.readLast(conversation, 99);
      readAsJava(kept.map((row) => JSON.stringify(row)));
      return kept.map(({ source, text, executionRequests: [call] = [] }) =>
        text === undefined ? `${source} calls ${call?.toolName}` : `${source}: ${text}`,
      );
    };
    const end = (id = 'm1', of = said) => turns.answer(id, of, 'house', 'The gate is closed.');

    it('are what its person said, then its tools’, then the answer', async () => {
      turns.open('m1', said);
      assert.deepEqual(await rows(), [], 'nobody is asked yet');
      await turns.begin('m1', 'run', said);
      assert.deepEqual(await rows(), [asked]);
      await turns.add('run', 'c1', toolRows());
      assert.deepEqual(await rows(), [asked, ...tools]);
      await end();
      assert.deepEqual(await rows(), [asked, ...tools, answer]);
    });

    it('are question and answer of one that nobody is asked for, or the question alone', async () => {
      turns.open('m1', said);
      await end();
      await turns.answer('run 2', { conversation: 'c2', text: 'Hello.' }, 'house', ' ');
      assert.deepEqual([await rows(), await rows('c2')], [[asked, answer], ['user: Hello.']]);
    });

    it('come in order when several are asked at once, and the person’s once', async () => {
      turns.open('m1', said);
      const all = [1, 2, 3].map(async (n) => {
        await turns.begin('m1', 'run', said);
        await turns.add('run', 'c1', toolRows(n));
      });
      await Promise.all(all);
      await end();
      assert.deepEqual(await rows(), [asked, ...tools, ...tools, ...tools, answer]);
    });

    it('have the person’s own words where the flow had changed them', async () => {
      turns.open('m1', said);
      await turns.begin('m1', 'run', { ...said, text: 'IS THE GATE CLOSED' });
      await end();
      assert.deepEqual(await rows(), [asked, answer]);
    });

    it('have the person’s once over a restart, wherever it happened', async () => {
      for (const before of [0, 1, 2]) {
        const of = { ...said, conversation: `c${before}` };
        turns.open('m1', of);
        if (before > 0) await turns.begin('m1', 'run', of);
        if (before > 1) await turns.add('run', of.conversation, toolRows());
        restart();
        await turns.begin('m1', 'run', of);
        if (before < 2) await turns.add('run', of.conversation, toolRows());
        restart();
        await end('m1', of);
        assert.deepEqual(await rows(of.conversation), [asked, ...tools, answer], `${before} steps before it`);
      }
    });

    it('have it once also when something was answered in between, and again for one that is asked again', async () => {
      const startedAt = async () => place.clock.now() - 1_000;
      await turns.begin('m1', 'run', said, startedAt);
      await turns.answer('m1', said, 'house', 'I go on with it when I am back.');
      restart();
      await turns.begin('m1', 'run', said, startedAt);
      await end();
      const first = [asked, 'house: I go on with it when I am back.', answer];
      assert.deepEqual(await rows(), first);
      await turns.begin('m2', 'run 2', said, async () => place.clock.now() + 1_000);
      await end('m2');
      assert.deepEqual(await rows(), [...first, asked, answer]);
    });

    it('are none where another one answered, and all at once where none did', async () => {
      turns.open('m1', said, { mayGiveWay: true });
      await turns.begin('m1', 'run', said);
      await turns.add('run', 'c1', toolRows());
      assert.deepEqual(await rows(), []);
      turns.drop('m1');
      turns.open('m2', said, { mayGiveWay: true });
      await turns.begin('m2', 'run 2', said);
      await turns.add('run 2', 'c1', toolRows());
      await end('m2');
      assert.deepEqual(await rows(), [asked, ...tools, answer]);
    });

    it('have the person’s not beside the row of a Java agent that has the same request', async () => {
      await conversations.append('c1', [javaRow(said.text)]);
      turns.open('m1', said, { mayGiveWay: true });
      await turns.begin('m1', 'run', said);
      await turns.add('run', 'c1', toolRows());
      await end();
      assert.deepEqual((await rows()).slice(1), [...tools, answer]);
      await conversations.append('c1', [javaRow('who is there?'), javaAnswer]);
      await end('m2', { ...said, text: 'who is there?' });
      assert.deepEqual((await rows()).slice(-2), ['ana: who is there?', answer]);
    });

    it('stay apart for several requests of one conversation, each behind its question', async () => {
      const other = { conversation: 'c1', user: 'ben', text: 'and the door?' };
      await turns.begin('m1', 'run 1', said);
      await turns.begin('m2', 'run 2', other);
      await turns.add('run 2', 'c1', toolRows());
      await turns.answer('m2', other, 'house', 'The door is open.');
      await end();
      assert.deepEqual(await rows(), [asked, 'ben: and the door?', ...tools, 'house: The door is open.', answer]);
    });

    it('are as many as were asked, also when somebody says the same twice at once', async () => {
      for (const id of ['m1', 'm2']) {
        turns.open(id, said);
        await turns.begin(id, `run of ${id}`, said);
      }
      await Promise.all([end('m1'), end('m2'), end('m3')]);
      const kept = await rows();
      assert.deepEqual([...kept].sort(), [asked, asked, asked, answer, answer, answer].sort());
      assert.deepEqual([kept[0], kept[1]], [asked, asked]);
    });

    it('of tools are kept also in a run that nobody said anything for', async () => {
      await turns.add('run of an event', 'c1', toolRows());
      assert.deepEqual(await rows(), tools);
    });
  });
}

behaves('embedded', async () => {
  const clock = fakeClock();
  const store = createEmbeddedStore({ path: ':memory:', clock });
  return { clock, open: () => store, close: () => store.close() };
});

describe('on a Valkey server', () => {
  let bench: ValkeyBench;
  before(async () => void (bench = await startValkeyBench()));
  after(() => bench.stop());
  behaves('Valkey', async () => {
    await bench.client.flushall();
    const stores: Store[] = [];
    const open = () => {
      const store = createValkeyStore(bench.options({ house: 'home', sharedLogs: [conversationPrefix] }));
      stores.push(store);
      return store;
    };
    return { clock: systemClock, open, close: async () => void (await Promise.all(stores.map((one) => one.close()))) };
  });
});

describe('the rows of one request, when they can’t be kept', () => {
  it('fail for who asks, and the person’s comes with the next', async () => {
    const kept: string[] = [];
    let isDown = true;
    const turns = createTurns(
      {
        async append(_, rows) {
          if (isDown) throw Object.assign(new Error('down'), { code: 'FOLKMOOT_STORE_LOST' });
          kept.push(...rows.map(({ source }) => source));
        },
        readLast: async () => [],
      },
      systemClock,
    );
    await assert.rejects(turns.begin('m1', 'run', said), /down/);
    isDown = false;
    await turns.add('run', 'c1', toolRows());
    assert.deepEqual(kept, ['ana', 'keeper', 'Gate']);
  });

  it('are refused as any other that a Java agent could not read', async () => {
    const store = createEmbeddedStore({ path: ':memory:' });
    const turns = createTurns(createConversations(store, systemClock), systemClock);
    const bad: NewMessage = { messageType: 'TOOL_EXECUTION', source: 'Gate', text: '', executionRequests: [] };
    await turns.begin('m1', 'run', said);
    await rejectsWith('FOLKMOOT_MESSAGE_INVALID', turns.add('run', 'c1', [bad]));
    await store.close();
  });
});

describe('the row of what a person said', () => {
  const row = (messageType: 'USER_MESSAGE' | 'AGENT_MESSAGE', source: string, text: string) => ({
    messageType,
    source,
    text,
    timestamp: '2026-03-04T05:06:07Z',
  });
  it('is known by name and words, as long as no agent has spoken', () => {
    const mine = row('USER_MESSAGE', 'ana', said.text);
    const spoken = row('AGENT_MESSAGE', 'house', 'Yes.');
    assert.deepEqual(rowsOfSaid([mine], said), [0]);
    assert.deepEqual(rowsOfSaid([mine, spoken], said), []);
    assert.deepEqual(rowsOfSaid([{ ...mine, source: 'ben' }], said), []);
    assert.deepEqual(rowsOfSaid([{ ...mine, text: 'is it?' }], said), []);
    assert.deepEqual(rowsOfSaid([mine, spoken, mine, mine], said), [2, 3]);
    assert.deepEqual(rowsOfSaid([mine, spoken], said, Date.UTC(2026, 2, 4, 5, 6)), [0]);
  });
});
