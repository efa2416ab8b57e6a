import assert from 'node:assert/strict';
import { fakeClock, type FakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Mutation, PlanStep, RunEvent } from '../moot.ts';
import { createRunList, type RunList } from './run-list.ts';
import type { RunLook } from './run-look.ts';

const step = (id: string, agent: string, more: Partial<PlanStep> = {}): PlanStep => ({
  id,
  agent,
  prompt: `do ${id}`,
  parameters: {},
  after: [],
  state: 'waiting',
  ...more,
});
const lamp: Mutation = {
  id: 'm1',
  run: 'r1',
  step: 's1',
  agent: 'lights',
  function: 'SetLight',
  parameters: { room: 'hall', brightness: 40 },
  risk: 'reversible',
};

describe('the list of runs that are watched', () => {
  let clock: FakeClock;
  let list: RunList;
  let changes: number;

  beforeEach(() => {
    clock = fakeClock();
    changes = 0;
    list = createRunList({ clock, nodeOf: (id) => id.replace('instance-', ''), onChange: () => (changes += 1) });
  });

  const tell = (kind: RunEvent['kind'], data: unknown, of: object = {}): void =>
    list.happened({ run: 'r1', at: new Date(clock.now()).toISOString(), kind, data, ...of });
  const look = (run = 'r1'): RunLook => {
    const found = list.since().runs.find((one) => one.run === run);
    assert.ok(found);
    return found;
  };
  const open = (): void => {
    list.opened({
      run: 'r1',
      owner: 'instance-router',
      request: { text: 'light in the hall', user: 'anna', request: { id: 'q', via: 'amica', replyTo: 'secret/topic' } },
    });
  };

  it('follows a run from its words to its report', async () => {
    open();
    assert.equal(look().state, 'waiting');
    tell('started', { text: 'light in the hall', resumed: false });
    const steps = [step('s1', 'lights'), step('s2', 'lawn-mower')];
    tell('plan', { message: 'I take care of it.', steps, routedBy: 'first tier' });
    assert.equal(look().byFirstTier, true);
    tell('step', { state: 'running', prompt: 'do s1' }, { step: 's1', agent: 'lights' });
    list.asked({ id: 'ask:r1/s1', to: 'instance-lights', by: 'router', kind: 'step' });
    assert.deepEqual(
      look().steps.map(({ agent, state, node }) => [agent, state, node]),
      [
        ['lights', 'running', 'lights'],
        ['lawn-mower', 'waiting', undefined],
      ],
    );
    await clock.advance(1500);
    tell('step', { state: 'answered', text: 'Done.' }, { step: 's1', agent: 'lights' });
    list.ended('r1', 'done', { payload: 'Done.', mutations: [lamp] });
    list.reported('r1', 'Hall light at 40 %.', [{ id: 'm1', function: 'SetLight', state: 'applied' }]);
    const ended = look();
    assert.equal(ended.state, 'done');
    assert.equal(ended.owner, 'router');
    assert.equal(ended.user, 'anna');
    assert.equal((ended.endedAt ?? 0) - ended.startedAt, 1500);
    assert.equal(ended.steps[0]?.text, 'Done.');
    assert.equal((ended.steps[0]?.endedAt ?? 0) - (ended.steps[0]?.startedAt ?? 0), 1500);
    assert.equal(ended.answer, 'Done.');
    assert.equal(ended.report, 'Hall light at 40 %.');
    assert.deepEqual(ended.commands, [
      {
        id: 'm1',
        function: 'SetLight',
        parameters: { room: 'hall', brightness: 40 },
        agent: 'lights',
        state: 'applied',
      },
    ]);
  });

  it('shows the tools that a step asks, and how they answer', () => {
    open();
    tell('step', { state: 'running', prompt: 'is it warm?' }, { step: 's1', agent: 'climate' });
    list.asked({ id: 'ask:r1/s1/t1', to: 'thermometer', by: 'climate', kind: 'tool', name: 'ReadTemperature' });
    list.asked({ id: 'ask:r1/s1/t2', to: 'thermometer', by: 'climate', kind: 'tool', name: 'ReadTemperature' });
    list.answered('ask:r1/s1/t1', 'answered');
    assert.deepEqual(
      look().steps[0]?.calls?.map(({ name, state, node }) => [name, state, node]),
      [
        ['ReadTemperature', 'answered', 'thermometer'],
        ['ReadTemperature', 'running', 'thermometer'],
      ],
    );
  });

  it('counts a step that is asked anew as the same one', () => {
    open();
    tell('step', { state: 'running' }, { step: 's1', agent: 'lights' });
    list.asked({ id: 'ask:r1/s1~1', to: 'lights', by: 'router', kind: 'step' });
    assert.deepEqual(
      look().steps.map(({ id, node }) => [id, node]),
      [['s1', 'lights']],
    );
  });

  it('adds the steps of a debate, which nobody plans', () => {
    open();
    tell('step', { state: 'running', prompt: 'heat?' }, { step: 'r1-comfort', agent: 'comfort' });
    tell('step', { state: 'answered', text: 'Heat.' }, { step: 'r1-comfort', agent: 'comfort' });
    assert.deepEqual(
      look().steps.map(({ id, agent, state, text }) => [id, agent, state, text]),
      [['r1-comfort', 'comfort', 'answered', 'Heat.']],
    );
  });

  it('says why a run ended badly, and leaves no step open', () => {
    open();
    tell('plan', { message: '', steps: [step('s1', 'lights')] });
    list.ended('r1', 'failed', {
      payload: 'Something went wrong.',
      error: { code: 'FOLKMOOT_MODEL_FAILED', message: 'no answer' },
    });
    assert.equal(look().reason, 'FOLKMOOT_MODEL_FAILED: no answer');
    assert.deepEqual(
      look().steps.map(({ state }) => state),
      ['cancelled'],
    );
  });

  it('goes on with a run that a restart of its node interrupted', () => {
    open();
    tell('started', { resumed: false });
    open();
    assert.equal(look().state, 'waiting');
    tell('started', { resumed: true });
    assert.equal(look().state, 'running');
    assert.equal(look().resumed, true);
    assert.equal(list.since().runs.length, 1);
  });

  it('knows what waits for a person until it is answered; what is said beside it leaves it waiting', () => {
    const until = clock.now() + 600_000;
    const ask = () =>
      tell('plan', { steps: [step('s1', 'lights')], approve: true, until: new Date(until).toISOString() });
    list.opened({ run: 'r1', owner: 'router' });
    ask();
    list.ended('r1', 'asked', { reason: 'approval' });
    assert.deepEqual([look().waits, look().steps[0]?.state], [{ until }, 'waiting']);
    const request = { parent: 'r1' };
    for (const run of ['r2', 'r3']) list.opened({ run, owner: 'router' });
    list.ended('r2', 'asked', { reason: 'approval', request });
    assert.deepEqual(look().waits, { until });
    list.ended('r3', 'done', { request });
    assert.equal(look().waits, undefined);
    assert.deepEqual(look().steps, [], 'they go on in the answer');
    list.happened({ run: 'r2', at: '', kind: 'approval', data: { until: new Date(until).toISOString() } });
    assert.deepEqual(look('r2').waits, { until });
  });

  it('gives only what changed, and all of it to who knows another start', () => {
    open();
    list.opened({ run: 'r2', owner: 'router' });
    const { revision, epoch } = list.since();
    tell('started', {});
    const news = list.since(revision, epoch);
    assert.deepEqual(
      news.runs.map(({ run }) => run),
      ['r1'],
    );
    assert.deepEqual(list.since(news.revision, epoch).runs, []);
    assert.equal(list.since(news.revision, 'another').runs.length, 2);
    assert.equal(changes, 3);
  });

  it('keeps the newest runs only, and knows nothing of others', () => {
    for (let i = 0; i < limits.watchedRuns + 5; i += 1) list.opened({ run: `n${i}`, owner: 'router' });
    const { runs } = list.since();
    assert.equal(runs.length, limits.watchedRuns);
    assert.equal(runs[0]?.run, 'n5');
    const before = changes;
    list.ended('n0', 'done');
    list.answered('ask:n0/s1/t1', 'answered');
    list.reported('never', 'x', []);
    assert.equal(changes, before);
  });

  it('cuts what is long and takes nothing of a message but its words', () => {
    const long = 'x'.repeat(100_000);
    list.opened({
      run: 'r1',
      owner: 'router',
      request: {
        text: long,
        user: long,
        carry: { req: { headers: { authorization: 'Bearer 123' } } },
        request: { id: 'q', via: 'http', replyTo: 'secret/topic' },
        event: Array.from({ length: 500 }, () => ({ source: long, kind: long, value: { long }, time: '' })),
      },
    });
    for (let i = 0; i < 100; i += 1) {
      tell('step', { state: 'running', prompt: long }, { step: `s${i}`, agent: 'lights' });
      for (let n = 0; n < 50; n += 1)
        list.asked({ id: `ask:r1/s${i}/t${n}`, to: 'tool', by: 'a', kind: 'tool', name: long });
    }
    const mutations = Array.from({ length: 500 }, (_, i) => ({ ...lamp, id: `m${i}`, parameters: { room: long } }));
    list.ended('r1', 'failed', { payload: long, reason: long, mutations });
    list.reported('r1', long, [{ id: 'm1', function: 'SetLight', state: 'failed', reason: long }]);
    const json = JSON.stringify(look());
    assert.ok(json.length < 500_000, `${json.length} characters`);
    assert.doesNotMatch(json, /Bearer|secret\/topic/);
    assert.equal(look().steps.length, limits.watchedSteps);
    assert.equal(look().commands.length, limits.watchedCommands);
  });
});
