/** Plan, generate, execute with a person in between (rows 50, 54, 79). */
import assert from 'node:assert/strict';
import { answered, answerOf, mutation } from '../../test/plan/sample-team.ts';
import { lawnThenWaste, lightAndLawn, waitingHouse } from '../../test/plan/waiting-house.ts';
import type { RunResult } from './run-request.ts';
import type { RunEvent } from '../moot.ts';

const names = ({ mutations }: Pick<RunResult, 'mutations'>) => mutations.map(({ function: name }) => name);
const end = ({ outcome, reason }: RunResult) => [outcome, reason];
const planLines = ['This is what I would do:', '1. turn on the kitchen light', '2. mow the front lawn', 'Shall I?'];
const dataOf = (events: readonly RunEvent[], kind: RunEvent['kind']) =>
  events.filter((event) => event.kind === kind).map(({ data }) => data as Record<string, unknown>);

describe('a plan that waits for a person', () => {
  it('is shown before anything is asked of an agent, and carried out after a yes', async () => {
    const { say, asked, calls, events } = waitingHouse({ before: 'plan' });
    const shown = await say('make it nice');
    assert.deepEqual([...end(shown), names(shown)], ['asked', 'approval', []]);
    assert.equal(shown.payload, ['I see to it.', ...planLines].join('\n'));
    assert.equal(asked.length, 0);
    assert.deepEqual(
      shown.plan.steps.map(({ state }) => state),
      ['waiting', 'waiting'],
    );
    const [told] = dataOf(events, 'plan');
    assert.deepEqual([told?.['approve'], told?.['text']], [true, planLines.join('\n')]);
    const done = await say('yes');
    assert.deepEqual([...end(done), names(done)], ['done', undefined, ['SetLight', 'MowLawn', 'ProduceCutGrass']]);
    assert.equal(done.request.parent, shown.run);
    assert.equal(calls.length, 1, 'the plan was used as it is');
  });

  it('may be approved with the wish to be asked again before anything is done', async () => {
    const { say, events } = waitingHouse({ before: 'plan' });
    await say('make it nice');
    const shown = await say('yes, but ask me again before anything is done');
    assert.deepEqual([...end(shown), names(shown)], ['asked', 'approval', []]);
    assert.match(shown.payload, /This would be done:\n1\. .*light.*\n2\. .*\nShall I\?$/is);
    assert.deepEqual(
      (dataOf(events, 'approval')[0]?.['mutations'] as { function: string }[]).map((one) => one.function),
      ['SetLight', 'MowLawn', 'ProduceCutGrass'],
    );
    assert.deepEqual(names(await say('ok')), ['SetLight', 'MowLawn', 'ProduceCutGrass']);
  });

  it('is made anew of the old plan and what should be different, as often as wanted', async () => {
    const first = answerOf([['lights', 'turn on the kitchen light']]);
    const { say, calls } = waitingHouse({
      before: 'plan',
      plans: (text) => (/lawn/.test(text) ? lightAndLawn : first),
    });
    await say('make it nice');
    const shown = await say('no, the lawn too');
    assert.equal(calls[1]?.data.request, 'the lawn too');
    assert.deepEqual(
      calls[1]?.data.previous?.steps.map(({ prompt }) => prompt),
      ['turn on the kitchen light'],
    );
    assert.match(JSON.stringify(calls[1]?.messages), /turn on the kitchen light/, 'the model reads the old plan');
    assert.match(shown.payload, /2\. mow the front lawn/);
    const again = await say('the bedroom light instead');
    assert.equal(calls[2]?.data.previous?.steps.length, 2);
    assert.equal(end(again)[1], 'approval');
  });

  it('is carried out as the person changed it, when the approval brings a plan of its own', async () => {
    const { say, asked, calls } = waitingHouse({ before: 'plan' });
    const { plan, run } = await say('make it nice');
    const steps = plan.steps.slice(1).map((step) => ({ ...step, prompt: 'mow the back lawn' }));
    const done = await say('', { answer: { run, decision: 'approve', plan: { ...plan, steps } } });
    assert.deepEqual([...end(done), names(done)], ['done', undefined, ['MowLawn', 'ProduceCutGrass']]);
    assert.deepEqual(
      asked.map(({ prompt }) => prompt),
      ['mow the back lawn'],
    );
    assert.equal(calls.length, 1, 'nobody planned anew');
  });

  it('is planned with the wish to promise nothing, and by what a person says although an event began it', async () => {
    const event = [{ source: 'door', kind: 'open', value: true, time: '2026-01-01T00:00:00Z' }];
    const asked: string[] = [];
    const { say, send, calls } = waitingHouse({
      before: 'plan',
      history: async ({ text }) => (asked.push(text), []),
    });
    const { run } = await say('the door was opened', { event });
    assert.deepEqual([calls[0]?.data.asksFirst, calls[0]?.data.event], [true, event]);
    assert.match(JSON.stringify(calls[0]?.messages), /promise nothing/);
    await send({ text: '', answer: { run, decision: 'refine', text: 'only the light' } });
    assert.deepEqual([calls[1]?.data.request, calls[1]?.data.event], ['only the light', undefined]);
    await say('no, the lawn');
    assert.deepEqual([calls[2]?.data.request, asked[2]], ['the lawn', 'no, the lawn'], 'the history knows its own row');
    const plain = waitingHouse({ before: 'nothing' });
    await plain.say('make it nice');
    assert.equal(plain.calls[0]?.data.asksFirst, undefined);
  });

  it('asks what should be different when only that is said, and waits on', async () => {
    const { say, calls } = waitingHouse({ before: 'plan' });
    await say('make it nice');
    assert.equal((await say('change plan')).payload, 'What should be different?');
    assert.equal(calls.length, 1);
    await say('only the kitchen');
    assert.equal(calls[1]?.data.previous?.steps.length, 2);
    assert.equal((await say('yes')).outcome, 'done');
  });

  it('is left at a no, and a second yes finds nothing', async () => {
    const { say, asked, calls } = waitingHouse();
    await say('make it nice');
    const no = await say('no, thanks');
    assert.deepEqual([no.payload, ...end(no), names(no)], ['All right, I did nothing.', 'done', 'denied', []]);
    assert.deepEqual(
      no.plan.steps.map(({ state }) => state),
      ['cancelled', 'cancelled'],
    );
    await say('yes');
    assert.deepEqual([asked.length, calls.length], [0, 2], 'a yes to nothing is a request like any other');
  });

  it('waits on while something else is talked about', async () => {
    const talk = answerOf([], { message: 'It is half past four.' });
    const { say } = waitingHouse({ before: 'plan', plans: (text) => (/time/.test(text) ? talk : lightAndLawn) });
    await say('make it nice');
    const said = await say('what time is it?');
    assert.deepEqual(end(said), ['asked', 'approval']);
    assert.equal(said.payload, ['It is half past four.', ...planLines].join('\n'));
    assert.equal((await say('yes')).mutations.length, 3);
  });

  it('keeps a question that was asked beside it', async () => {
    const question = { request: 'close the blinds', question: 'Which blinds?' };
    const { say, calls } = waitingHouse({
      before: 'plan',
      plans: (text) => (/nice/.test(text) ? { ...lightAndLawn, questions: [question] } : lightAndLawn),
    });
    assert.match((await say('make it nice')).payload, /Which blinds\?\nThis is what/);
    await say('those of the hall');
    assert.deepEqual(calls[1]?.data.pending, question);
    const other = waitingHouse({ before: 'plan', plans: () => ({ ...lightAndLawn, questions: [question] }) });
    await other.say('make it nice');
    const done = await other.say('yes');
    assert.deepEqual(end(done), ['done', 'asked']);
    assert.match(done.payload, /Which blinds\?/);
    await other.say('those of the hall');
    assert.deepEqual(other.calls[1]?.data.pending, question);
  });

  it('takes that question along when it is denied', async () => {
    const question = { request: 'close the blinds', question: 'Which blinds?' };
    const { say, calls } = waitingHouse({ before: 'plan', plans: () => ({ ...lightAndLawn, questions: [question] }) });
    await say('make it nice');
    await say('no');
    await say('those of the hall');
    assert.equal(calls[1]?.data.pending, undefined);
  });

  it('shows refusals at once and only once', async () => {
    const { say } = waitingHouse({
      before: 'plan',
      plans: () =>
        answerOf([
          ['lights', 'turn on the kitchen light'],
          ['nobody', 'fly to the moon'],
        ]),
    });
    assert.match(
      (await say('make it nice')).payload,
      /Nobody here can do this: “fly to the moon”\.\nThis is what I would do: turn on the kitchen light\.\nShall I\?$/,
    );
    assert.doesNotMatch((await say('yes')).payload, /moon/);
  });

  it('asks nothing where nothing would be done', async () => {
    const { say } = waitingHouse({ plans: () => answerOf([['nobody', 'fly to the moon']]) });
    assert.equal((await say('fly')).outcome, 'refused');
    const talks = waitingHouse({ before: 'commands', ask: async () => answered('It is warm.') });
    assert.deepEqual(end(await talks.say('how warm is it?')), ['done', undefined]);
  });
});

