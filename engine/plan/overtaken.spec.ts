/** Requests side by side that set the same thing: it ends as if they had come one after the other. */
import assert from 'node:assert/strict';
import {
  answered,
  answerOf,
  mutation,
  planner,
  sampleRecords,
  sampleRunner,
  until,
} from '../../test/plan/sample-team.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { fakeClock } from '../clock.ts';
import { restOf } from './rest.ts';
import { createRunRecords } from './run-records.ts';
import type { RunResult } from './run-request.ts';
import type { RunnerOptions } from './run.ts';

/** "kitchen on; hall off": a command for each part. Words with "slow" take until they are let go. */
function house(change: Partial<RunnerOptions> = {}) {
  const sent: string[] = [];
  const slow = Promise.withResolvers<undefined>();
  const records = sampleRecords();
  const made = sampleRunner({
    records,
    overlap: 'conversation',
    call: planner((text) => answerOf(text.split('; ').map((part) => ['lights', part] as const))),
    async ask(step, { run }) {
      if (step.prompt.startsWith('slow')) await slow.promise;
      const [room = '', state = ''] = step.prompt.split(' ').slice(-2);
      return answered('Done.', [mutation(run, step, 'SetLight', { room, state })]);
    },
    deliver: ({ mutations }) =>
      void sent.push(...mutations.map(({ parameters: p }) => `${p['room'] as string} ${p['state'] as string}`)),
    ...change,
  });
  const say = async (text: string, from: string): Promise<RunResult> =>
    (await made.runner.start({ run: text, text, conversation: from })) ?? assert.fail('closed');
  return { ...made, records, sent, say, letGo: () => slow.resolve(undefined) };
}

const off = 'Not done: Kitchen light on. Meanwhile this was asked for: Kitchen light off.';

describe('what an earlier request sets after a later one', () => {
  it('is not done, and its person is told, when both can’t be; all else is', async () => {
    const { say, sent, letGo, clock } = house();
    const earlier = say('slow kitchen on; bedroom on', 'a');
    await say('kitchen off', 'b');
    letGo();
    const { mutations, outcome, plan } = await earlier;
    assert.deepEqual(sent, ['kitchen off', 'bedroom on']);
    assert.equal(restOf(plan, mutations), off);
    assert.equal(outcome, 'done');
    assert.equal(clock.waiting, 0);
  });

  it('leaves words only when nothing of it is left', async () => {
    const { say, sent, letGo } = house();
    const earlier = say('slow kitchen on', 'a');
    await say('kitchen off', 'b');
    letGo();
    assert.equal((await earlier).payload, off);
    assert.deepEqual(sent, ['kitchen off']);
  });

  it('is done when it is the same, another thing, or what the last one set too', async () => {
    const { say, sent, letGo } = house();
    const earlier = ['slow kitchen on', 'slow bedroom on', 'slow living_room off'].map((text) => say(text, text));
    for (const text of ['kitchen on', 'living_room on', 'living_room off']) await say(text, text);
    letGo();
    await Promise.all(earlier);
    assert.deepEqual(sent.slice(3).toSorted(), ['bedroom on', 'kitchen on', 'living_room off']);
  });

  it('takes back nothing of a request that was asked later', async () => {
    const { say, sent, letGo } = house();
    const first = say('kitchen off', 'a');
    const later = say('slow kitchen on', 'b');
    await first;
    letGo();
    await later;
    assert.deepEqual(sent, ['kitchen off', 'kitchen on']);
  });

  it('is not done either when nothing of it can be kept, and that is told as a problem', async () => {
    const records = { ...sampleRecords(), overtake: () => Promise.reject(new Error('disk full')) };
    const { say, sent, letGo, problems } = house({ records });
    const earlier = ['slow kitchen on', 'slow bedroom on'].map((text) => say(text, text));
    await say('kitchen off; bedroom off', 'b');
    letGo();
    await Promise.all(earlier);
    assert.deepEqual(sent, ['kitchen off', 'bedroom off']);
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['disk full'],
    );
  });

  it('is not done after a power cut in between either', async () => {
    const clock = fakeClock();
    const store = createEmbeddedStore({ path: ':memory:', clock });
    const records = createRunRecords(store, { owner: 'router', house: 'h', clock });
    const before = house({ clock, records });
    // The power went: nothing more comes of it.
    void before.say('slow kitchen on', 'a');
    await before.say('kitchen off', 'b');
    const after = house({ clock, records, checkpointer: async () => before.saver });
    after.letGo();
    const [left, ...more] = await records.openRuns();
    assert.ok(left && more.length === 0);
    const again = await after.runner.resume(left.run, left);
    assert.deepEqual([again?.payload, after.sent], [off, []]);
    await records.overtake?.(left.run, []);
    assert.deepEqual(await records.openRuns(), [], 'what has ended stays so');
    await store.close();
  });
});

describe('results that act', () => {
  it('leave one after the other, so that none overtakes another on its way out', async () => {
    const begun: string[] = [];
    const out = Promise.withResolvers<undefined>();
    const { say, clock } = house({
      async deliver({ request: { text } }) {
        begun.push(text);
        if (text === 'kitchen on') await out.promise;
      },
    });
    const first = say('kitchen on', 'a');
    await until(clock, () => begun.length === 1);
    const second = say('kitchen off', 'b');
    for (let n = 0; n < 100; n += 1) await clock.advance(0);
    assert.deepEqual(begun, ['kitchen on']);
    out.resolve(undefined);
    await Promise.all([first, second]);
    assert.deepEqual(begun, ['kitchen on', 'kitchen off']);
  });
});
