import assert from 'node:assert/strict';
import {
  answered,
  answerOf,
  member,
  mutation,
  obedient,
  planner,
  sampleRunner,
  sampleTeam,
  slow,
  until,
} from '../../test/plan/sample-team.ts';

const shown = (list: readonly { function: string; parameters: object }[] | undefined) =>
  list?.map((one) => `${one.function} ${Object.values(one.parameters).join(' ')}`);

describe('a run', () => {
  it('plans, asks, gathers what was accepted and ends once as done', async () => {
    const steps = planner(() =>
      answerOf([
        ['lights', 'kitchen light on'],
        ['lawn-mower', 'mow the front lawn'],
      ]),
    );
    const delivered: string[] = [];
    const { runner, clock, events } = sampleRunner({ call: steps, deliver: ({ run }) => void delivered.push(run) });
    const result = await runner.start({ text: 'do it', carry: { picture: 1 } });
    assert.equal(result?.outcome, 'done');
    assert.equal(result.reason, undefined);
    assert.deepEqual(shown(result.mutations), ['SetLight kitchen on', 'MowLawn front', 'ProduceCutGrass front']);
    assert.deepEqual(
      result.plan.steps.map(({ state }) => state),
      ['answered', 'answered'],
    );
    assert.deepEqual(result.request.carry, { picture: 1 });
    assert.equal(result.usage.modelCalls, 1);
    assert.deepEqual(delivered, [result.run]);
    assert.deepEqual(
      events.map(({ kind, step, data }) => `${kind} ${step ?? ''} ${(data as { state?: string }).state ?? ''}`.trim()),
      [
        'started',
        'plan',
        'text',
        'step s1 running',
        'step s2 running',
        'step s1 answered',
        'step s2 answered',
        'ended',
      ],
    );
    assert.ok(events.every(({ run }) => run === result.run));
    assert.equal(clock.waiting, 0);
    assert.deepEqual(runner.open, []);
  });

  it('runs steps side by side, one agent twice, and keeps the plan’s order (row 49)', async () => {
    const log: string[] = [];
    const times: Record<string, number> = { s1: 300, s2: 100, s3: 200 };
    const made = sampleRunner({
      call: planner(() =>
        answerOf([
          ['lights', 'kitchen on'],
          ['lights', 'bedroom on'],
          ['climate', 'bedroom warm'],
        ]),
      ),
      ask: slow(
        () => made.clock,
        ({ id }) => times[id] ?? 0,
        log,
      ),
    });
    const end = made.runner.start({ text: 'x' });
    await until(made.clock, () => log.length === 3);
    await made.clock.advance(300);
    assert.deepEqual(log, ['+s1', '+s2', '+s3', '-s2', '-s3', '-s1']);
    assert.deepEqual(shown((await end)?.mutations), [
      'SetLight kitchen on',
      'SetLight bedroom on',
      'SetTemperature bedroom 21',
    ]);
    assert.equal(made.clock.waiting, 0);
  });

  it('lets a step wait and see on its board only what its agent accepts (rows 55, 56)', async () => {
    const boards: Record<string, string[] | undefined> = {};
    const { runner } = sampleRunner({
      call: planner(() =>
        answerOf([
          ['lawn-mower', 'mow the back lawn'],
          ['waste-disposer', 'get rid of the cut grass'],
        ]),
      ),
      ask: async (step, context) => {
        boards[step.agent] = shown(context.mutations);
        return obedient(step, context);
      },
    });
    const result = await runner.start({ text: 'x' });
    assert.deepEqual(boards, { 'lawn-mower': [], 'waste-disposer': ['ProduceCutGrass back'] });
    assert.deepEqual(shown(result?.mutations), ['MowLawn back', 'ProduceCutGrass back', 'CollectWaste back']);
    assert.equal(new Set(result?.mutations.map(({ id }) => id)).size, 3);
  });

  it('does not double consequences that the agent gave already', async () => {
    const { runner } = sampleRunner({
      call: planner(() => answerOf([['lawn-mower', 'mow']])),
      ask: async (step, { run }) =>
        answered('ok', [
          mutation(run, step, 'MowLawn', { area: 'back' }),
          mutation(run, step, 'ProduceCutGrass', { area: 'back' }),
        ]),
    });
    assert.equal((await runner.start({ text: 'x' }))?.mutations.length, 2);
  });

  it('shows data of the request to agents and never sends it on as its own', async () => {
    const data = { id: 'd1', function: 'ProduceCutGrass', parameters: { area: 'front' }, risk: 'reversible' } as const;
    const { runner } = sampleRunner({ call: planner(() => answerOf([['waste-disposer', 'collect']])) });
    const result = await runner.start({ text: 'x', mutations: [data] });
    assert.deepEqual(shown(result?.mutations), ['CollectWaste front']);
  });

  it('gives an agent at most 100 entries of the board, the newest', async () => {
    const mutations = Array.from({ length: 150 }, (_, n) => ({
      ...{ id: `d${n}`, function: 'ProduceCutGrass', parameters: { area: String(n) }, risk: 'read' as const },
    }));
    let seen: readonly { readonly id: string }[] = [];
    const { runner } = sampleRunner({
      call: planner(() => answerOf([['waste-disposer', 'collect']])),
      ask: async (_step, context) => ((seen = context.mutations), answered('no')),
    });
    await runner.start({ text: 'x', mutations });
    assert.equal(seen.length, 100);
    assert.equal(seen.at(-1)?.id, 'd149');
  });

  it('goes on when a step throws, is refused or times out, and tells of each (row 60)', async () => {
    const team = [...sampleTeam, member('butler'), member('gardener', { generates: ['CollectWaste'] })];
    const { runner } = sampleRunner({
      team: async () => team,
      call: planner(() =>
        answerOf([
          ['butler', 'bring tea'],
          ['climate', 'bedroom to 90'],
          ['gardener', 'rake the leaves'],
          ['nobody-here', 'sing'],
          ['lights', 'kitchen on'],
        ]),
      ),
      ask: async (step, context) => {
        if (step.agent === 'butler') throw new Error('broken');
        if (step.agent === 'climate') return { status: 'refused', payload: '90 is too hot.', mutations: [] };
        if (step.agent === 'gardener') return { status: 'timeout', payload: null, mutations: [] };
        return obedient(step, context);
      },
    });
    const result = await runner.start({ text: 'x' });
    assert.equal(result?.outcome, 'done');
    assert.deepEqual(
      result.plan.steps.map(({ state }) => state),
      ['failed', 'refused', 'timeout', 'refused', 'answered'],
    );
    assert.deepEqual(shown(result.mutations), ['SetLight kitchen on']);
    for (const words of ['bring tea', '90 is too hot.', 'rake the leaves', 'sing'])
      assert.match(result.payload, RegExp(words));
  });

  it('takes only what an agent may generate, under its own name (row 59)', async () => {
    const { runner } = sampleRunner({
      call: planner(() =>
        answerOf([
          ['lights', 'on'],
          ['climate', 'mow'],
        ]),
      ),
      ask: async (step, { run }) =>
        answered('ok', [
          { ...mutation(run, step, 'SetLight', { room: 'kitchen', state: 'on' }), agent: 'somebody-else' },
          mutation(run, { ...step, id: 's9' }, 'CollectWaste', { area: 'back' }),
        ]),
    });
    const result = await runner.start({ text: 'x' });
    assert.deepEqual(
      result?.mutations.map((one) => [one.function, one.agent, one.step]),
      [['SetLight', 'lights', 's1']],
    );
    assert.deepEqual(
      result.plan.steps.map(({ state }) => state),
      ['answered', 'refused'],
    );
  });

  it('goes on when a listener or the delivery throws, and reports it', async () => {
    const { runner, problems } = sampleRunner({
      onEvent: () => {
        throw new Error('listener');
      },
      deliver: () => Promise.reject(new Error('delivery')),
    });
    assert.equal((await runner.start({ text: 'x' }))?.outcome, 'done');
    assert.ok(problems.some(({ message }) => message === 'delivery'));
    assert.ok(problems.some(({ message }) => message === 'listener'));
  });

  it('never mixes 50 runs at once', async () => {
    const { runner, clock } = sampleRunner({
      overlap: 'parallel',
      call: planner((text) =>
        answerOf([
          ['lights', `kitchen for ${text}`],
          ['lawn-mower', `front for ${text}`],
          ['waste-disposer', `front for ${text}`],
        ]),
      ),
      ask: async (one, context) => {
        const answer = await obedient(one, context);
        return { ...answer, payload: `${one.prompt} in ${context.run} sees ${context.mutations.length}` };
      },
    });
    const names = Array.from({ length: 50 }, (_, n) => `person${n}`);
    const results = await Promise.all(names.map((text) => runner.start({ text, run: `run-${text}` })));
    results.forEach((result, n) => {
      const name = names[n] ?? '';
      assert.equal(result?.run, `run-${name}`);
      assert.deepEqual(
        result.plan.steps.map(({ text }) => text),
        [
          `kitchen for ${name} in run-${name} sees 0`,
          `front for ${name} in run-${name} sees 0`,
          `front for ${name} in run-${name} sees 1`,
        ],
      );
      assert.ok(result.mutations.every(({ run }) => run === `run-${name}`));
      assert.equal(result.mutations.length, 4);
    });
    assert.equal(new Set(results.flatMap((result) => result?.mutations.map(({ id }) => id))).size, 200);
    assert.equal(clock.waiting, 0);
  });
});
