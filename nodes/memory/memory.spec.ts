/** A memory in real Node-RED: by messages, over a wire from an asker, and after a restart. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToldMemory } from '../../engine/memory/operate.ts';
import type { AskAnswer } from '../../engine/moot.ts';
import { aCleanRegistry, modules as askModules, wire } from '../../test/red/ask-flow.ts';
import { arrivals, deploy, load, nextAt, node, onTab, settle, unload, type FlowNode } from '../../test/red/red.ts';
import backbone from '../backbone/backbone.ts';
import memoryStore from '../memory-store/memory-store.ts';
import { ask } from '../shared/ask.ts';
import type { Red } from '../shared/red.ts';
import { reach } from '../shared/walk.ts';
import memory, { type MemoryCard } from './memory.ts';

let RED: Red;
const spy = (red: Red): void => void (RED = red);
const modules = [...askModules, memory, memoryStore, backbone, spy] as never[];

describe('a memory in a flow', function () {
  this.timeout(30_000);
  let folder = '';
  const team = aCleanRegistry();
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'memory-node-'))));
  afterEach(async () => {
    await unload();
    rmSync(folder, { recursive: true });
  });

  const flow = (more: object = {}, others: readonly FlowNode[] = []): FlowNode[] =>
    onTab([
      { id: 'bb', type: 'folkmoot-backbone', storePath: folder },
      { id: 'store', type: 'folkmoot-memory-store', backbone: 'bb', folder: join(folder, 'memory') },
      wire('asker', 'test-asker', ['m']),
      wire('m', 'folkmoot-memory', ['result'], { memoryStore: 'store', ...more }),
      wire('catch', 'catch', ['caught'], { scope: ['m'], uncaught: false }),
      wire('done', 'complete', ['completed'], { scope: ['m'], uncaught: false }),
      ...['result', 'caught', 'completed'].map((id) => wire(id, 'helper', [])),
      ...others,
    ]);
  const tell = async (operation: string, payload: unknown, more: object = {}) => {
    const result = nextAt('result');
    node('m').receive({ operation, payload, ...more });
    return result;
  };
  const textsOf = (payload: unknown) => (payload as ToldMemory[]).map(({ text }) => text);
  const fails = async (message: object) => {
    const caught = nextAt('caught');
    node('m').receive(message);
    return ((await caught).error as { code: string }).code;
  };
  let asks = 0;
  const askMemory = (payload: unknown, user?: string): Promise<AskAnswer> =>
    ask({
      RED,
      asker: node('asker'),
      port: 0,
      id: `ask:run/s1/m${(asks += 1)}`,
      to: 'm',
      kind: 'memory',
      payload,
      moot: { v: 1, run: 'run', ...(user ? { user } : {}) },
      deadlineMs: 5000,
      signal: new AbortController().signal,
    });

  it('does as the message says, without any settings, and keeps topic, id and the rest', async () => {
    await load(modules, onTab([wire('m', 'folkmoot-memory', ['result']), wire('result', 'helper', [])]));
    const kept = await tell('remember', 'the spare key is with Maria', { topic: 'home', _msgid: 'id1', custom: 1 });
    assert.deepEqual(textsOf(kept.payload), ['the spare key is with Maria']);
    assert.deepEqual([kept.topic, kept._msgid, kept['custom']], ['home', 'id1', 1]);
    node('m').receive({ payload: 'where is the spare key?' });
    const [found] = (await nextAt('result')).payload as ToldMemory[];
    const time = new Date(team.clock().now()).toISOString();
    assert.deepEqual(found, { text: 'the spare key is with Maria', kind: 'note', source: 'home', time, score: 1 });
    assert.deepEqual(textsOf((await tell('forget', 'the spare key')).payload), ['the spare key is with Maria']);
    assert.deepEqual((await tell('recall', 'the spare key')).payload, []);
  });

  it('does what it is set to do, as often as it is set to, in words when that is set', async () => {
    await load(modules, flow({ operation: 'remember', result: 'words' }));
    assert.equal((await tell('forget', 'tea at four')).payload, 'I will remember: “tea at four”.');
    await tell('', { text: 'tea is in the cupboard', kind: 'place' });
    await deploy(flow({ operation: 'recall', most: '1', result: 'list' }), 'full');
    assert.equal(((await tell('', 'tea')).payload as unknown[]).length, 1);
    assert.equal(((await tell('', { query: 'tea', k: 5 })).payload as unknown[]).length, 2);
    const [place] = (await tell('', 'cupboard')).payload as ToldMemory[];
    assert.deepEqual([place?.kind, place?.score], ['place', 1]);
  });

  it('keeps people apart, and those without a name from all of them', async () => {
    await load(modules, flow());
    const moot = (user?: string) => ({ moot: { v: 1, ...(user ? { user } : {}) } });
    await tell('remember', 'the spare key is with Maria', moot('anna'));
    await tell('remember', 'the spare key is under the pot', moot());
    const asked = async (user?: string) =>
      textsOf((await tell('recall', 'where is the spare key?', moot(user))).payload);
    assert.deepEqual(await asked('anna'), ['the spare key is with Maria']);
    assert.deepEqual(await asked(), ['the spare key is under the pot']);
    for (const other of ['bert', 'Anna', 'anybody', 'user:anna']) assert.deepEqual(await asked(other), []);
  });

  it('answers what agents ask over a wire, in words, and tells its result too', async () => {
    await load(modules, flow());
    assert.deepEqual(
      [...reach<MemoryCard>(RED, node('asker'), 0, 'memory').values()],
      [{ nodeId: 'm', name: 'memory' }],
    );
    const results = arrivals('result');
    const kept = await askMemory({ operation: 'remember', text: 'the spare key is with Maria' }, 'anna');
    assert.deepEqual(kept, {
      status: 'answered',
      payload: 'I will remember: “the spare key is with Maria”.',
      mutations: [],
    });
    const recalled = await askMemory({ operation: 'recall', query: 'where is the spare key?', k: 2 }, 'anna');
    assert.equal(recalled.payload, 'You told me: “the spare key is with Maria”.');
    const nobody = await askMemory({ operation: 'recall', query: 'where is the spare key?' }, 'bert');
    assert.equal(nobody.payload, 'I don’t remember anything about that.');
    assert.match(String((await askMemory({ operation: 'recall', query: '' }, 'anna')).payload), /with Maria/);
    assert.match(String((await askMemory({ operation: 'forget', query: 'spare key' }, 'anna')).payload), /forgotten/);
    await settle();
    assert.deepEqual(results.map(({ payload }) => textsOf(payload).length), [1, 1, 0, 1, 1]); // prettier-ignore
    assert.ok(results.every(({ moot, _msgid }) => moot?.ask === undefined && !_msgid.startsWith('ask:')));
  });

  it('asks back before it forgets everything: a flow, and an agent whose own words are no yes', async () => {
    await load(modules, flow({ result: 'words' }));
    const moot = (conversation: string) => ({ moot: { v: 1, user: 'anna', conversation } });
    for (const text of ['tea at four', 'milk is out']) await tell('remember', text, moot('c1'));
    const all = 'Shall I forget all 2 things that you told me? They would be gone for good.';
    const asked = await tell('forget', 'everything', moot('c1'));
    assert.deepEqual([asked.payload, asked.moot?.reason], [all, 'asked']);
    assert.match(String((await tell('forget', 'yes', moot('c2'))).payload), /^I have forgotten nothing/);
    const back = await askMemory({ operation: 'forget', query: 'everything' }, 'anna');
    assert.deepEqual([back.payload, back.asked, back.asksYes], [all, true, true]);
    const said = await askMemory({ operation: 'forget', query: 'yes' }, 'anna');
    assert.match(String(said.payload), /nothing to forget/);
    await settle();
    assert.match(String((await tell('recall', 'everything', moot('c1'))).payload), /milk[^]*tea|tea[^]*milk/);
    await team.clock().advance(301_000);
    assert.match(String((await tell('forget', 'yes', moot('c1'))).payload), /^I have forgotten nothing/);
    await tell('forget', 'everything', moot('c1'));
    assert.match(String((await tell('forget', 'Yes, please.', moot('c1'))).payload), /forgotten all of this/);
    await tell('remember', 'tea at four', moot('c1'));
    await askMemory({ operation: 'forget', query: 'everything' }, 'anna');
    const sure = await askMemory({ operation: 'forget', query: 'everything', confirmed: true }, 'anna');
    assert.match(String(sure.payload), /I have forgotten “tea/);
  });

  it('passes over an ask that is for another node, without a word', async () => {
    await load(modules, flow());
    const completed = arrivals('completed');
    const results = arrivals('result');
    node('m').receive({ _msgid: 'ask:run/s1/m99', payload: { operation: 'recall', query: 'key' } });
    await settle();
    assert.deepEqual([completed.length, results.length], [0, 0]);
  });

  it('says to an agent in words what can’t be remembered, and to a flow through Catch', async () => {
    await load(modules, flow());
    for (const payload of [{ operation: 'remember', text: '?!' }, { operation: 'dance' }, 'remember', null]) {
      const { status, payload: words, error } = await askMemory(payload, 'anna');
      assert.deepEqual([status, error?.code], ['refused', 'FOLKMOOT_BAD_INPUT']);
      assert.match(String(words), /^I can’t remember that/);
    }
    assert.equal(await fails({ operation: 'remember', payload: 'x'.repeat(2001) }), 'FOLKMOOT_BAD_INPUT');
    assert.equal(await fails({ operation: 'remember', payload: '' }), 'FOLKMOOT_BAD_INPUT');
    assert.equal(await fails({ operation: 'dance', payload: 'x' }), 'FOLKMOOT_BAD_INPUT');
    assert.equal(await fails({ payload: { query: 'x', k: 'many' } }), 'FOLKMOOT_BAD_INPUT');
    assert.equal(await fails({ payload: 'x', moot: 'mine' }), 'FOLKMOOT_BAD_INPUT');
  });

  it('keeps what it was told over a deploy and a restart', async () => {
    await load(modules, flow());
    await tell('remember', 'the spare key is with Maria');
    await deploy(flow({ name: 'changed' }), 'nodes');
    assert.equal(textsOf((await tell('recall', 'spare key')).payload).length, 1);
    await unload();
    await load(modules, flow());
    assert.equal(textsOf((await tell('recall', 'spare key')).payload).length, 1);
  });

  it('carries on that strangers wrote it', async () => {
    await load(modules, flow());
    await tell('remember', 'the door code is 1234', { moot: { v: 1, tainted: true } });
    assert.equal((await tell('recall', 'door code')).moot?.tainted, true);
    await tell('remember', 'tea at four');
    assert.equal((await tell('recall', 'tea')).moot?.tainted, undefined);
  });

  it('says through Catch that its store is gone or not right', async () => {
    await load(modules, flow({ memoryStore: 'nowhere' }));
    assert.equal(await fails({ payload: 'x' }), 'FOLKMOOT_MISSING_CONFIG');
    await unload();
    const wrong = flow().map((one) => (one.id === 'store' ? { ...one, space: 'My Home!' } : one));
    await load(modules, wrong);
    assert.equal(await fails({ payload: 'x' }), 'FOLKMOOT_BAD_SETTING');
  });
});
