import assert from 'node:assert/strict';
import { fakeClone, type FakeClone, type Running } from './fake-clone.ts';

const script = 'scripts/start.mjs';

const until = async (isSo: () => boolean): Promise<void> => {
  const end = Date.now() + 15_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error('It did not come to that.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

describe('npm start', function () {
  this.timeout(20_000);
  let clone: FakeClone;
  let running: Running | undefined;
  beforeEach(async () => {
    clone = await fakeClone();
  });
  afterEach(async () => {
    running?.child.kill('SIGKILL');
    await clone.remove();
  });

  it('installs, builds and runs the home under Node.js 22 on a host with 20, and ends with it', async () => {
    running = clone.start(script, { isNode20: true, words: ['--fresh'] });
    const { child, output, ended } = running;
    await until(() => output().includes('Folkmoot ready'));
    assert.match(output(), /^Installing .*\nBuilding …\nFolkmoot ready --fresh\n/);
    const home = (await clone.calls()).at(-1);
    assert.equal(home, `node22 --disable-warning=ExperimentalWarning ${clone.inside('bin', 'start.ts')} --fresh`);
    child.kill('SIGTERM');
    const { code } = await ended;
    assert.match(output(), /closing\n$/);
    assert.equal(code, 7, 'the code is that of the home');
  });

  it('ends as the home does when that refuses to start', async () => {
    assert.equal((await clone.run(script, { words: ['--refuse'] })).code, 3);
  });

  it('starts nothing when the install or the build fails', async () => {
    const { code, output } = await clone.run(script, { env: { NPM_FAILS: 'ci' } });
    assert.equal(code, 1);
    assert.match(output, /Installing failed; the lines above say why\.\n$/);
    await clone.write('engine/broken.ts', '');
    assert.match((await clone.run(script)).output, /Building failed; the lines above say why\.\n$/);
  });
});
