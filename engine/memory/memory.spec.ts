import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fakeClock, type FakeClock } from '../clock.ts';
import { isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { Store } from '../store/store.ts';
import { createLexicalEmbed } from './lexical.ts';
import type { MemoryIndex } from './memory-index.ts';
import { createMemory, type Memory, type MemoryRecord } from './memory.ts';
import { openVectraIndex } from './vectra-index.ts';

const embed = createLexicalEmbed();
const newIndex = () => openVectraIndex({ embedId: embed.id, dimensions: embed.dimensions });

describe('a memory', () => {
  let clock: FakeClock;
  let store: Store;
  let index: MemoryIndex;
  let memory: Memory;
  let problems: Error[];
  const makeMemory = (openIndex: () => MemoryIndex = () => index, space = 'home') =>
    createMemory({ store, openIndex, embed, clock, space, onProblem: (error) => void problems.push(error) });
  beforeEach(() => {
    clock = fakeClock();
    store = createEmbeddedStore({ path: ':memory:', clock });
    index = newIndex();
    problems = [];
    memory = makeMemory();
  });
  afterEach(async () => {
    await memory.close();
    await store.close();
    assert.equal(clock.waiting, 0);
  });

  const keep = async (text: string, subject = 'anna') => {
    await clock.advance(1000);
    return memory.remember({ subject, text });
  };
  const texts = (records: readonly { record: MemoryRecord }[]) => records.map(({ record }) => record.text);
  const ask = async (query: string, subject = 'anna', more: { k?: number; threshold?: number } = {}) =>
    texts(await memory.recall({ subject, query, ...more }));
  const forget = (query: string, subject = 'anna') => memory.forget({ subject, query });

  it('gives back what was said to the one who said it, and nothing to others', async () => {
    await keep('the spare key is with Maria');
    await keep('the bins go out on Tuesday');
    assert.deepEqual(await ask('where is the spare key?'), ['the spare key is with Maria']);
    assert.deepEqual(await ask('where is the spare key?', 'bert'), []);
    assert.deepEqual(await ask('where is the spare key?', 'Anna'), []);
    assert.deepEqual(await ask('when do the bins go out'), ['the bins go out on Tuesday']);
  });

  it('keeps when, what kind, from where, and that strangers wrote it', async () => {
    const { record } = await memory.remember({
      subject: 'anna',
      text: ' tea at four ',
      kind: 'summary',
      source: 'c1',
      tainted: true,
    });
    const { id, ...rest } = record;
    assert.match(id, /^[0-9a-f]{32}$/);
    const time = new Date(clock.now()).toISOString();
    assert.deepEqual(rest, { v: 1, text: 'tea at four', kind: 'summary', subject: 'anna', source: 'c1', time, tainted: true }); // prettier-ignore
  });

  it('finds by other forms of a word, by typing errors, and in other languages', async () => {
    await keep('the spare keys are in the blue box');
    await keep('Der Ersatzreifen liegt im Keller');
    assert.deepEqual(await ask('spare key?'), ['the spare keys are in the blue box']);
    assert.deepEqual(await ask('where is the spair key'), ['the spare keys are in the blue box']);
    assert.deepEqual(await ask('spair', 'anna', { threshold: 0.05 }), ['the spare keys are in the blue box']);
    assert.deepEqual(await ask('Wo liegen die Ersatzreifen?'), ['Der Ersatzreifen liegt im Keller']);
  });

  it('finds nothing for what was never said', async () => {
    await keep('the spare key is with Maria');
    for (const query of ['what is the capital of Peru?', 'where is it?', 'who are you?', '???', 'the'])
      assert.deepEqual(await ask(query), query === '???' ? ['the spare key is with Maria'] : [], query);
  });

  it('gives the best first, of equals the newest, and at most k', async () => {
    await keep('the spare key is with Anna');
    await keep('the spare tyre is in the car');
    await keep('the spare key is with Maria');
    assert.deepEqual(await ask('where is the spare key'), [
      'the spare key is with Maria',
      'the spare key is with Anna',
      'the spare tyre is in the car',
    ]);
    assert.deepEqual(await ask('spare key', 'anna', { k: 1 }), ['the spare key is with Maria']);
    assert.deepEqual(await ask('spare key', 'anna', { threshold: 0.95 }), [
      'the spare key is with Maria',
      'the spare key is with Anna',
    ]);
  });

  it('says which of what it gives surely fits', async () => {
    await keep('the spare tyre is in the car');
    await keep('the spare key is with Maria');
    const found = await memory.recall({ subject: 'anna', query: 'where is the spare key' });
    assert.deepEqual(found.map(({ isSure }) => isSure), [true, false]); // prettier-ignore
    found.forEach(({ score }) => assert.ok(score >= limits.memoryThreshold && score <= 1));
  });

  it('gives the newest when it is asked for everything', async () => {
    for (const n of [1, 2, 3, 4]) await keep(`cupboard ${n} holds plates`);
    for (const query of ['what do you remember?', 'everything', 'what have I told you', ''])
      assert.deepEqual(await ask(query, 'anna', { k: 2 }), ['cupboard 4 holds plates', 'cupboard 3 holds plates']);
  });

  it('keeps one of what is said twice, also with other articles, case and full stop', async () => {
    const { record } = await keep('The spare key is with Maria');
    for (const text of [
      'the spare key is with Maria.',
      'that spare key is with maria',
      '“The  spare key is with Maria”',
    ]) {
      const again = await keep(text);
      assert.deepEqual([again.isNew, again.record], [false, record]);
    }
    assert.equal((await keep('the spare key is under Maria')).isNew, true);
    assert.equal((await keep('the code is 1234')).isNew, true);
    assert.equal((await keep('the code is 1235')).isNew, true);
    assert.equal((await keep('the spare key is not with Maria')).isNew, true);
    assert.equal((await keep('the spare key is with Maria', 'bert')).isNew, true);
  });

  it('forgets the one that is meant, out of store and index', async () => {
    const { record } = await keep('the spare key is with Maria');
    await keep('the bins go out on Tuesday');
    assert.deepEqual(await forget('where the spare key is'), { forgotten: [record], candidates: [] });
    assert.deepEqual(await ask('spare key'), []);
    assert.equal((await index.ids()).has(record.id), false);
    assert.equal(JSON.stringify(await store.scan('folkmoot:')).includes('Maria'), false);
    assert.deepEqual(await ask('bins'), ['the bins go out on Tuesday']);
  });

  it('forgets nothing when several may be meant, or none, or it is another one’s', async () => {
    await keep('the spare key is with Maria');
    await keep('the car key is on the hook');
    const { forgotten, candidates } = await forget('the key');
    assert.deepEqual([forgotten.length, candidates.length], [0, 2]);
    assert.deepEqual(await forget('the capital of Peru'), { forgotten: [], candidates: [] });
    assert.deepEqual(await forget('the key', 'bert'), { forgotten: [], candidates: [] });
    for (const query of ['it', 'that I told you', 'what you know'])
      assert.equal((await forget(query)).forgotten.length, 0);
    assert.equal((await ask('everything')).length, 2);
  });

  it('forgets the very words also when others say them too', async () => {
    await keep('the spare key is with Maria');
    await keep('the spare key is with Maria or Anna');
    assert.equal((await forget('The spare key is with Maria.')).forgotten.length, 1);
    assert.deepEqual(await ask('spare key'), ['the spare key is with Maria or Anna']);
  });

  describe('that is told to forget everything', () => {
    const yes = (conversation?: string, subject = 'anna') =>
      memory.forget({ subject, query: 'yes', conversation, confirmed: true });
    const all = (conversation?: string) =>
      memory.forget({ subject: 'anna', query: 'everything you know about me', conversation });
    beforeEach(async () => {
      await keep('the spare key is with Maria');
      await keep('the bins go out on Tuesday');
      await keep('tea at four', 'bert');
    });

    it('asks back, and does it after a yes, for one person and once', async () => {
      const asked = await all('c1');
      assert.deepEqual([asked.forgotten.length, asked.candidates.length, asked.asksBack], [0, 2, true]);
      assert.equal((await ask('everything')).length, 2);
      assert.equal((await yes('c1')).forgotten.length, 2);
      assert.deepEqual(await ask('everything'), []);
      assert.deepEqual(await ask('everything', 'bert'), ['tea at four']);
      await keep('milk is out');
      assert.deepEqual(await yes('c1'), { forgotten: [], candidates: [], isLate: true });
      assert.deepEqual(await ask('everything'), ['milk is out']);
    });

    it('takes no yes of another conversation, of another person, or after five minutes', async () => {
      await all('c1');
      for (const late of [await yes('c2'), await yes(), await yes('c1', 'bert')])
        assert.deepEqual(late, { forgotten: [], candidates: [], isLate: true });
      await clock.advance(limits.questionOpenMs - 1);
      await all('c3');
      await clock.advance(1);
      assert.equal((await yes('c1')).isLate, true);
      assert.equal((await ask('everything')).length, 2);
      assert.equal((await yes('c3')).forgotten.length, 2);
    });

    it('is not told yes by being told so again, and keeps what came after its question', async () => {
      for (let turn = 0; turn < 3; turn += 1) assert.equal((await all('c1')).asksBack, true);
      await keep('milk is out');
      assert.equal((await yes('c1')).forgotten.length, 2);
      assert.deepEqual(await ask('everything'), ['milk is out']);
      assert.equal((await all('c1')).asksBack, true);
      assert.equal((await yes('c1')).forgotten.length, 1);
      assert.deepEqual(await all('c1'), { forgotten: [], candidates: [] });
    });
  });

  it('refuses what has no words, is too long, or has no room', async () => {
    const refused = (text: string, code: string) =>
      assert.rejects(keep(text), (error: unknown) => isFolkmootError(error) && error.code === code);
    await refused('?!', 'FOLKMOOT_BAD_INPUT');
    await refused('', 'FOLKMOOT_BAD_INPUT');
    await refused('x'.repeat(limits.memoryChars + 1), 'FOLKMOOT_BAD_INPUT');
    for (let n = 0; n < limits.memoriesPerPerson; n += 1)
      await memory.remember({ subject: 'anna', text: `thing ${n}` });
    await refused('one more', 'FOLKMOOT_LIMIT');
    assert.equal((await memory.remember({ subject: 'anna', text: 'thing 7' })).isNew, false);
    assert.equal((await keep('one more', 'bert')).isNew, true);
  }).timeout(60_000);

  it('keeps memories of two names apart', async () => {
    const other = makeMemory(newIndex, 'office');
    await keep('the spare key is with Maria');
    assert.deepEqual(await other.recall({ subject: 'anna', query: 'spare key' }), []);
    await other.close();
  });

  it('recalls by words when the index does not work, says so, and mends the index later', async () => {
    let isBroken = true;
    await memory.close();
    memory = makeMemory(() => {
      if (isBroken) throw new Error('the disk is full');
      return index;
    });
    index = newIndex();
    await keep('the spare key is with Maria');
    assert.deepEqual(await ask('where is the spare key?'), ['the spare key is with Maria']);
    assert.deepEqual([...new Set(problems.map(({ message }) => message))], ['the disk is full']);
    isBroken = false;
    assert.deepEqual(await ask('where are the spare kees?'), ['the spare key is with Maria']);
    assert.equal((await index.ids()).size, 1);
  });

  it('fills an index that lost entries, and takes away what the store no longer has', async () => {
    const { record } = await keep('the spare key is with Maria');
    const stale = { id: 'stale', subject: 'x', vector: [1, ...new Array<number>(embed.dimensions - 1).fill(0)] };
    await index.rebuild([stale]);
    const again = makeMemory();
    assert.equal((await again.recall({ subject: 'anna', query: 'spare kee' }))[0]?.record.id, record.id);
    assert.deepEqual([...(await index.ids())], [record.id]);
  });

  it('keeps every one of any texts with words', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((one) => /[\p{L}\p{N}]/u.test(one));
    await fc.assert(
      fc.asyncProperty(text, fc.string(), async (words, subject) => {
        const { record } = await memory.remember({ subject, text: words });
        assert.equal(record.text, words.trim());
        const found = await memory.recall({ subject, query: words, k: 20 });
        assert.ok(found.some((one) => one.record.id === record.id));
      }),
      { numRuns: 50 },
    );
    assert.deepEqual(problems, []);
  });
});
