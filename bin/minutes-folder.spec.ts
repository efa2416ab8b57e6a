import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { keepMinutesTidy, minutesAgeMs, mostMinutes, tidyMinutes } from './minutes-folder.ts';

describe('the folder of minutes', () => {
  let folder = '';
  const now = Date.UTC(2026, 2, 4);
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'folkmoot-minutes-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const add = async (name: string, ageMs: number) => {
    const file = path.join(folder, name);
    await writeFile(file, '{}');
    const at = new Date(now - ageMs);
    await utimes(file, at, at);
  };

  it('loses minutes that are older than a year, and nothing else', async () => {
    await add('old.minute.json', minutesAgeMs + 1_000);
    await add('young.minute.json', minutesAgeMs - 1_000);
    await add('notes.txt', minutesAgeMs * 2);
    await tidyMinutes(folder, now);
    assert.deepEqual((await readdir(folder)).sort(), ['notes.txt', 'young.minute.json']);
  });

  it('keeps the newest thousand', async () => {
    for (let n = 0; n < mostMinutes + 2; n += 1) await add(`c${n}.minute.json`, n * 1_000);
    await tidyMinutes(folder, now);
    const left = await readdir(folder);
    assert.equal(left.length, mostMinutes);
    assert.ok(!left.includes(`c${mostMinutes}.minute.json`) && left.includes('c0.minute.json'));
  });

  it('need not be there', async () => {
    await tidyMinutes(path.join(folder, 'none'), now);
    keepMinutesTidy(path.join(folder, 'none'))();
  });
});
