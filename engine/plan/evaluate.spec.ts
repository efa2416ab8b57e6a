/** What agents bring is looked at as a whole before it counts (P17). */
import assert from 'node:assert/strict';
import { answered, answerOf, member, mutation, planner, sampleRunner } from '../../test/plan/sample-team.ts';
import type { PendingQuestion } from '../model/model.ts';
import type { Parameters, PlanStep } from '../moot.ts';
import type { AskContext } from './run-ports.ts';
import type { RunnerOptions } from './run.ts';

const team = [
  member('lights', { generates: ['SetLight'] }),
  member('mood', { generates: ['SetLight'] }),
  member('lawn-mower', { generates: ['MowLawn', 'ProduceCutGrass'] }),
];
const light = (state: string, room = 'kitchen'): [string, Parameters] => ['SetLight', { room, state }];

interface Asked {
  readonly agent: string;
  readonly id: string;
  readonly finding: string | undefined;
}

/** Each agent brings what is said of its first and of its second time. */
function house(brings: Record<string, [string, Parameters][][]>, change: Partial<RunnerOptions> = {}) {
  const asked: Asked[] = [];
  const open: PendingQuestion[] = [];
  const { runner, events } = sampleRunner({
    team: async () => team,
    call: planner(() => answerOf(Object.keys(brings).map((agent) => [agent, `see to ${agent}`]))),
    ask: async (step: PlanStep, { run, id, again, finding }: AskContext) => {
      asked.push({ agent: step.agent, id: id.replace(run, 'run'), finding });
      const calls = brings[step.agent]?.[again] ?? brings[step.agent]?.[0] ?? [];
      return answered(
        'Done.',
        calls.map((call) => mutation(run, step, ...call)),
      );
    },
    questions: { open: async (_request, question) => void open.push(question), take: async () => undefined },
    ...change,
  });
  return { runner, events, asked, open };
}
const said = (mutations: readonly { readonly function: string; readonly parameters: Parameters }[] = []) =>
  mutations.map((one) => [one.function, ...Object.values(one.parameters)].join(' '));

describe('commands of two steps that contradict each other', () => {
  it('are told to the later agent, once; what it then brings takes the place of what it brought', async () => {
    const { runner, asked } = house({ lights: [[light('on')]], mood: [[light('off')], [light('off', 'bedroom')]] });
    const result = await runner.start({ text: 'make it cosy' });
    assert.deepEqual(said(result?.mutations), ['SetLight kitchen on', 'SetLight bedroom off']);
    assert.deepEqual(
      asked.map(({ agent, id }) => [agent, id]),
      [
        ['lights', 'ask:run/s1'],
        ['mood', 'ask:run/s2'],
        ['mood', 'ask:run/s2~1'],
      ],
    );
    assert.match(
      asked[2]?.finding ?? '',
      /"state":"off"\} contradicts what lights set already: SetLight .*"state":"on"/,
    );
    assert.deepEqual([result?.usage.findings, result?.usage.regenerations], [1, 1]);
    assert.equal(result?.outcome, 'done');
  });

  it('are both left out when it stays so: the rest is done, and the person is asked', async () => {
    const { runner, asked, open } = house({
      lights: [[light('on'), light('on', 'bedroom')]],
      mood: [[light('off')]],
      'lawn-mower': [[['MowLawn', { area: 'front' }]]],
    });
    const result = await runner.start({ text: 'do it all' });
    assert.deepEqual(said(result?.mutations), ['SetLight bedroom on', 'MowLawn front', 'ProduceCutGrass front']);
    const question = '“Kitchen light on” and “Kitchen light off” can’t both be. Which is meant?';
    assert.deepEqual([result?.outcome, result?.reason], ['done', 'asked']);
    assert.ok(result?.payload.includes(question));
    assert.deepEqual(open, [{ request: 'see to lights and see to mood', question }]);
    assert.equal(asked.length, 4);
  });

  it('leave nothing: then it is only asked', async () => {
    const { runner } = house({ lights: [[light('on')]], mood: [[light('off')]] });
    const result = await runner.start({ text: 'make it cosy' });
    assert.deepEqual([result?.outcome, result?.mutations], ['asked', []]);
  });

  it('are passed on where nobody shall look', async () => {
    const { runner, asked } = house({ lights: [[light('on')]], mood: [[light('off')]] }, { evaluates: false });
    const result = await runner.start({ text: 'make it cosy' });
    assert.equal(result?.mutations.length, 2);
    assert.equal(asked.length, 2);
  });

  it('are none where each sets another thing: nobody is asked twice, and nothing is counted', async () => {
    const { runner, asked } = house({ lights: [[light('on')]], mood: [[light('off', 'bedroom')]] });
    const result = await runner.start({ text: 'make it cosy' });
    assert.equal(result?.mutations.length, 2);
    assert.equal(asked.length, 2);
    assert.equal(result?.usage.findings, undefined);
  });
});

describe('a command that nothing carries out', () => {
  it('is told to its agent, once; what it insists on stays, for apply to tell', async () => {
    const isHandled = (name: string) => name !== 'SetLight';
    const { runner, asked } = house(
      { lights: [[light('on')]], 'lawn-mower': [[['MowLawn', { area: 'front' }]]] },
      { isHandled },
    );
    const result = await runner.start({ text: 'light, and mow' });
    assert.deepEqual(
      asked.map(({ agent, finding }) => [agent, finding]),
      [
        ['lights', undefined],
        ['lawn-mower', undefined],
        ['lights', 'SetLight leads nowhere: nothing here carries it out.'],
      ],
    );
    assert.deepEqual(said(result?.mutations), ['SetLight kitchen on', 'MowLawn front', 'ProduceCutGrass front']);
  });

  it('is nothing to be told where that is not known, or where it is only a note for others', async () => {
    const isHandled = (name: string) => (name === 'ProduceCutGrass' ? false : undefined);
    const { runner, asked } = house({ 'lawn-mower': [[['MowLawn', { area: 'front' }]]] }, { isHandled });
    await runner.start({ text: 'mow' });
    assert.equal(asked.length, 1);
  });
});
