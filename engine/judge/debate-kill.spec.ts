import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Verdict } from '../moot.ts';

const script = new URL('./debate.child.ts', import.meta.url).pathname;

describe('a debate over kill −9', () => {
  it('goes on in the middle of its second round: who has spoken is not asked again, and there is one verdict', async function () {
    this.timeout(30_000);
    const folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-debate-'));
    const process_ = (mode: string) =>
      promisify(execFile)(process.execPath, [script, path.join(folder, 'store.sqlite'), mode]);
    const linesOf = ({ stdout }: { stdout: string }) => stdout.split('\n').filter((line) => line !== '');
    try {
      const died = (await process_('start').catch((error: unknown) => error)) as { signal?: string; stdout: string };
      assert.equal(died.signal, 'SIGKILL');
      const asked = [1, 2].flatMap((round) => ['comfort', 'costs', 'garden'].map((who) => `ask:r1/r${round}-${who}`));
      assert.deepEqual(linesOf(died).sort(), asked.sort(), 'all were asked, and no verdict was delivered');

      const [again, result, ...more] = linesOf(await process_('resume'));
      assert.deepEqual([again, more], ['ask:r1/r2-garden', []], 'only who had not spoken is asked');
      const { outcome, verdict } = JSON.parse(result ?? '') as { outcome: string; verdict: Verdict };
      assert.deepEqual(
        [outcome, verdict.decision, verdict.round, verdict.votes],
        ['done', 'Heat', 2, { Heat: 0.9, Save: 0.6 }],
      );
      assert.deepEqual(
        verdict.mutations.map((one) => [one.function, one.agent]),
        [['Heat', 'comfort']],
      );

      assert.deepEqual(linesOf(await process_('resume')), [], 'nothing is left to go on with');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
