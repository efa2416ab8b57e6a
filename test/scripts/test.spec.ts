import assert from 'node:assert/strict';
import { fakeClone, type FakeClone } from './fake-clone.ts';

const script = 'scripts/test.mjs';
const lastLine = (output: string): string => output.trimEnd().split('\n').at(-1) ?? '';

describe('npm test', function () {
  this.timeout(20_000);
  let clone: FakeClone;
  before(async () => {
    clone = await fakeClone();
  });
  after(() => clone.remove());

  const run = (...words: readonly string[]) => clone.run(script, { words });

  it('installs and builds a fresh clone, then runs the short suites, each with its time', async () => {
    const { code, output } = await clone.run(script, { isNode20: true });
    assert.match(output, /^Installing .*\nBuilding …\nrandom seed \d+ \(run again with FOLKMOOT_SEED=\d+\)\n/);
    assert.match(output, /^good +3 passed, 0 failed, 0 skipped +\d+\.\d s$/m);
    assert.match(output, /^other +4 passed/m);
    assert.doesNotMatch(output, /slow|bad/);
    assert.deepEqual([code, lastLine(output)], [0, '7 passed, 0 failed, 0 skipped']);
    const suites = (await clone.calls()).filter((call) => call.includes('mocha.js'));
    assert.ok(suites.length === 2 && suites.every((call) => call.startsWith('node22 ')), suites.join('\n'));
  });

  it('runs named suites, also of the long tier', async () => {
    assert.equal(lastLine((await run('slow', 'good')).output), '203 passed, 0 failed, 0 skipped');
  });

  it('knows no suite that is not in the list', async () => {
    const { code, output } = await run('god');
    assert.match(output, /No suite is called god\. There are: good, other, slow/);
    assert.deepEqual([code, lastLine(output)], [1, '0 passed, 1 failed, 0 skipped']);
  });

  it('counts and shows what failed', async () => {
    const { code, output } = await run('bad', 'good');
    assert.match(output, /what went wrong/);
    assert.deepEqual([code, lastLine(output)], [1, '4 passed, 2 failed, 0 skipped']);
  });

  it('counts a suite that crashes or hangs as failed, and says which', async () => {
    const { code, output } = await run('fallen', 'stuck');
    assert.match(output, /^fallen .*ended with code 134$/m);
    assert.match(output, /^stuck .*did not end within 0\.1 s$/m);
    assert.deepEqual([code, lastLine(output)], [1, '0 passed, 2 failed, 0 skipped']);
  });

  it('says where a suite was that did not end, and what had failed by then', async () => {
    const { output } = await run('--long', 'lost');
    assert.match(output, /^failed: the one before: why$/m);
    assert.match(output, /^lost .*did not end within 3 s, at "a long way"$/m);
  });

  it('names and counts what was skipped', async () => {
    const { code, output } = await run('--long', 'peer');
    assert.match(output, /^skipped: a peer that is not there$/m);
    assert.deepEqual([code, lastLine(output)], [0, '1 passed, 0 failed, 1 skipped']);
  });

  it('hands the seed that it prints and the tier to the suites', async () => {
    const { output } = await clone.run(script, { words: ['told'], env: { FOLKMOOT_SEED: '42' } });
    assert.match(output, /^random seed 42 /m);
    const first = clone.inside('node_modules', 'node', 'bin');
    assert.ok(output.includes(`\nseed 42 long  ${first}:`), output);
    assert.match((await run('--long', 'told')).output, /^seed \d+ long 1 /m);
  });

  it('runs every suite in the long tier', async () => {
    const { output } = await run('--long');
    assert.match(lastLine(output), /^209 passed, 6 failed, 1 skipped$/);
  });
});
