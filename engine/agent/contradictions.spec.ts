import assert from 'node:assert/strict';
import { sampleAgent } from '../../test/language/agents.ts';
import { createModel } from '../model/catalogue.ts';
import type { ScriptLine } from '../model/model.ts';
import { runAgent } from './run-agent.ts';

const agent = sampleAgent({ agentId: 'lights', accepts: [], generates: ['SetLight'] });
const light = (room: string, state: string) => ({ function: 'SetLight', parameters: { room, state } });
const run = (...answers: ScriptLine['answer'][]) =>
  runAgent({
    ...{ agent, prompt: 'make it nice', run: 'r1', step: 's1' },
    model: createModel({ provider: 'scripted', script: answers.map((answer) => ({ task: 'generate', answer })) }),
  });

describe('an agent whose model contradicts itself', () => {
  it('asks it once more, and what it then says counts', async () => {
    const { status, mutations, usage } = await run(
      { message: '', calls: [light('kitchen', 'on'), light('bedroom', 'on'), light('bedroom', 'off')] },
      { message: '', calls: [light('bedroom', 'off')] },
    );
    assert.equal(status, 'answered');
    assert.deepEqual(
      mutations.map(({ parameters }) => parameters),
      [
        { room: 'kitchen', state: 'on' },
        { room: 'bedroom', state: 'off' },
      ],
    );
    assert.deepEqual([usage?.findings, usage?.regenerations, usage?.modelCalls], [1, 1, 2]);
  });

  it('does neither when it stays so, and asks the person which is meant; the rest is done', async () => {
    const both = { message: '', calls: [light('kitchen', 'on'), light('bedroom', 'on'), light('bedroom', 'off')] };
    const { mutations, rest } = await run(both, both, both);
    assert.deepEqual(
      mutations.map(({ parameters }) => parameters['room']),
      ['kitchen'],
    );
    assert.match(rest ?? '', /“Bedroom light on” and “Bedroom light off” can’t both be. Which is meant\?/);
  });

  it('counts nothing where nothing is wrong', async () => {
    const { usage } = await run({ message: '', calls: [light('kitchen', 'on')] });
    assert.deepEqual([usage?.findings, usage?.regenerations], [undefined, undefined]);
  });
});
