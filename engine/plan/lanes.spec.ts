/** Requests side by side: each in turn with those of its own conversation, person or sensor, and with nobody else's. */
import assert from 'node:assert/strict';
import type { PendingQuestion } from '../model/model.ts';
import { answerOf, obedient, planner, sampleRecords, sampleRunner, until } from '../../test/plan/sample-team.ts';
import { lanesOf } from './lanes.ts';
import type { RunnerOptions } from './run.ts';

const request = { id: 'r', via: 'amica' } as const;

describe('the lanes of a request', () => {
  it('are its conversation and its person on a topic', () => {
    const [conversation, person, ...more] = lanesOf({ conversation: 'c1', user: 'kim', topic: 't', request });
    assert.deepEqual(more, []);
    assert.deepEqual(lanesOf({ conversation: 'c1', user: 'lee', topic: 't', request })[0], conversation);
    assert.deepEqual(lanesOf({ conversation: 'c2', user: 'kim', topic: 't', request })[1], person);
    assert.notDeepEqual(lanesOf({ conversation: 'c2', user: 'kim', topic: 'other', request })[1], person);
    assert.notDeepEqual(lanesOf({ conversation: 't', user: 'a:b', topic: 'c' }), lanesOf({ user: 'a', topic: 'b:c' }));
  });

  it('keep people without a name apart, but not what one sensor tells', () => {
    assert.deepEqual(lanesOf({ conversation: 'c1', topic: 't', request }), ['conversation:c1']);
    assert.deepEqual(lanesOf({ conversation: 'c1', topic: 't' })[1], lanesOf({ conversation: 'c2', topic: 't' })[1]);
    assert.deepEqual(lanesOf({}), []);
  });
});

/** "slow" takes until it is let go, all else no time. */
function house(change: Partial<RunnerOptions> = {}) {
  const log: string[] = [];
  const records = sampleRecords();
  const slow = Promise.withResolvers<undefined>();
  const made = sampleRunner({
    records,
    overlap: 'conversation',
    call: planner((text) => answerOf([['lights', text]])),
    async ask(step, context) {
      if (step.prompt === 'slow') await slow.promise;
      return obedient(step, context);
    },
    deliver: ({ request: { text } }) => void log.push(`-${text}`),
    onEvent: ({ kind, data }) => kind === 'started' && log.push(`+${(data as { text: string }).text}`),
    ...change,
  });
  const say = (text: string, from: string) =>
    made.runner.start({ text, conversation: from, user: from, topic: 't', request });
  return { ...made, records, log, say, letGo: () => slow.resolve(undefined) };
}

describe('requests side by side', () => {
  it('wait for what takes long only in its own conversation', async () => {
    const { clock, log, say, letGo } = house();
    const ends = [say('slow', 'a'), say('after', 'a'), ...['b', 'c', 'd', 'e', 'f'].map((name) => say('quick', name))];
    await Promise.all(ends.slice(2));
    const quick = (sign: string) => Array<string>(5).fill(`${sign}quick`);
    assert.deepEqual(log.toSorted(), ['+slow', ...quick('+'), ...quick('-')].toSorted());
    letGo();
    await Promise.all(ends);
    assert.deepEqual(log.slice(11), ['-slow', '+after', '-after']);
    assert.equal(clock.waiting, 0);
  });

  it('answer what the one before in the conversation asks, however soon they came', async () => {
    for (const overlap of ['conversation', 'queued'] as const) {
      const open: PendingQuestion[] = [];
      const heard: (PendingQuestion | undefined)[] = [];
      const kept = Promise.withResolvers<undefined>();
      const { clock, say } = house({
        overlap,
        questions: {
          // Keeping it takes longer than planning anything.
          async open(_, question) {
            await kept.promise;
            open.push(question);
          },
          take: async () => open.shift(),
        },
        call: (call) => {
          heard.push(call.data.pending);
          const questions = [{ request: 'light', question: 'Which light?' }];
          return planner((text) => answerOf([], text === 'light' ? { questions } : {}))(call);
        },
      });
      const first = say('light', 'a');
      const second = say('the hall', 'a');
      await until(clock, () => heard.length === 1);
      for (let n = 0; n < 100; n += 1) await clock.advance(0);
      kept.resolve(undefined);
      await Promise.all([first, second]);
      assert.deepEqual(heard, [undefined, { request: 'light', question: 'Which light?' }], overlap);
    }
  });

  it('go on after a restart side by side too, in the order in which they were asked', async () => {
    const { runner, log, records, say, letGo } = house();
    for (const [run, text, from] of [
      ['r1', 'slow', 'a'],
      ['r2', 'after', 'a'],
      ['r3', 'quick', 'b'],
    ] as const)
      await records.open({ run, text, conversation: from, user: from, topic: 't', request }, 0);
    const ends = [...records.opened].map(([run, record]) => runner.resume(run, record));
    ends.push(say('last', 'a'));
    await ends[2];
    assert.deepEqual(log, ['+slow', '+quick', '-quick']);
    letGo();
    await Promise.all(ends);
    assert.deepEqual(log.slice(3), ['-slow', '+after', '-after', '+last', '-last']);
  });
});
