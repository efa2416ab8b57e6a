import assert from 'node:assert/strict';
import type { StandingOrder } from '../../agent/definition.ts';
import { generateWithRules } from './generate.ts';
import { planWithRules } from './plan.ts';
import { planData, stepData, workshop } from './sample.ts';

const agentsOf = (request: string) => planWithRules(planData(request)).steps.map(({ agent }) => agent);
const technical = /mutation|blackboard|backbone|ledger|tainted|schema|json|_|[a-z][A-Z]/;

describe('a plan by the rules', () => {
  it('has one step for each clause, for the agent that may generate the function', () => {
    assert.deepEqual(agentsOf('turn the band saw off, plane the oak board and tell everyone that it is done'), [
      'machines-agent',
      'wood-agent',
      'people-agent',
    ]);
  });

  it('gives each step words that need no other clause', () => {
    const { steps } = planWithRules(planData('plane the beech board and sweep the shavings of it'));
    const [, sweep] = steps;
    assert.ok(sweep);
    assert.deepEqual(generateWithRules(stepData('sweeper', sweep.prompt)).calls, [
      { function: 'SweepShavings', parameters: { wood: 'beech' } },
    ]);
  });

  it('tells a word that it does not know as it was written', () => {
    assert.match(planWithRules(planData('plane the beach board')).message, /^I take care/);
    assert.match(planWithRules(planData('plane the maplee oven')).message, /don’t understand “oven”/);
    assert.match(planWithRules(planData('turn the band saw beech')).message, /don’t understand “beech”/);
    assert.match(planWithRules(planData('turn the band saw beeech off')).message, /don’t understand “beeech”/);
  });

  it('takes what shall not be told for no question', () => {
    const { message, steps } = planWithRules(planData('don’t tell everyone the saw is broken'));
    assert.deepEqual(steps, []);
    assert.doesNotMatch(message, /no answer/);
  });

  it('lets a step wait for one that brings what it lacks, and fills it from the board', () => {
    const { steps } = planWithRules(planData('plane the maple board and sweep up the shavings'));
    assert.deepEqual(steps[1]?.after, undefined, 'an unexplained word stops all');
    const plan = planWithRules(planData('plane the maple board and sweep the shavings'));
    assert.deepEqual(
      plan.steps.map(({ after }) => after),
      [undefined, [0]],
    );
    const board = [{ function: 'LeaveShavings', parameters: { wood: 'maple' } }];
    const answer = generateWithRules(stepData('sweeper', plan.steps[1]?.prompt ?? '', { board }));
    assert.deepEqual(answer.calls, [{ function: 'SweepShavings', parameters: { wood: 'maple' } }]);
  });

  it('fills the parameters that the agent declares', () => {
    assert.deepEqual(planWithRules(planData('plane the oak and the beech board')).steps[0]?.parameters, {
      wood: ['oak', 'beech'],
    });
  });

  it('asks which agent when two may do it and no topic tells', () => {
    const agents = ['Left Hand', 'Right Hand'].map((name, at) => ({
      agentId: `hand-${at}`,
      name,
      description: name,
      topics: at ? ['oak'] : ['beech'],
      parameters: [],
      accepts: [],
      generates: ['PlaneBoard'],
    }));
    assert.deepEqual(
      planWithRules(planData('plane the oak board', { agents })).steps.map(({ agent }) => agent),
      ['hand-1'],
    );
    const plan = planWithRules(planData('plane the maple board', { agents }));
    assert.deepEqual(plan.steps, []);
    assert.match(plan.message, /Left Hand or Right Hand/);
  });

  it('asks about what is contradictory and still does the rest', () => {
    const plan = planWithRules(planData('plane the oak board and turn the band saw on and off'));
    assert.deepEqual(
      plan.steps.map(({ agent }) => agent),
      ['wood-agent'],
    );
    assert.equal(plan.questions?.length, 1);
  });

  it('declines what is outside, and lists what can be done', () => {
    const plan = planWithRules(planData('write me a poem'));
    assert.deepEqual([plan.steps, plan.declined], [[], true]);
    const able = planWithRules(planData('what can you do?'));
    assert.match(able.message, /Planes a board/);
    assert.doesNotMatch(able.message, /Shavings lie/);
    assert.deepEqual(able.steps, []);
  });

  it('says nothing technical', () => {
    const said = [
      'turn the band saw on and off',
      'turn a saw on',
      'turn the band saw off at 40 %',
      'turn the band saw on at 8',
      'turn the band saw on and keep it off',
      'tell Maria that it is late',
      'tell everyone that it is late and plane the oak board',
      'turn off the band saw and the bread saw',
      'sing',
      'turn the shiny band saw on',
      'help',
      'hi',
    ].flatMap((request) => {
      const { message, questions = [] } = planWithRules(planData(request));
      return [message, ...questions.map(({ question }) => question)];
    });
    for (const text of said) assert.doesNotMatch(text, technical);
  });
});

