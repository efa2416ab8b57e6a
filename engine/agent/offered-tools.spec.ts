/** What of an agent's tools its model is shown. */
import assert from 'node:assert/strict';
import { startFakeOpenAi, type FakeOpenAi } from '../../test/fake-openai.ts';
import { createModel } from '../model/catalogue.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import type { AgentDefinition } from './definition.ts';
import type { ToolSelection } from './offered-tools.ts';
import { runAgent } from './run-agent.ts';

const tool = (name: string, description: string, mark: 't' | 'm' = 't'): AgentTool => ({
  spec: { ...{ name, description, category: 'tools', risk: 'read', effect: false, repeatable: true }, parameters: [] },
  mark,
  ask: async () => ({ status: 'answered', payload: '12 degrees', mutations: [] }),
  said: (_given, result) => String(result),
});
const tools = [
  tool('GetWeather', 'Tells the weather of a town'),
  tool('SystemLoad', 'Load of this computer'),
  tool('Recall', 'Recalls what was kept', 'm'),
];
const agent: AgentDefinition = {
  ...{ agentId: 'helper', name: 'Helper', description: 'Helps.', topics: [], parameters: [], instructions: '' },
  ...{ accepts: [], generates: [], functions: [] },
};

describe('the tools that a model is shown', () => {
  const seen: string[][] = [];
  let server: FakeOpenAi;
  let naming: readonly string[] = [];
  before(async () => {
    server = await startFakeOpenAi({
      answer: ({ tools: offered }) => {
        const names = offered.map(({ name }) => name);
        seen.push(names);
        if (names.includes('choose_tools')) return { calls: [{ name: 'choose_tools', args: { names: naming } }] };
        return { text: 'It is fine.' };
      },
    });
  });
  after(() => server.close());
  beforeEach(() => void (seen.length = 0));

  const ask = (selection?: ToolSelection) =>
    runAgent({
      ...{ agent, prompt: 'how is the weather in Bonn?', run: 'r', step: 's' },
      model: createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'small' }),
      tools: { askId: 'ask:r/s', owner: 'a', reached: () => tools, ...(selection ? { selection } : {}) },
    });

  it('are all that are wired, unless something else is chosen', async () => {
    await ask();
    assert.deepEqual(seen, [['ask_person', 'GetWeather', 'SystemLoad', 'Recall']]);
  });

  it('are those that share a word with the request, and always the memory’s', async () => {
    await ask({ choice: 'keyword', most: 10 });
    assert.deepEqual(seen, [['ask_person', 'GetWeather', 'Recall']]);
  });

  it('are those that the model names, which costs it one short call', async () => {
    naming = ['SystemLoad'];
    const { usage } = await ask({ choice: 'model', most: 1 });
    assert.deepEqual(seen, [['choose_tools'], ['ask_person', 'SystemLoad', 'Recall']]);
    assert.equal(usage?.modelCalls, 2);
  });
});
