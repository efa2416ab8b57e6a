import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MemorySaver } from '@langchain/langgraph';
import { debateRules, sampleDebates, stubborn } from '../../test/plan/sample-debate.ts';
import { sampleRecords } from '../../test/plan/sample-team.ts';
import { systemClock } from '../clock.ts';
import type { Checkpointer } from '../plan/plan-state.ts';
import { createCheckpointer } from '../store/checkpointer.ts';
import { createEmbeddedStore } from '../store/embedded.ts';

/** Holds a debate that is closed as soon as so many were answered; gives whom it asked and who answered. */
async function heldUntil(checkpointer: Checkpointer, records: ReturnType<typeof sampleRecords>, answers: number) {
  const answered: string[] = [];
  const { debates, clock } = sampleDebates({
    records,
    checkpointer: async () => checkpointer,
    rules: debateRules({ rounds: 3 }),
    ask: (ask) =>
      answered.length >= answers
        ? new Promise((_resolve, reject) => {
            ask.signal.addEventListener('abort', () => reject(ask.signal.reason as Error), { once: true });
          })
        : (answered.push(ask.id), stubborn(ask)),
  });
  const isNew = records.opened.size === 0;
  const end = isNew ? debates.start({ run: 'r1', text: 'it is cold' }) : debates.resume('r1');
  let result: Awaited<typeof end>;
  let over = false;
  void end.then((made) => {
    result = made;
    over = true;
  });
  let turns = 0;
  // Turns, not time: a store on disk compresses in threads of its own and needs many more of them than memory does.
  const isHeld = () => over || (answered.length >= answers && (turns += 1) > 20);
  let left = 50_000;
  while (!isHeld() && (left -= 1) > 0) await clock.advance(0);
  assert.ok(left > 0, 'the debate never came so far');
  await debates.close();
  await end;
  return { answered, result };
}

const allAsked = [1, 2, 3].flatMap((round) => [`ask:r1/r${round}-comfort`, `ask:r1/r${round}-costs`]);

describe('a debate that goes on in another process', () => {
  it('asks only who has not spoken, wherever it was stopped, and comes to the same verdict', async () => {
    for (let stop = 0; stop < 6; stop += 1) {
      const saver = new MemorySaver();
      const records = sampleRecords();
      const first = await heldUntil(saver, records, stop);
      const second = await heldUntil(saver, records, 99);
      assert.deepEqual([...first.answered, ...second.answered].sort(), [...allAsked].sort(), `stopped after ${stop}`);
      assert.deepEqual(
        [second.result?.outcome, second.result?.verdict?.decision, second.result?.verdict?.round],
        ['done', 'Heat', 3],
      );
      assert.deepEqual(records.ended, [{ run: 'r1', outcome: 'done' }]);
    }
  });

  it('is saved after each round', async () => {
    const saver = new MemorySaver();
    const { debates } = sampleDebates({ checkpointer: async () => saver, rules: debateRules({ rounds: 3 }) });
    await debates.start({ run: 'r1', text: 'x' });
    const rounds = new Set<number>();
    for await (const { values } of (await debates.graph()).history('r1')) {
      const { statements = [] } = values as { statements?: readonly unknown[] };
      rounds.add(statements.length);
    }
    assert.deepEqual([...rounds].sort(), [0, 2, 4, 6]);
  });

  it('finds it in the embedded store, opened anew', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-debate-'));
    try {
      const records = sampleRecords();
      const answered: string[][] = [];
      for (const stop of [3, 99]) {
        const store = createEmbeddedStore({ path: path.join(folder, 'debate.sqlite'), clock: systemClock });
        const saver = await createCheckpointer(store, { clock: systemClock });
        const held = await heldUntil(saver, records, stop);
        answered.push(held.answered);
        if (stop === 99) assert.equal(held.result?.verdict?.decision, 'Heat');
        await store.close();
      }
      assert.deepEqual(answered.flat().sort(), [...allAsked].sort());
      assert.equal(answered[0]?.length, 3);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
