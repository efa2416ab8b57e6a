import assert from 'node:assert/strict';
import { createRulesChatModel } from './rules-model.ts';
import { planData, stepData } from './sample.ts';

const model = createRulesChatModel();

describe('the rules as a chat model', () => {
  it('answers a plan with a tool call, from the data of the task alone', async () => {
    const answer = await model.invoke('plane the maple board', {
      metadata: { folkmoot: planData('plane the oak board') },
    });
    const [call] = answer.tool_calls ?? [];
    assert.equal(call?.name, 'make_plan');
    const { steps } = call.args as { steps: unknown };
    assert.deepEqual(steps, [{ agent: 'wood-agent', prompt: 'plane the oak board', parameters: { wood: ['oak'] } }]);
  });

  it('answers a step with a tool call', async () => {
    const answer = await model.invoke('', { metadata: { folkmoot: stepData('wood-agent', 'plane the oak board') } });
    const [call] = answer.tool_calls ?? [];
    assert.equal(call?.name, 'generate');
    assert.deepEqual(call.args['calls'], [{ function: 'PlaneBoard', parameters: { wood: 'oak' } }]);
  });

  it('streams the same', async () => {
    const found: unknown[] = [];
    for await (const chunk of await model.stream('', { metadata: { folkmoot: planData('plane the oak board') } }))
      found.push(...(chunk.tool_calls ?? []).map(({ name }) => name));
    assert.deepEqual(found, ['make_plan']);
  });

  it('says in words that other tasks take a model', async () => {
    const data = { ...planData('who is right?'), task: 'statement' as const };
    const answer = await model.invoke('', { metadata: { folkmoot: data } });
    assert.match(answer.text, /takes an AI model/);
  });
});