describe('an answer to a question of the rules', () => {
  const pending = { request: 'turn a saw on', question: 'Which saw?' };
  const promptsOf = (request: string, open = pending) =>
    planWithRules(planData(request, { pending: open })).steps.flatMap(
      ({ agent, prompt }) => generateWithRules(stepData(agent, prompt)).calls,
    );

  it('is put together with the open clause', () => {
    assert.deepEqual(promptsOf('the band saw please'), [
      { function: 'SetSaw', parameters: { saw: 'band_saw', state: 'on' } },
    ]);
    assert.deepEqual(promptsOf('make it 60', { request: 'heat the red pot', question: 'How many degrees?' }), [
      { function: 'SetGlue', parameters: { pot: 'red', celsius: 60 } },
    ]);
  });

  it('gives way to a full new request', () => {
    assert.deepEqual(promptsOf('plane the oak board'), [{ function: 'PlaneBoard', parameters: { wood: 'oak' } }]);
  });

  it('does nothing when it is withdrawn or not understood', () => {
    assert.deepEqual(promptsOf('never mind'), []);
    assert.deepEqual(promptsOf('the chain saw'), []);
    assert.deepEqual(promptsOf('why?'), []);
  });
});

describe('an event for the rules', () => {
  const orders: readonly StandingOrder[] = [
    {
      agent: 'machines-agent',
      when: 'nobody is in the workshop for {{value}} minutes',
      request: 'turn the band saw off',
    },
    { agent: 'people-agent', when: 'the glue is hot', request: 'tell everyone that the glue is hot' },
  ];
  const agents = (request: string) => planWithRules(planData(request, { orders })).steps.map(({ agent }) => agent);

  it('acts by an order with the same words but for values', () => {
    assert.deepEqual(agents('Nobody is in the workshop for 15 minutes'), ['machines-agent']);
    assert.deepEqual(agents('the glue is hot: 82 degrees'), ['people-agent']);
  });

  it('does nothing otherwise, whatever its sentence asks for', () => {
    assert.deepEqual(agents('somebody is in the workshop for 15 minutes'), []);
    assert.deepEqual(agents('the glue is not hot'), []);
    assert.deepEqual(agents('turn the band saw on'), []);
  });

  it('does nothing when a person types it', () => {
    assert.deepEqual(planWithRules(planData('the glue is hot')).steps, []);
  });
});

describe('a step by the rules', () => {
  it('asks for what neither words nor board have', () => {
    const answer = generateWithRules(stepData('sweeper', 'sweep the shavings'));
    assert.deepEqual(answer.calls, []);
    assert.match(answer.question ?? '', /Which wood: oak, beech or maple\?/);
  });

  it('asks when the board has two different values', () => {
    const board = ['oak', 'beech'].map((wood) => ({ function: 'LeaveShavings', parameters: { wood } }));
    assert.deepEqual(generateWithRules(stepData('sweeper', 'sweep the shavings', { board })).calls, []);
  });

  it('refuses what is out of range, with the range', () => {
    const { message, calls, question } = generateWithRules(
      stepData('machines-agent', 'heat the red pot to 300 degrees'),
    );
    assert.deepEqual([calls, question], [[], undefined]);
    assert.match(message, /40 to 90 degrees, not 300/);
  });

  it('calls nothing that the agent may not generate', () => {
    assert.deepEqual(generateWithRules(stepData('sweeper', 'plane the oak board')).calls, []);
    assert.ok(workshop.length > 0);
  });
});
