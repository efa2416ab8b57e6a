import assert from 'node:assert/strict';
import { MemorySaver } from '@langchain/langgraph';
import { fakeClock, sleep } from '../clock.ts';
import { isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { emptyUsage } from '../model/usage.ts';
import type { PlanStep, RunEvent } from '../moot.ts';
import { answerOf, obedient, planner, sampleRecords, sampleRunner, slow, until } from '../../test/plan/sample-team.ts';
import type { AskContext } from './run-ports.ts';
import type { RunEnd } from './run-request.ts';
import type { RunnerOptions } from './run.ts';
import { createRuns } from './runs.ts';

/** One and two side by side, the third after both. */
const three = planner(() =>
  answerOf([
    ['lights', 'kitchen on'],
    ['climate', 'bedroom warm'],
    ['lawn-mower', 'mow front', [0, 1]],
  ]),
);

/** A runner whose first step takes 100 ms, the second 10 s, the third 100 ms. */
function threeSteps(change: Partial<RunnerOptions> = {}) {
  const log: string[] = [];
  const clock = fakeClock();
  const records = sampleRecords();
  const ask = slow(
    () => clock,
    ({ id }) => (id === 's2' ? 10_000 : 100),
    log,
  );
  return { ...sampleRunner({ clock, call: three, records, ask, ...change }), clock, records, log };
}

describe('a run that is stopped', () => {
  it('is cancelled: ends once, aborts its steps, is ended in the records and never goes on', async () => {
    const { runner, clock, records, log, events } = threeSteps();
    const end = runner.start({ text: 'x', run: 'r1' });
    await until(clock, () => log.length === 2);
    await clock.advance(100);
    assert.equal(runner.cancel('r1', 'The person said stop.'), true);
    const result = await end;
    assert.deepEqual([result?.outcome, result?.reason], ['cancelled', 'The person said stop.']);
    assert.equal(result?.payload, 'It was stopped.');
    assert.ok(result.plan.steps.every(({ state }) => state === 'cancelled' || state === 'answered'));
    assert.deepEqual(log, ['+s1', '+s2', '-s1']);
    assert.deepEqual(records.ended, [{ run: 'r1', outcome: 'cancelled', reason: 'The person said stop.' }]);
    assert.equal(events.filter(({ kind }: RunEvent) => kind === 'ended').length, 1);
    await assert.rejects(runner.resume('r1'), (error) => isFolkmootError(error, 'FOLKMOOT_BAD_INPUT'));
    assert.equal(runner.cancel('r1'), false);
    assert.equal(clock.waiting, 0);
  });

  it('ends as timeout at its deadline, but not while a person is asked', async () => {
    const { runner, clock, log } = threeSteps({ deadlineMs: 5000 });
    const end = runner.start({ text: 'x', run: 'r1' });
    await until(clock, () => log.length === 2);
    runner.pause('r1');
    await clock.advance(8000);
    assert.deepEqual(runner.open, ['r1']);
    runner.proceed('r1');
    await clock.advance(2000);
    await until(clock, () => log.length === 5);
    await clock.advance(100);
    assert.equal((await end)?.outcome, 'done');
    const again = runner.start({ text: 'x', run: 'r2' });
    await until(clock, () => log.length === 8);
    await clock.advance(5000);
    const result = await again;
    assert.deepEqual([result?.outcome, result?.payload], ['timeout', 'I did not finish in time.']);
    assert.equal(clock.waiting, 0);
  });

  it('has a hard end also while a person is asked', async () => {
    const { runner, clock, log } = threeSteps({
      ask: async (_step, { signal }) => {
        await sleep(clock, 10 * limits.runHardEndMs, signal);
        return assert.fail('never');
      },
    });
    assert.deepEqual(log, []);
    const end = runner.start({ text: 'x', run: 'r1' });
    await until(clock, () => clock.waiting > 2);
    runner.pause('r1');
    await clock.advance(limits.runHardEndMs);
    assert.equal((await end)?.outcome, 'timeout');
    assert.equal(clock.waiting, 0);
  });

  it('goes on in another process with what was not finished, and asks the same again', async () => {
    const saver = new MemorySaver();
    const first = threeSteps({ checkpointer: async () => saver });
    const asked: string[] = [];
    const end = first.runner.start({ text: 'x', run: 'r1', carry: { own: true } });
    await until(first.clock, () => first.log.length === 2);
    await first.clock.advance(100);
    assert.deepEqual(first.log, ['+s1', '+s2', '-s1']);
    await first.runner.close();
    assert.equal(await end, undefined);
    assert.equal(first.clock.waiting, 0);
    assert.deepEqual(first.records.ended, []);

    let plans = 0;
    const second = threeSteps({
      checkpointer: async () => saver,
      records: first.records,
      call: async (call) => ((plans += 1), three(call)),
      ask: async (step: PlanStep, context: AskContext) => {
        asked.push(context.id);
        return obedient(step, context);
      },
    });
    const result = await second.runner.resume('r1');
    assert.equal(plans, 0);
    assert.deepEqual(asked, ['ask:r1/s2', 'ask:r1/s3']);
    assert.equal(result?.outcome, 'done');
    assert.deepEqual(
      result.mutations.map(({ function: name }) => name),
      ['SetLight', 'SetTemperature', 'MowLawn', 'ProduceCutGrass'],
    );
    assert.deepEqual(result.request.carry, { own: true });
    assert.deepEqual(first.records.ended, [{ run: 'r1', outcome: 'done' }]);
    await assert.rejects(second.runner.resume('r1'), (error) => isFolkmootError(error, 'FOLKMOOT_BAD_INPUT'));
  });

  it('is stopped at any moment and resumed as often as it takes: every step is in the result once', async () => {
    const saver = new MemorySaver();
    const records = sampleRecords();
    let result;
    let stops = 0;
    for (let turn = 0; !result; turn += 1) {
      const made = threeSteps({ checkpointer: async () => saver, records });
      const end = turn === 0 ? made.runner.start({ text: 'x', run: 'r1' }) : made.runner.resume('r1');
      for (let n = 0; n < turn; n += 1) await made.clock.advance(n > 6 ? 10_000 : 0);
      if (turn < 20) {
        await made.runner.close();
        stops += 1;
      } else await until(made.clock, () => (void made.clock.advance(10_000), made.runner.open.length === 0));
      result = await end;
      assert.equal(made.clock.waiting, 0);
    }
    assert.ok(stops > 3);
    assert.deepEqual(
      result.mutations.map(({ function: name, step }) => `${name} ${step ?? ''}`),
      ['SetLight s1', 'SetTemperature s2', 'MowLawn s3', 'ProduceCutGrass s3'],
    );
    assert.equal(records.ended.length, 1);
  });

  it('is begun by the next one when it comes while all is being closed', async () => {
    const first = threeSteps();
    await first.runner.close();
    assert.equal(await first.runner.start({ text: 'x', run: 'r1' }), undefined);
    const second = threeSteps({ records: first.records, ask: obedient });
    assert.equal((await second.runner.resume('r1'))?.outcome, 'done');
  });

  it('is delivered by the next one when it ends while all is being closed', async () => {
    const clock = fakeClock();
    const records = sampleRecords();
    const delivered: string[] = [];
    const make = (name: string, beforeDelivery = async () => undefined as void) => {
      const request = { run: 'r1', text: 'x' };
      const rest = { mutations: [], usage: emptyUsage };
      const end: RunEnd = { run: 'r1', outcome: 'done', payload: name, request, ...rest };
      const one = async () => end;
      const deliver = () => void delivered.push(name);
      return createRuns(
        { clock, records, deliver },
        {
          perform: one,
          saved: async () => undefined,
          failed: () => end,
          stopped: () => end,
          tooDeep: () => end,
          beforeDelivery,
        },
      );
    };
    const first = make('first', async () => void first.close());
    assert.equal(await first.start({ text: 'x', run: 'r1' }), undefined);
    assert.equal((await make('second').resume('r1'))?.outcome, 'done');
    assert.deepEqual(delivered, ['second']);
    assert.deepEqual(records.ended, [{ run: 'r1', outcome: 'done' }]);
  });

  it('is delivered again, without asking, if it was stopped between its end and the records', async () => {
    const saver = new MemorySaver();
    const records = sampleRecords();
    const first = sampleRunner({ checkpointer: async () => saver, records, call: three });
    await first.runner.start({ text: 'x', run: 'r1' });
    await records.open({ text: 'x', run: 'r1' }, 0);
    const second = sampleRunner({
      checkpointer: async () => saver,
      records,
      ask: async () => assert.fail('nobody is asked'),
      clock: fakeClock(1),
    });
    assert.equal((await second.runner.resume('r1'))?.mutations.length, 4);
  });

  it('begins anew, with the same ask ids, if nothing was saved yet', async () => {
    const records = sampleRecords();
    const { runner, clock } = sampleRunner({ records, call: three });
    await records.open({ text: 'x', run: 'r1' }, clock.now());
    assert.equal((await runner.resume('r1'))?.outcome, 'done');
  });

  it('fails before anything is done if it cannot be put into the records', async () => {
    const records = { ...sampleRecords(), open: () => Promise.reject(new Error('disk full')) };
    const { runner } = sampleRunner({ records, call: three, ask: async () => assert.fail('nobody is asked') });
    const result = await runner.start({ text: 'x' });
    assert.deepEqual([result?.outcome, result?.error?.message], ['failed', 'disk full']);
  });
});

describe('runs that overlap', () => {
  const both = async (overlap: NonNullable<RunnerOptions['overlap']>) => {
    const { runner, clock, log, records } = threeSteps({ overlap });
    const one = runner.start({ text: 'x', run: 'r1' });
    await until(clock, () => log.length === 2);
    const two = runner.start({ text: 'x', run: 'r2' });
    await clock.advance(0);
    const open = [...runner.open];
    const ends: Promise<unknown>[] = [one, two];
    let over = false;
    void Promise.all(ends).then(() => (over = true));
    for (let n = 0; n < 200 && !over; n += 1) await clock.advance(500);
    const [first, second] = [await one, await two];
    assert.equal(clock.waiting, 0);
    assert.equal(records.ended.length, 2);
    return { open, words: [first, second].map((result) => `${result?.outcome} ${result?.reason ?? ''}`.trim()) };
  };

  it('queued: the second waits', async () => {
    assert.deepEqual(await both('queued'), { open: ['r1', 'r2'], words: ['done', 'done'] });
  });

  it('single: the second is dropped as cancelled, reason overlap', async () => {
    assert.deepEqual((await both('single')).words, ['done', 'cancelled overlap']);
  });

  it('restart: the first is stopped as cancelled, reason overlap', async () => {
    assert.deepEqual((await both('restart')).words, ['cancelled overlap', 'done']);
  });

  it('parallel: both run', async () => {
    assert.deepEqual(await both('parallel'), { open: ['r1', 'r2'], words: ['done', 'done'] });
  });

  it('gives the same end to whoever starts a run again that goes on, and cancels one that waits at once', async () => {
    const { runner, clock, log } = threeSteps();
    const one = runner.start({ text: 'x', run: 'r1' });
    assert.equal(runner.start({ text: 'x', run: 'r1' }), one);
    const two = runner.start({ text: 'x', run: 'r2' });
    await until(clock, () => log.length === 2);
    runner.cancel('r2');
    assert.equal((await two)?.outcome, 'cancelled');
    runner.cancel('r1');
    await one;
    assert.equal(clock.waiting, 0);
  });
});
