import assert from 'node:assert/strict';
import { answered, answerOf, mutation, until } from '../../test/plan/sample-team.ts';
import { waitingHouse } from '../../test/plan/waiting-house.ts';
import { limits } from '../limits.ts';
import type { RunResult } from './run-request.ts';

const names = ({ mutations }: Pick<RunResult, 'mutations'>) => mutations.map(({ function: name }) => name);

describe('who answers what waits, and when', () => {
  it('is only who was asked', async () => {
    const { say, asked } = waitingHouse({ before: 'plan' });
    await say('make it nice');
    const other = await say('yes', { user: 'bert' });
    assert.deepEqual(
      [other.payload, other.outcome],
      ['I asked somebody else for that, so I wait for their answer.', 'refused'],
    );
    for (const more of [
      { conversation: 'c2', user: 'bert' },
      { conversation: 'c3', topic: 'elsewhere' },
    ])
      await say('yes', more);
    assert.equal(asked.length, 0);
    assert.equal((await say('yes')).mutations.length, 3);
  });

  it('may be the same user in another conversation on the same topic, by plain decisions only', async () => {
    const { say, calls } = waitingHouse({ before: 'plan' });
    await say('make it nice');
    await say('the bedroom', { conversation: 'c2' });
    assert.equal(calls.at(-1)?.data.previous, undefined, 'a request like any other');
    await say('no', { conversation: 'c2' });
    assert.equal((await say('yes', { conversation: 'c3' })).mutations.length, 3);
  });

  it('may be a wire, by the run, by the conversation, or when only one waits', async () => {
    const { say, send } = waitingHouse({ before: 'plan' });
    const { run } = await say('make it nice');
    const by = (answer: { run?: string; decision: 'approve' | 'deny' }, conversation = 'c9') =>
      send({ text: '', conversation, answer });
    const nothing = await by({ decision: 'approve', run: 'unknown' });
    assert.deepEqual([nothing.outcome, nothing.payload.slice(0, 14)], ['refused', 'Nothing waits ']);
    assert.equal((await by({ decision: 'approve' })).outcome, 'refused', 'nothing waits in that conversation');
    assert.equal((await by({ decision: 'approve', run })).mutations.length, 3);
    assert.equal((await by({ decision: 'approve', run })).outcome, 'refused', 'it was answered');
    await say('make it nice');
    assert.equal((await by({ decision: 'deny' }, 'c1')).payload, 'All right, I did nothing.');
  });

  it('may bring another plan instead', async () => {
    const { say, send, calls } = waitingHouse({ before: 'plan' });
    const { run, plan } = await say('make it nice');
    const steps = plan.steps.slice(1);
    const shown = await send({ text: '', answer: { run, decision: 'refine', plan: { message: '', steps } } });
    assert.match(shown.payload, /This is what I would do: mow the front lawn\./);
    const strange = [{ ...steps[0]!, agent: 'nobody' }];
    const done = await send({
      text: '',
      answer: { decision: 'approve', plan: { message: '', steps: [...steps, ...strange] } },
    });
    assert.deepEqual(names(done), ['MowLawn', 'ProduceCutGrass']);
    assert.match(done.payload, /Nobody here can do this/);
    assert.equal(calls.length, 1);
  });

  it('comes in time, or is told that it is too late', async () => {
    const { say, clock, asked } = waitingHouse({ before: 'plan' });
    await say('make it nice');
    await clock.advance(limits.approvalMs + 1);
    const late = await say('yes');
    assert.equal(late.payload, 'That waited too long, so I did nothing. Please ask me again.');
    assert.deepEqual([late.outcome, asked.length], ['refused', 0]);
    await say('make it nice');
    await clock.advance(limits.approvalMs);
    assert.equal((await say('yes')).mutations.length, 3);
  });

  it('counts once: of two at the same time one finds nothing', async () => {
    const { say } = waitingHouse({ before: 'plan', overlap: 'parallel' });
    const { run } = await say('make it nice');
    const ends = await Promise.all([1, 2].map(() => say('yes', { answer: { run, decision: 'approve' } })));
    assert.deepEqual(ends.map(({ outcome }) => outcome).sort(), ['done', 'refused']);
  });

  it('counts once, also when the second comes while the first is carried out', async () => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const { say, asked, clock } = waitingHouse({
      before: 'plan',
      overlap: 'parallel',
      ask: async () => (await gate, answered('Done.')),
    });
    const { run } = await say('make it nice');
    const first = say('yes');
    await until(clock, () => asked.length === 2);
    assert.equal((await say('', { answer: { run, decision: 'approve' } })).outcome, 'refused');
    go();
    assert.deepEqual([(await first).outcome, asked.length], ['done', 2]);
  });

  it('finds the plan after a restart, and after an answer that went wrong', async () => {
    let isBroken = true;
    const house = waitingHouse({
      before: 'plan',
      ask: async (step, { run }) =>
        isBroken
          ? { status: 'failed', payload: null, mutations: [] }
          : answered('', [mutation(run, step, 'SetLight', { room: 'kitchen', state: 'on' })]),
      plans: () => answerOf([['lights', 'turn on the kitchen light']]),
    });
    await house.say('make it nice');
    await house.runner.close();
    const later = house.begin();
    assert.equal((await house.send({ text: 'yes' }, later)).outcome, 'failed');
    isBroken = false;
    assert.deepEqual(names(await house.send({ text: 'yes' }, later)), ['SetLight']);
  });

  it('is never without end', async () => {
    const { say } = waitingHouse({ before: 'plan' });
    await say('make it nice');
    for (let n = 1; n < limits.planLegs; n += 1) await say('other');
    assert.match((await say('other')).payload, /changed too often/);
  });

  it('goes on with what happened, and with strangers’ hands in it', async () => {
    const event = [{ source: 'door', kind: 'open', value: true, time: '2026-01-01T00:00:00Z' }];
    const { say, send } = waitingHouse({ before: 'plan' });
    const { run } = await say('the door was opened', { event, tainted: true, data: '{"a":1}' });
    const { request } = await send({ text: '', answer: { run, decision: 'approve' } });
    assert.deepEqual([request.event, request.tainted, request.data], [event, true, '{"a":1}']);
  });
});
