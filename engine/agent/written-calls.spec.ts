/** A small model that can't call tools writes its calls as text. */
import assert from 'node:assert/strict';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import { createModel } from '../model/catalogue.ts';
import type { AgentDefinition } from './definition.ts';
import { runAgent } from './run-agent.ts';

const agent: AgentDefinition = {
  ...{ agentId: 'lights', name: 'Lights', description: 'Lights.', topics: [], parameters: [], instructions: '' },
  ...{ accepts: [], generates: ['SetLight'] },
  functions: [
    {
      ...{ name: 'SetLight', description: 'x', category: 'l', risk: 'reversible', effect: true, repeatable: true },
      parameters: [
        { name: 'room', type: 'string', required: true, allowedValues: ['kitchen', 'hall'] },
        { name: 'level', type: 'integer', required: false, minimum: 0, maximum: 100 },
      ],
    },
  ],
};

describe('an agent whose model writes its calls', () => {
  const ask = async (...texts: readonly string[]) => {
    const asked: string[] = [];
    const server = await startFakeOpenAi({
      answer: ({ text }) => {
        asked.push(text);
        return { text: texts[Math.min(asked.length, texts.length) - 1] ?? '' };
      },
    });
    let shown = '';
    try {
      const answer = await runAgent({
        ...{ agent, prompt: 'dim the kitchen', run: 'r', step: 's' },
        model: createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'small' }),
        onText: (words) => (shown += words),
      });
      return { answer, asked, shown };
    } finally {
      await server.close();
    }
  };

  it('does what they say, and shows nobody how they are written', async () => {
    const { answer, shown } = await ask(
      'Gladly.\n<tool_call>\n{"name": "SetLight", "arguments": {"room": "kitchen", "level": "40"}}\n</tool_call>',
    );
    assert.deepEqual(
      answer.mutations.map((one) => one.parameters),
      [{ room: 'kitchen', level: 40 }],
    );
    assert.equal(shown.trim(), 'Gladly.');
    assert.doesNotMatch(String(answer.payload), /tool_call|SetLight/);
  });

  it('is told once which names there are, when it writes one that there is not', async () => {
    const { answer, asked } = await ask(
      '<tool_call>{"name": "SetLamp", "arguments": {"room": "kitchen"}}</tool_call>',
      '<tool_call>{"name": "SetLight", "arguments": {"room": "kitchen"}}</tool_call>',
    );
    assert.equal(answer.mutations.length, 1);
    assert.equal(asked.length, 2);
    assert.match(asked[1] ?? '', /no tool SetLamp; there are SetLight/);
  });

  it('ends in words when it goes on so', async () => {
    const { answer, asked } = await ask('<tool_call>{"name": "SetLamp", "arguments": {}}</tool_call>');
    assert.equal(asked.length, 2);
    assert.deepEqual(answer.mutations, []);
    assert.doesNotMatch(String(answer.payload), /tool_call|SetLamp|\{/);
    assert.match(String(answer.payload), /\w/);
  });
});
