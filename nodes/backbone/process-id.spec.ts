import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeClock } from '../../engine/clock.ts';
import { limits } from '../../engine/limits.ts';
import { useClock } from '../shared/process.ts';
import { claimProcessName } from './process-id.ts';

describe('the name of this process on a bus', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'folkmoot-process-'));
  });
  afterEach(async () => {
    useClock();
    await rm(folder, { recursive: true, force: true });
  });
  const nameOf = async (path: string, node: string): Promise<string> => {
    const name = await claimProcessName(path, node);
    name.release();
    return name.id;
  };

  it('is the same after a restart, and another one for each node and folder', async () => {
    const inside = join(folder, 'made', 'anew');
    const first = await nameOf(inside, 'a');
    assert.match(first, /^[a-f0-9]{16}$/);
    assert.equal(await nameOf(inside, 'a'), first);
    assert.notEqual(await nameOf(inside, 'b'), first);
    assert.notEqual(await nameOf(folder, 'a'), first);
  });

  it('lasts as long as the process with a store in memory, or a folder that can not be written', async () => {
    assert.equal(await nameOf(':memory:', 'a'), await nameOf(':memory:', 'a'));
    await writeFile(join(folder, 'file'), '');
    const below = join(folder, 'file', 'below');
    assert.equal(await nameOf(below, 'a'), await nameOf(below, 'a'));
  });

  it('is made anew when its file is spoilt', async () => {
    await writeFile(join(folder, 'process-id.json'), '{"id": "../../x"}');
    assert.equal(await nameOf(folder, 'a'), await nameOf(folder, 'a'));
  });

  it('is waited for while another connection has it, and not for ever', async () => {
    const clock = fakeClock();
    useClock(clock);
    const first = await claimProcessName(':memory:', 'x');
    const second = claimProcessName(':memory:', 'x');
    const third = claimProcessName(':memory:', 'x');
    first.release();
    const had = await Promise.race([second, third]);
    assert.equal(had.id, first.id);
    await clock.advance(limits.deployLingerMs + limits.closeWaitMs);
    const both = await Promise.all([second, third]);
    assert.equal(new Set(both.map(({ id }) => id)).size, 2);
    for (const name of both) name.release();
    assert.equal(await nameOf(':memory:', 'x'), first.id);
    assert.equal(clock.waiting, 0);
  });
});
