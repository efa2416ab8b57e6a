import assert from 'node:assert/strict';
import { MemorySaver } from '@langchain/langgraph';
import { lightsAgent, mowerAgent, wasteAgent } from '../../test/language/agents.ts';
import { fakeClock } from '../clock.ts';
import { createModel } from '../model/catalogue.ts';
import { createLocalChatModel } from '../model/local-chat-model.ts';
import type { Model } from '../model/model.ts';
import { createRunner } from '../plan/run.ts';
import { plannerOf } from '../router/plan.ts';
import { createLocalTeam } from './local-team.ts';

const rules = createModel({ provider: 'rules' });

function teamRunner(team: ReturnType<typeof createLocalTeam>, planner = rules) {
  const saver = new MemorySaver();
  return createRunner({
    clock: fakeClock(),
    checkpointer: () => Promise.resolve(saver),
    team: () => Promise.resolve(team.members),
    ask: team.ask,
    call: plannerOf(planner),
  });
}

describe('A local team', () => {
  it('plans and carries out a request by agents that are data, without a wire', async () => {
    const team = createLocalTeam({ agents: [lightsAgent, mowerAgent, wasteAgent], model: () => rules });
    const result = await teamRunner(team).start({ text: 'turn the kitchen light on and mow the front lawn' });
    assert.equal(result?.outcome, 'done');
    assert.deepEqual(
      result?.mutations.map((one) => [one.agent, one.function]),
      [
        ['lights', 'SetLight'],
        ['lawn-mower', 'MowLawn'],
        ['lawn-mower', 'ProduceCutGrass'],
      ],
    );
  });

  it('hands each agent the prompt that was made for it, with its parameters (47, 48)', async () => {
    const given: unknown[] = [];
    const steps = [
      { agent: 'Lights', prompt: 'kitchen light on', parameters: { room: ['kitchen'] } },
      { agent: 'Lawn Mower', prompt: 'mow the front' },
    ];
    const model: Model = {
      settings: { provider: 'scripted' },
      chat: () =>
        Promise.resolve(
          createLocalChatModel('spy', ({ task, request, agents, parameters }) => {
            if (task === 'plan') return { message: 'As you wish.', steps };
            given.push([agents[0]?.agentId, request, parameters]);
            return 'Nothing to do.';
          }),
        ),
    };
    const team = createLocalTeam({
      agents: [{ ...lightsAgent, parameters: ['room'] }, mowerAgent],
      model: () => model,
    });
    await teamRunner(team, model).start({ text: 'light, and mow' });
    assert.deepEqual(given, [
      ['lights', 'kitchen light on', { room: ['kitchen'] }],
      ['lawn-mower', 'mow the front', undefined],
    ]);
  });

  it('asks the first of two agents with one id (61)', async () => {
    const twin = { ...mowerAgent, agentId: 'lights' };
    const team = createLocalTeam({ agents: [lightsAgent, twin], model: () => rules });
    const result = await teamRunner(team).start({ text: 'turn the kitchen light on' });
    assert.deepEqual(
      result?.mutations.map((one) => one.function),
      ['SetLight'],
    );
  });

  it('answers for an agent whose model is not there, and goes on with the others', async () => {
    const team = createLocalTeam({
      agents: [lightsAgent, mowerAgent],
      model: ({ agentId }) => (agentId === 'lights' ? createModel({ provider: 'no-such' }) : rules),
    });
    const result = await teamRunner(team).start({ text: 'turn the kitchen light on and mow the front lawn' });
    assert.deepEqual(
      result?.plan.steps.map(({ agent, state }) => [agent, state]),
      [
        ['lights', 'failed'],
        ['lawn-mower', 'answered'],
      ],
    );
  });
});
