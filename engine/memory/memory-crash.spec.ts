import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../clock.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { repeats, seed } from '../../test/red/tier.ts';
import { createLexicalEmbed } from './lexical.ts';
import { createMemory } from './memory.ts';
import { openVectraIndex } from './vectra-index.ts';

const script = new URL('./memory.child.ts', import.meta.url).pathname;
const embed = createLexicalEmbed();

describe('a memory whose process is killed', function () {
  this.timeout(repeats(200) * 10_000);
  let path: string;
  beforeEach(() => void (path = mkdtempSync(join(tmpdir(), 'memory-crash-'))));
  afterEach(() => rmSync(path, { recursive: true, force: true }));

  const folder = () => join(path, 'memory');
  function reopened() {
    const store = createEmbeddedStore({ path });
    const openIndex = () => openVectraIndex({ folder: folder(), embedId: embed.id, dimensions: embed.dimensions });
    const problems: Error[] = [];
    const onProblem = (error: Error) => void problems.push(error);
    const memory = createMemory({ store, openIndex, embed, clock: systemClock, space: 'home', onProblem });
    const close = async () => {
      await memory.close();
      await store.close();
    };
    return { memory, problems, openIndex, close };
  }

  /** Kills it after so many acknowledgements; gives what was acknowledged. */
  async function work(first: number, acknowledgements: number): Promise<{ kept: Set<number>; last: number }> {
    const child = spawn(process.execPath, [script, path, folder(), String(first)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    const kept = new Set<number>();
    let [count, last] = [0, first];
    for await (const line of createInterface({ input: child.stdout })) {
      const [what, n] = line.split(' ');
      last = Number(n);
      if (what === 'kept') kept.add(last);
      else kept.delete(last);
      if ((count += 1) === acknowledgements) child.kill('SIGKILL');
    }
    await exit;
    return { kept, last };
  }

  it('has all that was acknowledged, nothing that was forgotten, and an index that fits', async () => {
    let next = 0;
    const expected = new Set<number>();
    for (let round = 0; round < repeats(200); round += 1) {
      const { kept, last } = await work(next, 4 + ((seed() + round * 7) % 20));
      kept.forEach((n) => expected.add(n));
      // It was being forgotten when the process was killed.
      if (last % 3 === 0) expected.delete(last);
      next = last + 2;
      // Every third time the index is cut off on top of it.
      if (round % 3 === 2) truncateSync(join(folder(), `${embed.id}.json`), 50);
      const { memory, problems, openIndex, close } = reopened();
      for (const n of [...expected].slice(-5)) {
        const [best] = await memory.recall({ subject: 'anna', query: `where is box number ${n}?`, k: 1 });
        assert.equal(best?.record.text, `box number ${n} stands on shelf ${n % 7}`, `seed ${seed()}`);
      }
      const index = openIndex();
      const size = (await index.ids()).size;
      // The one that was being kept or forgotten when the process was killed may be there or not.
      assert.ok(size >= expected.size && size <= expected.size + round + 1, `${size} for ${expected.size}`);
      await index.close();
      assert.deepEqual(problems, []);
      await close();
    }
  });
});
