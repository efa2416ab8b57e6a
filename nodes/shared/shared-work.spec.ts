/** Who is asked whose an entry is, in this process. */
import assert from 'node:assert/strict';
import { fakeClock, type FakeClock } from '../../engine/clock.ts';
import { limits } from '../../engine/limits.ts';
import type { RequestInfo, TakenInfo } from '../../engine/moot.ts';
import type { Claim } from '../../engine/valkey/entry-claims.ts';
import { startValkey, type TestValkey } from '../../test/valkey-server.ts';
import { openBackbone, type Backbone } from '../backbone/open-backbone.ts';
import { hallOf } from '../bus-in/stream-desk.ts';
import { useClock } from './process.ts';
import { mayAct, mayActIn, mayGoOn, provideEntries, runBegan, runEnded, tellLeft } from './shared-work.ts';

const taken: TakenInfo = { stream: 's', group: 'g', consumer: 'p1-in', id: '1-0', process: 'p1', form: 'entries' };
const request: RequestInfo = { id: '1-0-in', via: 'stream', taken };
const { signal } = new AbortController();

describe('whose an entry is, in a process', () => {
  let clock: FakeClock;
  beforeEach(() => useClock((clock = fakeClock())));
  afterEach(() => useClock());
  const entries = (claim: () => Promise<Claim>) => {
    const log: string[] = [];
    const answer = (what: string) => (entry: { id: string }) => {
      log.push(`${what} ${entry.id}`);
      return claim();
    };
    const left = (entry: { id: string }, why: string) => void log.push(`left ${entry.id}: ${why}`);
    return { log, all: { look: answer('look'), act: answer('act'), left } };
  };

  it('is asked of who took it, and said in words when it is another’s', async () => {
    let claim: Claim = 'held';
    const { log, all } = entries(() => Promise.resolve(claim));
    const stop = provideEntries('p1', all);
    assert.equal(await mayGoOn(request, signal), undefined);
    assert.equal(await mayAct(request, signal), undefined);
    for (claim of ['taken', 'begun elsewhere', 'over'] as const) {
      const why = await mayGoOn(request, signal);
      assert.match(String(why), /^[A-Z][a-z ]+\.$/);
      assert.equal(await mayAct(request, signal), why);
    }
    tellLeft(request, 'Why.');
    assert.deepEqual(log.slice(0, 2), ['look 1-0', 'act 1-0']);
    assert.equal(log.at(-1), 'left 1-0: Why.');
    stop();
    tellLeft(request, 'Nobody hears it.');
    assert.equal(log.length, 9);
  });

  it('is no question for what came otherwise, nor before words of a talk', async () => {
    const { log, all } = entries(() => Promise.resolve('taken'));
    const stop = provideEntries('p1', all);
    assert.equal(await mayGoOn({ id: 'x', via: 'amica' }, signal), undefined);
    assert.equal(await mayAct(undefined, signal), undefined);
    const talk: RequestInfo = { ...request, taken: { ...taken, form: 'talk' } };
    assert.equal(await mayAct(talk, signal), undefined);
    assert.deepEqual(log, []);
    assert.notEqual(await mayGoOn(talk, signal), undefined);
    stop();
  });

  it('waits a while for who took it, and is nobody’s then', async () => {
    const asked = mayGoOn(request, signal);
    const { all } = entries(() => Promise.resolve('held'));
    const stop = provideEntries('p1', all);
    assert.equal(await asked, undefined);
    stop();
    const alone = mayAct(request, signal);
    await clock.advance(limits.streamResumeMs);
    assert.match(String(await alone), /connection .* not there any more/);
    const ending = new AbortController();
    const cut = mayAct(request, ending.signal);
    ending.abort(new Error('closed'));
    await assert.rejects(cut, /closed/);
    assert.equal(clock.waiting, 0);
  });

  it('is not ours when nobody could say', async () => {
    const { all } = entries(() => Promise.reject(new Error('NOPERM.')));
    const stop = provideEntries('p1', all);
    assert.equal(await mayAct(request, signal), 'Nobody could say whose it is. NOPERM.');
    stop();
  });

  it('is known of what is asked in its run, until that ends', async () => {
    const { log, all } = entries(() => Promise.resolve('taken'));
    const stop = provideEntries('p1', all);
    runBegan('r1', request);
    runBegan('r2', { id: 'x', via: 'amica' });
    assert.match(String(await mayActIn('r1', signal)), /taken it over/);
    assert.equal(await mayActIn('r2', signal), undefined);
    runEnded('r1');
    assert.equal(await mayActIn('r1', signal), undefined);
    assert.deepEqual(log, ['act 1-0']);
    stop();
  });

  describe('with connections', () => {
    let server: TestValkey;
    let backbone: Backbone | undefined;
    before(async () => void (server = await startValkey()));
    after(() => server.stop());
    afterEach(() => backbone?.close());

    it('is counted each time it is left, and told once a minute, until they are closed', async () => {
      const log: string[] = [];
      const settings = { bus: 'in-process', store: 'valkey', storeUrl: server.url, storePath: ':memory:' } as const;
      backbone = await openBackbone(settings, 'of this spec', (text) => log.push(text));
      hallOf(backbone);
      const own = { ...request, taken: { ...taken, process: backbone.processId } };
      for (let n = 0; n < 3; n += 1) tellLeft(own, 'Another one has it.');
      assert.deepEqual(backbone.metrics.snapshot().topics['s']?.dropped, { 'left to another': 3 });
      assert.deepEqual(log, ['Work of the stream "s" was not done here. Another one has it.']);
      await clock.advance(limits.badReportEveryMs);
      tellLeft(own, 'Another one has it.');
      assert.equal(log.length, 2);
      await backbone.close();
      tellLeft(own, 'Something else.');
      assert.equal(log.length, 2);
    });
  });
});
