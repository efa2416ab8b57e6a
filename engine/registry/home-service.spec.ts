/** What a home answers on its own topic: boards and team, for whoever may ask. */
import assert from 'node:assert/strict';
import { createInProcessBus } from '../bus/in-process.ts';
import type { Bus } from '../bus/bus.ts';
import { createOurMessages, readOur, type OurMessages } from '../bus/our-message.ts';
import type { AnswerBody } from '../bus/our-payloads.ts';
import { senderProperties } from '../bus/our-properties.ts';
import { ourPatterns, ourTopics } from '../bus/topics.ts';
import { fakeClock } from '../clock.ts';
import { createLanguage } from '../language/language.ts';
import { limits } from '../limits.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { Store } from '../store/store.ts';
import type { Answering, Refusal } from './answering.ts';
import { createHomeService, type TeamList } from './home-service.ts';

const language = createLanguage([
  {
    ...{ name: 'CollectWaste', description: 'collects waste', category: 'waste' },
    ...{ risk: 'reversible', effect: true, repeatable: true },
    parameters: [{ name: 'age', type: 'integer', required: true }],
  },
]);
const call = { agent_name: 'Waste Disposer', function_name: 'CollectWaste', parameters: { age: '7' } };
const file = (calls: readonly object[] = [call]) =>
  JSON.stringify({
    blackboard: { format: 'function_call', internal_previously_generated_functions: calls },
    file_schema_version: '0.2',
  });
const team: TeamList = {
  agents: [{ agentId: 'a', name: 'A', description: 'does a', source: 'custom' }],
  problems: [],
};

describe('what a home answers', () => {
  const clock = fakeClock();
  let bus: Bus;
  let store: Store;
  let messages: OurMessages;
  let service: Answering;
  let reloads: number;
  let problems: unknown[];
  beforeEach(() => {
    [reloads, problems] = [0, []];
    bus = createInProcessBus({ clock });
    store = createEmbeddedStore({ path: ':memory:', clock });
    messages = createOurMessages({ clock, report: () => undefined });
  });
  afterEach(async () => {
    await service.close();
    messages.close();
    await bus.close();
    await store.close();
  });
  const serve = (refusal: Refusal = () => undefined, over: Store = store) => {
    service = createHomeService({
      ...{ bus, store: over, house: 'south/1', messages, refusal, sender: { house: 'south/1' } },
      report: (problem) => problems.push(problem),
      language: () => language,
      list: () => team,
      reload: () => Promise.resolve({ agents: [], problems: [`read ${(reloads += 1)} times`] }),
    });
  };
  const asked = async (body: object): Promise<AnswerBody> => {
    const message = { payload: JSON.stringify({ v: 1, ...body }), properties: senderProperties({ user: 'ana' }) };
    const reading = readOur('answer', await bus.request(ourTopics.homeAsk('south/1'), message, { timeoutMs: 1_000 }));
    assert.ok('body' in reading);
    return reading.body;
  };
  const board = (operation: string, more: object = {}) =>
    asked({ kind: 'board', operation, conversation: 'c', ...more });

  it('takes a board file, shows what is on the board, gives it back as a file, and empties it', async () => {
    serve();
    const changes: string[] = [];
    await bus.subscribe(ourPatterns.boards, ({ payload }) => void changes.push(new TextDecoder().decode(payload)));
    assert.deepEqual((await board('import', { file: file() })).payload, { commands: 1 });
    assert.deepEqual((await board('read')).payload, {
      mutations: [{ function: 'CollectWaste', parameters: { age: 7 }, agent: 'Waste Disposer' }],
    });
    const exported = JSON.parse((await board('export')).payload as string) as { blackboard: Record<string, unknown> };
    assert.deepEqual(exported.blackboard['internal_previously_generated_functions'], [call]);
    assert.deepEqual((await board('clear')).payload, { commands: 0 });
    assert.deepEqual((await board('read')).payload, { mutations: [] });
    assert.deepEqual(
      changes.map((one) => (JSON.parse(one) as { kind: string }).kind),
      ['data', 'cleared'],
      'whoever watches boards is told',
    );
  });

  it('keeps the board of each conversation apart', async () => {
    serve();
    await board('import', { file: file() });
    assert.deepEqual((await board('read', { conversation: 'other' })).payload, { mutations: [] });
  });

  it('says what is wrong with a file, and keeps the board', async () => {
    serve();
    await board('import', { file: file() });
    const { status, payload } = await board('import', { file: '{' });
    assert.deepEqual([status, payload], ['failed', 'The blackboard file is not JSON.']);
    const many = Array.from({ length: limits.boardMutations + 1 }, () => ({ function_name: 'X' }));
    assert.equal((await board('import', { file: file(many) })).status, 'failed');
    assert.equal(((await board('read')).payload as { mutations: unknown[] }).mutations.length, 1);
    assert.deepEqual(problems, [], 'that is the matter of who asked');
  });

  it('reports what is its own fault, and says that it failed', async () => {
    serve(undefined, { ...store, get: () => Promise.reject(new Error('the disk is gone')) });
    const { status, error } = await board('read');
    assert.deepEqual([status, error?.code, problems.length], ['failed', 'FOLKMOOT_RUN_FAILED', 1]);
  });

  it('lists its team, and reads the folders of agents again only when asked to', async () => {
    serve();
    assert.deepEqual((await asked({ kind: 'agents', operation: 'list' })).payload, team);
    assert.equal(reloads, 0);
    assert.deepEqual((await asked({ kind: 'agents', operation: 'reload' })).payload, {
      ...{ agents: [], problems: ['read 1 times'] },
    });
  });

  it('answers nobody who may not ask, and counts them', async () => {
    serve(({ user }) => (user === 'ana' ? 'Sorry, no.' : undefined));
    const { status, payload } = await board('clear');
    assert.deepEqual([status, payload, messages.dropped('homeAsk', 'not allowed')], ['refused', 'Sorry, no.', 1]);
  });

  it('drops what is in no right form', async () => {
    serve();
    const wrong = [
      { kind: 'board', operation: 'list', conversation: 'c' },
      { kind: 'board', operation: 'read' },
      { kind: 'board', operation: 'import', conversation: 'c' },
      { kind: 'agents', operation: 'clear' },
      { kind: 'lamps', operation: 'read' },
    ];
    for (const body of wrong)
      await bus.publish(ourTopics.homeAsk('south/1'), {
        payload: JSON.stringify({ v: 1, ...body }),
        ...{ responseTopic: ourTopics.answers('x'), correlation: '1' },
      });
    await asked({ kind: 'agents', operation: 'list' });
    assert.equal(messages.dropped('homeAsk', 'wrong field'), wrong.length);
  });
});
