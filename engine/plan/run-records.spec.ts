import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { Store } from '../store/store.ts';
import { createRunRecords } from './run-records.ts';

describe('run records', () => {
  const clock = fakeClock();
  let store: Store;
  const of = (owner: string) => createRunRecords(store, { owner, house: 'here', clock });
  beforeEach(() => {
    store = createEmbeddedStore({ path: ':memory:', clock });
  });
  afterEach(() => store.close());

  it('find what a node left open, oldest first, and nothing of another node', async () => {
    const mine = of('router');
    await mine.open({ run: 'r2', text: 'second' }, 2);
    await mine.open({ run: 'r1', text: 'first' }, 1);
    await of('other').open({ run: 'r3', text: 'third' }, 3);
    assert.deepEqual(
      (await mine.openRuns()).map(({ run }) => run),
      ['r1', 'r2'],
    );
    assert.equal(await mine.find('r3'), undefined);
  });

  it('keep an ended run with its outcome, and no longer as open', async () => {
    const mine = of('router');
    await mine.open({ run: 'r1', text: 'first' }, 1);
    await mine.end('r1', { outcome: 'cancelled', reason: 'removed' });
    await mine.end('r1', { outcome: 'done' });
    assert.deepEqual(await mine.openRuns(), []);
    assert.equal(await mine.find('r1'), undefined);
    assert.deepEqual([(await mine.read('r1'))?.outcome, (await mine.read('r1'))?.reason], ['cancelled', 'removed']);
  });

  it('change nothing when an open run is opened again', async () => {
    const mine = of('router');
    await mine.open({ run: 'r1', text: 'first' }, 1);
    await mine.open({ run: 'r1', text: 'other' }, 9);
    assert.equal((await mine.find('r1'))?.request.text, 'first');
  });

  it('keep the words of a request that carries more than a record holds', async () => {
    const mine = of('router');
    await mine.open({ run: 'r1', text: 'words', carry: { picture: 'x'.repeat(5 * 1024 * 1024) } }, 1);
    assert.deepEqual((await mine.find('r1'))?.request, { run: 'r1', text: 'words' });
  });
});
