import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startValkeyBench, type ValkeyBench } from '../../test/valkey-place.ts';
import { startValkey } from '../../test/valkey-server.ts';
import { checkpointerContract } from './checkpointer.contract.ts';
import { createEmbeddedStore } from './embedded.ts';

checkpointerContract('the embedded store', async (clock) => ({
  open: async () => createEmbeddedStore({ path: ':memory:', clock }),
  passTime: (ms) => clock.advance(ms),
  remove: async () => undefined,
}));

describe('on a Valkey server', () => {
  let bench: ValkeyBench;
  before(async () => void (bench = await startValkeyBench()));
  after(() => bench.stop());

  checkpointerContract('the store on Valkey', async (clock) => ({
    ...(await bench.makePlace()),
    passTime: async (ms) => {
      await clock.advance(ms);
      await bench.passTime(ms);
    },
  }));
});

describe('the checkpointer after a crash', function () {
  this.timeout(30_000);

  const finishesElsewhere = async (path: string) => {
    const script = new URL('./checkpointer.child.ts', import.meta.url).pathname;
    const run = (mode: string) =>
      new Promise<string[]>((done) => {
        execFile(process.execPath, [script, path, mode], (_error, stdout) => done(stdout.trim().split('\n')));
      });
    assert.deepEqual(await run('start'), ['first', 'second']);
    const [second, third, state] = await run('resume');
    assert.deepEqual([second, third], ['second', 'third']);
    assert.deepEqual(JSON.parse(state ?? ''), { request: 'turn on the light', done: ['first', 'second', 'third'] });
  };

  it('lets another process finish the run from the step that was not done', async () => {
    const path = mkdtempSync(join(tmpdir(), 'folkmoot-resume-'));
    await finishesElsewhere(path);
    rmSync(path, { recursive: true, force: true });
  });

  it('does so over a Valkey server too', async () => {
    const server = await startValkey();
    await finishesElsewhere(server.url);
    await server.stop();
  });
});
