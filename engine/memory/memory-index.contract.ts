/** What every adapter of the memory index port does. Adapters' specs call this with a way to make one. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isFolkmootError, type ErrorCode } from '../errors.ts';
import type { IndexEntry, MemoryIndex } from './memory-index.ts';

export interface IndexPlace {
  /** Of three dimensions. Each call gives one more user of the same index. */
  open(): Promise<MemoryIndex>;
  remove(): Promise<void>;
}

export interface IndexMaker {
  /** True when what was added is there after everybody closed it. */
  readonly persists: boolean;
  makePlace(): Promise<IndexPlace>;
}

const entry = (id: string, vector: readonly number[], subject = 'anna'): IndexEntry => ({ id, vector, subject });
const rejectsWith = (code: ErrorCode, work: Promise<unknown>): Promise<void> =>
  assert.rejects(work, (error: unknown) => isFolkmootError(error, code));
const idsFor = async (index: MemoryIndex, vector: readonly number[], k = 10, subject = 'anna'): Promise<string[]> =>
  (await index.query({ vector, subject, k })).map(({ id }) => id);

/** The contract, as a suite of the calling spec. */
export function memoryIndexContract(name: string, maker: IndexMaker): void {
  describe(name, () => {
    let place: IndexPlace;
    let index: MemoryIndex;
    beforeEach(async () => {
      place = await maker.makePlace();
      index = await place.open();
    });
    afterEach(async () => {
      await index.close();
      await place.remove();
    });

    it('finds nothing while it is empty, and fewer than asked for when there are fewer', async () => {
      assert.deepEqual(await idsFor(index, [1, 0, 0]), []);
      await index.add([entry('a', [1, 0, 0])]);
      assert.deepEqual(await idsFor(index, [1, 0, 0], 10), ['a']);
    });

    it('gives the best first, at most so many', async () => {
      await index.add([entry('far', [0, 1, 0]), entry('near', [1, 0.1, 0]), entry('between', [1, 1, 0])]);
      assert.deepEqual(await idsFor(index, [1, 0, 0], 2), ['near', 'between']);
    });

    it('scores by cosine, whatever the lengths of the vectors', async () => {
      await index.add([entry('one', [0.3, 0.4, 0]), entry('scaled', [3, 4, 0]), entry('opposite', [-3, -4, 0])]);
      const hits = await index.query({ vector: [6, 8, 0], subject: 'anna', k: 3 });
      const scores = new Map(hits.map(({ id, score }) => [id, Math.round(score * 1e6) / 1e6]));
      assert.deepEqual(scores, new Map([['one', 1], ['scaled', 1], ['opposite', -1]])); // prettier-ignore
    });

    it('keeps subjects apart', async () => {
      await index.add([entry('a', [1, 0, 0], 'anna'), entry('b', [1, 0, 0], 'bert')]);
      assert.deepEqual(await idsFor(index, [1, 0, 0], 10, 'anna'), ['a']);
      assert.deepEqual(await idsFor(index, [1, 0, 0], 10, 'bert'), ['b']);
      assert.deepEqual(await idsFor(index, [1, 0, 0], 10, 'nobody'), []);
    });

    it('puts an entry with a known id in the place of the old one', async () => {
      await index.add([entry('a', [1, 0, 0])]);
      await index.add([entry('a', [0, 1, 0])]);
      const [hit, ...more] = await index.query({ vector: [0, 1, 0], subject: 'anna', k: 5 });
      assert.deepEqual([hit?.id, Math.round(hit?.score ?? 0), more.length], ['a', 1, 0]);
    });

    it('refuses a zero vector, no numbers, and a wrong size; nothing of that call is added', async () => {
      for (const wrong of [
        [0, 0, 0],
        [1, Number.NaN, 0],
        [1, 0],
      ])
        await rejectsWith('FOLKMOOT_BAD_INPUT', index.add([entry('good', [1, 0, 0]), entry('bad', wrong)]));
      await rejectsWith('FOLKMOOT_BAD_INPUT', index.query({ vector: [0, 0, 0], subject: 'anna', k: 1 }));
      assert.deepEqual([...(await index.ids())], []);
    });

    it('removes what is named; unknown ids are no error', async () => {
      await index.add([entry('a', [1, 0, 0]), entry('b', [0, 1, 0])]);
      await index.remove(['a', 'unknown']);
      await index.remove([]);
      assert.deepEqual([...(await index.ids())], ['b']);
      assert.deepEqual(await idsFor(index, [1, 0, 0]), ['b']);
    });

    it('is rebuilt from a list: these and no other, and what is added meanwhile', async () => {
      await index.add([entry('old', [1, 0, 0])]);
      await Promise.all([
        index.rebuild([entry('a', [1, 0, 0]), entry('b', [0, 1, 0])]),
        index.add([entry('c', [0, 0, 1])]),
      ]);
      assert.deepEqual([...(await index.ids())].sort(), ['a', 'b', 'c']);
    });

    it('takes many changes at once, in their order', async () => {
      const ids = Array.from({ length: 50 }, (_, at) => `n${at}`);
      await Promise.all(ids.map((id, at) => index.add([entry(id, [1, at, 0])])));
      await Promise.all([index.add([entry('x', [1, 0, 0])]), index.remove(['x', 'n0']), index.remove(['n1'])]);
      assert.deepEqual([...(await index.ids())].sort(), ids.slice(2).sort());
    });

    it('sees in a query all that was added before, also what is not saved yet', async () => {
      const adding = index.add([entry('a', [1, 0, 0])]);
      assert.deepEqual(await idsFor(index, [1, 0, 0]), ['a']);
      await adding;
    });

    it('shows every user of one place the same', async () => {
      const other = await place.open();
      await index.add([entry('a', [1, 0, 0])]);
      await other.add([entry('b', [0, 1, 0])]);
      assert.deepEqual([...(await index.ids())].sort(), ['a', 'b']);
      await other.close();
      assert.deepEqual([...(await index.ids())].sort(), ['a', 'b']);
    });

    it('has the nearest of any entries first', async () => {
      const number = fc.integer({ min: -9, max: 9 });
      const vector = fc.tuple(number, number, number).filter((v) => v.some((n) => n !== 0));
      await fc.assert(
        fc.asyncProperty(fc.array(vector, { minLength: 1, maxLength: 12 }), vector, async (vectors, wanted) => {
          await index.rebuild(vectors.map((v, at) => entry(`e${at}`, v)));
          const scores = (await index.query({ vector: wanted, subject: 'anna', k: 12 })).map(({ score }) => score);
          const cosine = (v: readonly number[]) =>
            v.reduce((sum, n, at) => sum + n * (wanted[at] ?? 0), 0) / (Math.hypot(...v) * Math.hypot(...wanted));
          const expected = vectors.map(cosine).sort((a, b) => b - a);
          assert.equal(scores.length, vectors.length);
          scores.forEach((score, at) => assert.ok(Math.abs(score - (expected[at] ?? 0)) < 1e-6));
        }),
        { numRuns: 30 },
      );
    });

    it('says so when it is used after it was closed', async () => {
      const other = await place.open();
      await other.close();
      await rejectsWith('FOLKMOOT_STORE_FAILED', other.add([entry('a', [1, 0, 0])]));
      await rejectsWith('FOLKMOOT_STORE_FAILED', other.query({ vector: [1, 0, 0], subject: 'anna', k: 1 }));
      await other.close();
    });

    if (maker.persists) {
      it('has everything when it is opened again', async () => {
        await index.add([entry('a', [1, 0, 0]), entry('b', [0, 1, 0])]);
        await index.remove(['b']);
        await index.close();
        index = await place.open();
        assert.deepEqual(await idsFor(index, [1, 0, 0]), ['a']);
      });
    }
  });
}
