import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { folkmootError } from '../errors.ts';
import type { PlanStep } from '../moot.ts';
import type { CallPlanner, TeamMember } from '../router/plan.ts';
import { stagesOf } from '../router/dependencies.ts';
import type { PlanState } from './plan-state.ts';
import type { AskContext } from './run-ports.ts';
import { answered, answerOf, member, obedient, planner, sampleRunner } from '../../test/plan/sample-team.ts';

describe('the plan as a graph', () => {
  it('ends as asked, or done with the reason, and keeps the question', async () => {
    const kept: string[] = [];
    const questions = {
      take: async () => undefined,
      open: async (_request: object, { request, question }: { request: string; question: string }) =>
        void kept.push(`${request} | ${question}`),
    };
    const asking = async (step: PlanStep, context: AskContext) =>
      step.prompt === 'light on' ? { ...answered('Which room?'), asked: true } : obedient(step, context);
    const make = (call: CallPlanner) => sampleRunner({ call, ask: asking, questions }).runner;
    const one = await make(planner(() => answerOf([['lights', 'light on']]))).start({ text: 'x' });
    assert.deepEqual([one?.outcome, one?.payload, one?.mutations.length], ['asked', 'Which room?', 0]);
    const two = await make(
      planner(() =>
        answerOf(
          [
            ['lights', 'light on'],
            ['lawn-mower', 'mow front'],
          ] as never,
          {
            questions: [{ request: 'the blind', question: 'Which blind?' }],
          },
        ),
      ),
    ).start({ text: 'x' });
    assert.deepEqual([two?.outcome, two?.reason], ['done', 'asked']);
    assert.deepEqual(kept, ['light on | Which room?', 'light on and the blind | Which room? Which blind?']);
  });

  it('gives the open question to the planner, but not in an event-run', async () => {
    const pending = { request: 'turn on the light', question: 'Which room?' };
    const seen: unknown[] = [];
    const call: CallPlanner = async (asked) => (seen.push(asked.data.pending), planner(() => answerOf([]))(asked));
    const questions = { take: async () => pending, open: async () => undefined };
    const { runner } = sampleRunner({ call, questions });
    await runner.start({ text: 'the kitchen' });
    await runner.start({ text: 'it is dark', event: [] });
    assert.deepEqual(seen, [pending, undefined]);
  });

  it('is refused politely, answers in words, or says that it is too much', async () => {
    const { runner } = sampleRunner({
      call: planner((text) =>
        text === 'joke'
          ? { message: 'I only do the house.', steps: [], declined: true }
          : text === 'many'
            ? answerOf(Array.from({ length: 21 }, () => ['lights', 'on'] as const))
            : { message: 'Lights and lawns.', steps: [] },
      ),
      ask: async () => assert.fail('nobody is asked'),
    });
    const of = async (text: string) => {
      const result = await runner.start({ text });
      return [result?.outcome, result?.payload];
    };
    assert.deepEqual(await of('joke'), ['refused', 'I only do the house.']);
    assert.deepEqual(await of('what can you do?'), ['done', 'Lights and lawns.']);
    assert.equal((await of('many'))[0], 'limit');
    assert.match(String((await of('many'))[1]), /21 things at once/);
    assert.equal((await of('x'.repeat(9000)))[0], 'limit');
  });

  it('uses a given plan for an empty text or proceed without a model, and throws it away otherwise (row 54)', async () => {
    let calls = 0;
    const call: CallPlanner = async (asked) => ((calls += 1), planner(() => answerOf([['climate', 'new']]))(asked));
    const { runner } = sampleRunner({ call });
    const first = await runner.start({ text: 'x' });
    const plan = first?.plan as NonNullable<typeof first>['plan'];
    calls = 0;
    for (const text of ['', ' proceed ']) assert.equal((await runner.start({ text, plan }))?.mutations.length, 1);
    assert.equal(calls, 0);
    await runner.start({ text: 'Proceed', plan });
    assert.equal(calls, 1);
  });

  it('gives the plan before and the history to the planner (rows 50, 51)', async () => {
    const texts: string[] = [];
    const call: CallPlanner = async (asked) => {
      texts.push(asked.messages.at(-1)?.text ?? '');
      return planner(() => answerOf([]))(asked);
    };
    const { runner } = sampleRunner({ call, history: async () => [{ role: 'user', text: 'earlier words' }] });
    const previousPlan = { message: 'm', steps: [step('the old prompt')] };
    await runner.start({ text: 'but not the hall', previousPlan });
    assert.match(texts[0] ?? '', /earlier words[^]*the old prompt[^]*but not the hall/);
  });

  it('fails in words when planning fails, without a team, or in a circle', async () => {
    const failing = (error: Error) =>
      sampleRunner({
        call: async () => {
          throw error;
        },
      }).runner.start({ text: 'x' });
    const broken = await failing(folkmootError('FOLKMOOT_MODEL_FAILED', 'Status 500.'));
    assert.deepEqual([broken?.outcome, broken?.error?.code], ['failed', 'FOLKMOOT_MODEL_FAILED']);
    assert.equal((await failing(folkmootError('FOLKMOOT_DEADLINE', 'Silence.')))?.outcome, 'timeout');
    assert.equal(
      (await failing(folkmootError('FOLKMOOT_MODEL_UNREADABLE', 'Empty.')))?.error?.code,
      'FOLKMOOT_PLAN_INVALID',
    );
    const alone = await sampleRunner({ team: async (): Promise<TeamMember[]> => [] }).runner.start({ text: 'x' });
    assert.deepEqual([alone?.outcome, alone?.error?.code], ['failed', 'FOLKMOOT_NO_AGENTS']);
    const deep = await sampleRunner().runner.start({ text: 'x', depth: 6 });
    assert.deepEqual([deep?.outcome, deep?.error?.code], ['refused', 'FOLKMOOT_TOO_DEEP']);
  });

  it('saves every step: LangGraph’s own history of a three-step run has each', async () => {
    const { runner } = sampleRunner({
      call: planner(() =>
        answerOf([
          ['lights', 'one', []],
          ['climate', 'two', [0]],
          ['lawn-mower', 'three front', [1]],
        ]),
      ),
    });
    const result = await runner.start({ text: 'x' });
    const asked = new Set<string>();
    const finished = new Set<string>();
    for await (const { tasks, values } of (await runner.graph()).history(result?.run ?? '')) {
      for (const { name, path } of tasks) if (name === 'step') asked.add(JSON.stringify(path));
      for (const id of Object.keys((values as Partial<PlanState>).answers ?? {})) finished.add(id);
    }
    assert.equal(asked.size, 1, 'each of the three is the only task of its wave');
    assert.deepEqual([...finished].sort(), ['s1', 's2', 's3']);
  });

  it('asks in as many waves as the longest chain is long, for any plan', async function () {
    this.timeout(30_000);
    const waits = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(waits, async (named) => {
        let open = 0;
        let waves = 0;
        const { runner } = sampleRunner({
          call: planner(() => answerOf(named.map((after, n) => ['lights', `step ${n}`, after] as const))),
          ask: async () => {
            if (open === 0) waves += 1;
            open += 1;
            await setImmediate();
            open -= 1;
            return answered('ok');
          },
        });
        const result = await runner.start({ text: 'x' });
        assert.ok(result?.plan.steps.every(({ state }) => state === 'answered'));
        assert.equal(waves, stagesOf(result?.plan.steps ?? []).length);
      }),
      { seed: seed(), numRuns: repeats(400) },
    );
  });

  it('saves only at the end when nothing but reading is possible', async () => {
    const reading = member('lights', { generates: ['SetLight'] });
    const team = [{ ...reading, functions: reading.functions.map((one) => ({ ...one, risk: 'read' as const })) }];
    const count = async (members: readonly TeamMember[]) => {
      const made = sampleRunner({ team: async () => members, call: planner(() => answerOf([['lights', 'on']])) });
      const result = await made.runner.start({ text: 'x' });
      let states = 0;
      for await (const _state of (await made.runner.graph()).history(result?.run ?? '')) states += 1;
      return states;
    };
    assert.equal(await count(team), 1);
    assert.ok((await count([reading])) > 3);
  });
});

const step = (prompt: string): PlanStep => ({
  ...{ id: 's1', agent: 'lights', prompt, parameters: {}, after: [], state: 'waiting' },
});
