/** Runs of work that others may take over: done by one. */
import assert from 'node:assert/strict';
import { answerOf, obedient, planner, sampleRecords, sampleRunner, until } from '../../test/plan/sample-team.ts';
import type { SharedWork } from './run-ports.ts';
import type { RunnerOptions } from './run.ts';

const another = 'Another one has taken it over.';

/** A runner over what the spec says of whose the work is; all that is asked, delivered and left, in order. */
function sharing(
  answers: { goOn?: string | undefined; act?: () => Promise<string | undefined> },
  more: Partial<RunnerOptions> = {},
) {
  const log: string[] = [];
  const shared: SharedWork = {
    async mayGoOn({ request }) {
      log.push(`go on ${request?.id ?? ''}?`);
      return answers.goOn;
    },
    mayAct({ request }) {
      log.push(`act ${request?.id ?? ''}?`);
      return answers.act?.() ?? Promise.resolve(undefined);
    },
    left: (run, _request, reason) => void log.push(`left ${run}: ${reason}`),
  };
  const records = sampleRecords();
  const made = sampleRunner({
    shared,
    records,
    call: planner(() => answerOf([['lights', 'kitchen on']])),
    ask(step, context) {
      log.push(`ask ${step.agent}`);
      return obedient(step, context);
    },
    deliver: ({ outcome }) => void log.push(`deliver ${outcome}`),
    ...more,
  });
  return { ...made, records, log };
}
const request = { id: '1-0-in', via: 'stream' } as const;

describe('a run of work that others may take over', () => {
  it('asks before it delivers, and delivers when it is its own', async () => {
    const { runner, log, records } = sharing({});
    const result = await runner.start({ run: 'r1', text: 'x', request });
    assert.equal(result?.outcome, 'done');
    assert.deepEqual(log, ['ask lights', 'act 1-0-in?', 'deliver done']);
    assert.deepEqual(records.ended, [{ run: 'r1', outcome: 'done' }]);
  });

  it('does nothing more when another one has it by then, and says so', async () => {
    const { runner, log, records, events } = sharing({ act: () => Promise.resolve(another) });
    await runner.start({ run: 'r1', text: 'x', request });
    assert.deepEqual(log, ['ask lights', 'act 1-0-in?', `left r1: ${another}`]);
    assert.deepEqual(records.ended, [{ run: 'r1', outcome: 'cancelled', reason: another }]);
    const { kind, data } = events.at(-1) ?? assert.fail('no event');
    assert.equal(kind, 'ended');
    assert.equal((data as { outcome: string }).outcome, 'cancelled');
  });

  it('asks before it goes on after a crash, and asks no agent when another one has it', async () => {
    for (const goOn of [another, undefined]) {
      const { runner, log, records } = sharing({ goOn });
      await records.open({ run: 'r1', text: 'x', request }, 0);
      await runner.resume('r1');
      const ours = ['ask lights', 'act 1-0-in?', 'deliver done'];
      assert.deepEqual(log, ['go on 1-0-in?', ...(goOn ? [`left r1: ${another}`] : ours)]);
      assert.equal(records.ended[0]?.outcome, goOn ? 'cancelled' : 'done');
    }
  });

  it('stays open when it is closed while nobody can say whose it is', async () => {
    let asked: AbortSignal | undefined;
    const { runner, clock, records, log } = sharing({});
    const waiting = sharing(
      {},
      {
        records,
        shared: {
          mayGoOn: () => Promise.resolve(undefined),
          mayAct(_request, signal) {
            asked = signal;
            return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
          },
          left: () => assert.fail('left'),
        },
      },
    );
    const end = waiting.runner.start({ run: 'r1', text: 'x', request });
    await until(waiting.clock, () => asked !== undefined);
    await waiting.runner.close();
    assert.equal(await end, undefined);
    assert.deepEqual(waiting.log, ['ask lights']);
    assert.deepEqual([records.ended, waiting.problems], [[], []]);
    await runner.resume('r1');
    assert.deepEqual(log, ['go on 1-0-in?', 'ask lights', 'act 1-0-in?', 'deliver done']);
    assert.equal(clock.waiting, 0);
  });
});