describe('commands that wait for a person', () => {
  it('are shown in words, and keep their ids when they are approved', async () => {
    const { say, asked } = waitingHouse({ before: 'commands' });
    const shown = await say('make it nice');
    assert.deepEqual([...end(shown), names(shown)], ['asked', 'approval', []]);
    assert.equal(asked.length, 2);
    const done = await say('yes');
    assert.equal(asked.length, 2, 'no agent is asked again');
    const step = asked[0];
    assert.ok(step);
    assert.equal(done.mutations[0]?.id, mutation(shown.run, step, 'SetLight', { room: 'kitchen', state: 'on' }).id);
    assert.deepEqual([...new Set(done.mutations.map(({ run }) => run))], [done.run]);
  });

  it('go back to the plan when it is changed', async () => {
    const { say, calls } = waitingHouse();
    await say('make it nice');
    await say('yes');
    const shown = await say('change plan: only the lawn');
    assert.deepEqual([calls.at(-1)?.data.request, calls.at(-1)?.data.previous?.steps.length], ['only the lawn', 2]);
    assert.match(shown.payload, /This is what I would do/);
    assert.match((await say('yes')).payload, /This would be done/);
    assert.equal((await say('yes')).outcome, 'done');
  });

  it('are forgotten with the board of the conversation when it is started over', async () => {
    const { say, store, calls } = waitingHouse();
    await store.put('folkmoot:{c1}:board', { v: 1 });
    await say('make it nice');
    await say('yes');
    const over = await say('start over');
    assert.deepEqual([over.payload, names(over)], ['All right, we start over. What shall I do?', []]);
    assert.equal(await store.get('folkmoot:{c1}:board'), undefined);
    await say('make it nice');
    assert.equal(calls.at(-1)?.data.previous, undefined);
    await say('start over: something else');
    assert.deepEqual([calls.at(-1)?.data.request, calls.at(-1)?.data.previous], ['something else', undefined]);
  });

  it('are not those that only stand on the board', async () => {
    const { say } = waitingHouse({
      before: 'commands',
      plans: () => answerOf([['lawn-mower', 'say where grass was cut']]),
      ask: async (step, { run }) => answered('Noted.', [mutation(run, step, 'ProduceCutGrass', { area: 'front' })]),
    });
    assert.deepEqual(names(await say('note it')), ['ProduceCutGrass']);
  });

  it('are approved group by group, each on the board of the next', async () => {
    const { say, asked, events } = waitingHouse({ before: 'commands', by: 'group', plans: () => lawnThenWaste });
    const first = await say('tidy up');
    assert.deepEqual([...end(first), names(first)], ['asked', 'approval', []]);
    assert.deepEqual(
      asked.map(({ agent }) => agent),
      ['lawn-mower'],
    );
    const second = await say('yes');
    assert.deepEqual([...end(second), names(second)], ['done', 'asked', ['MowLawn', 'ProduceCutGrass']]);
    assert.match(second.payload, /Next, this would be done: .*front.*\nShall I\?$/s);
    assert.deepEqual(
      second.plan.steps.map(({ state }) => state),
      ['answered', 'waiting'],
    );
    const third = await say('yes');
    assert.deepEqual([...end(third), names(third)], ['done', undefined, ['CollectWaste']]);
    assert.deepEqual(third.mutations[0]?.parameters, { area: 'front' }, 'it saw where grass was cut');
    assert.deepEqual(
      dataOf(events, 'approval').map(({ group, groups }) => [group, groups]),
      [
        [1, 2],
        [2, 2],
      ],
    );
  });

  it('of a later group may be denied or changed; what was done stays done', async () => {
    const { say, calls } = waitingHouse({ before: 'commands', by: 'group', plans: () => lawnThenWaste });
    await say('tidy up');
    await say('yes');
    assert.equal((await say('no')).payload, 'All right, I do no more of it.');
    await say('tidy up');
    await say('yes');
    await say('no, leave the waste');
    assert.deepEqual(
      calls.at(-1)?.data.previous?.steps.map(({ agent }) => agent),
      ['waste-disposer'],
    );
    assert.ok(calls.at(-1)?.data.board.some(({ function: name }) => name === 'MowLawn'));
  });
});
