import assert from 'node:assert/strict';
import { limits } from '../limits.ts';
import { member, sampleTeam } from '../../test/plan/sample-team.ts';
import { planPrompt, planTask } from './plan-prompt.ts';
import type { PlanInput } from './plan-prompt.ts';

const promptOf = (input: PlanInput) => {
  const task = planTask(input);
  const { system, user } = planPrompt(task);
  return { task, system, user, all: `${system}\n${user}` };
};

describe('the planner’s prompt', () => {
  it('holds the same agents, topics and parameters as its data, chat last (row 52)', () => {
    const { task, system } = promptOf({ request: 'hello', team: sampleTeam, routerDescription: 'Runs a small house.' });
    for (const { agentId, name, description, topics, parameters } of task.agents)
      for (const text of [agentId, name, description, ...topics, ...parameters]) assert.ok(system.includes(text), text);
    assert.equal(task.agents.at(-1)?.agentId, 'chat');
    assert.match(system, /- chat: Runs a small house\.\n {2}parameters: subjects$/);
  });

  it('shows no function', () => {
    const { all, task } = promptOf({ request: 'hello', team: sampleTeam });
    assert.equal(task.functions.length, 5);
    for (const { name } of task.functions) assert.ok(!all.includes(name), name);
  });

  it('holds history, the open question, the plan before and known data, each in prompt and data', () => {
    const { task, user } = promptOf({
      request: 'the kitchen',
      team: sampleTeam,
      history: [{ role: 'user', text: 'turn on the light' }],
      pending: { request: 'turn on the light', question: 'Which room?' },
      previous: { message: 'm', steps: [{ agent: 'lights', prompt: 'old prompt' }] },
      board: [{ function: 'ProduceCutGrass', parameters: { area: 'back' } }],
    });
    for (const text of ['user: turn on the light', 'Which room?', 'old prompt', '"area":"back"', 'the kitchen'])
      assert.ok(user.includes(text), text);
    assert.deepEqual(task.pending, { request: 'turn on the light', question: 'Which room?' });
    assert.equal(task.previous?.steps[0]?.prompt, 'old prompt');
    assert.equal(task.history?.length, 1);
    assert.equal(task.orders, undefined);
  });

  it('gives standing orders in event-runs only, even if there are none', () => {
    const hall = member('lights', { instructions: 'Be kind.\nWhen it is dark: switch the hall light on' });
    const event = [{ source: 'hall', kind: 'illuminance', value: 3, time: '2026-01-01T00:00:00Z' }];
    const run = promptOf({ request: 'it is dark', team: [hall], event });
    assert.deepEqual(run.task.orders, [{ agent: 'lights', when: 'it is dark', request: 'switch the hall light on' }]);
    assert.match(run.system, /- lights: when it is dark: switch the hall light on/);
    assert.deepEqual(promptOf({ request: 'it is dark', team: sampleTeam, event }).task.orders, []);
    assert.equal(promptOf({ request: 'it is dark', team: [hall] }).task.orders, undefined);
  });

  it('stays within its length and drops old talk first', () => {
    const history = Array.from({ length: 100 }, (_, n) => ({ role: 'user' as const, text: `${n} ${'x'.repeat(900)}` }));
    const team = Array.from({ length: 12 }, (_, n) => member(`agent-${n}`, { description: 'd'.repeat(700) }));
    const { all, task } = promptOf({ request: 'r'.repeat(4000), team, history });
    assert.ok(all.length <= limits.promptChars, String(all.length));
    assert.ok((task.history?.length ?? 0) < limits.planHistory);
    assert.equal(task.agents.length, 13);
    assert.match(task.history?.at(-1)?.text ?? '99 ', /^99 /);
  });
});
