import assert from 'node:assert/strict';
import { MemorySaver } from '@langchain/langgraph';
import { lightsAgent, mowerAgent, wasteAgent } from '../../test/language/agents.ts';
import { fakeClock } from '../clock.ts';
import { createModel } from '../model/catalogue.ts';
import { createRunner } from '../plan/run.ts';
import { plannerOf } from '../router/plan.ts';
import { createLocalTeam } from './local-team.ts';

const rules = createModel({ provider: 'rules' });

function teamRunner(team: ReturnType<typeof createLocalTeam>) {
  const saver = new MemorySaver();
  return createRunner({
    clock: fakeClock(),
    checkpointer: () => Promise.resolve(saver),
    team: () => Promise.resolve(team.members),
    ask: team.ask,
    call: plannerOf(rules),
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
