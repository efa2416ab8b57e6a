import assert from 'node:assert/strict';
import { lightsAgent, mowerAgent, wasteAgent } from '../../test/language/agents.ts';
import { graphqlLanguage, readSchema } from '../graphql/schema.ts';
import { dataId, mutationId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Mutation } from '../moot.ts';
import { agentPrompt, agentTask, agentTools, askTool } from './prompt.ts';
import type { AgentInput } from './prompt.ts';

const entry = (name: string, area: string, run?: string): Mutation => ({
  id: run ? mutationId(run, 's1', name, { area }, 0) : dataId(name, { area }, 0),
  ...(run ? { run } : {}),
  function: name,
  parameters: { area },
  risk: 'reversible',
});
const board = [
  entry('ProduceCutGrass', 'elsewhere', 'r0'),
  entry('ProduceCutGrass', 'garden-data'),
  entry('MowLawn', 'mown-area', 'r1'),
  entry('ProduceCutGrass', 'back', 'r1'),
];
const input: AgentInput = {
  agent: wasteAgent,
  prompt: 'get rid of it',
  parameters: { area: ['back', 'front'] },
  board,
  run: 'r1',
};
const promptOf = (given: AgentInput, finding?: string) =>
  agentPrompt(agentTask(given, finding), given.agent.instructions)
    .map(({ text }) => text)
    .join('\n');

describe('the prompt of an agent', () => {
  it('and the data for models without a language hold the same', () => {
    const task = agentTask(input, 'was wrong');
    const prompt = promptOf(input, 'was wrong');
    const [agent] = task.agents;
    assert.deepEqual(task.functions.map(({ name }) => name).sort(), ['CollectWaste', 'ProduceCutGrass']);
    for (const { name, description } of task.functions)
      assert.ok(prompt.includes(name) && prompt.includes(description));
    for (const { function: name, parameters } of task.board)
      assert.ok(prompt.includes(`${name} ${JSON.stringify(parameters)}`));
    for (const topic of agent?.topics ?? []) assert.ok(prompt.includes(topic));
    assert.deepEqual(task.parameters, input.parameters);
    for (const [name, values] of Object.entries(task.parameters ?? {}))
      assert.ok(prompt.includes(`${name}: ${values.join(', ')}`));
    for (const text of [task.request, task.finding, agent?.name, agent?.description])
      assert.ok(text && prompt.includes(text));
    assert.equal(prompt.match(/^- ProduceCutGrass \{/gm)?.length, task.board.length);
  });

  it('hold nothing of functions that the agent neither accepts nor may generate', () => {
    for (const text of [
      promptOf(input),
      JSON.stringify(agentTask(input)),
      JSON.stringify(agentTools(agentTask(input))),
    ])
      assert.doesNotMatch(text, /MowLawn|mown-area|SetLight|elsewhere/);
    // What a command brings with it is not the mower's to see.
    const mower = { agent: mowerAgent, prompt: 'mow', run: 'r1', board };
    assert.doesNotMatch(
      promptOf(mower) + JSON.stringify(agentTask(mower).functions.map(({ name }) => name)),
      /ProduceCutGrass/,
    );
  });

  it('offer each function that may be generated as a tool, and a way to ask', () => {
    const tools = agentTools(agentTask(input));
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['CollectWaste', askTool],
    );
    assert.equal(
      JSON.stringify(agentTools(agentTask({ agent: lightsAgent, prompt: 'x', run: 'r' }))).includes('"minimum":0'),
      true,
    );
  });

  it('tell standing orders only when an event came straight to the agent', () => {
    assert.equal(agentTask(input).orders, undefined);
    const event = [{ source: 'mower', kind: 'state', value: 'done', time: '2026-03-01T10:00:00Z' }];
    assert.equal(agentTask({ ...input, event }).orders?.length, 1);
    assert.match(promptOf({ ...input, event }), /when the lawn was mown: collect the waste/);
  });

  it('tell how it goes about its work, with examples of it', () => {
    const agent = {
      ...wasteAgent,
      instructions: 'Never on Sundays.',
      steps: ['Look where waste lies.', 'Collect it.'],
      examples: [
        { prompt: 'clear the front', calls: [{ function: 'CollectWaste', parameters: { area: 'front' } }] },
        { prompt: 'is it tidy?', calls: [] },
        { prompt: 'mow', calls: [{ function: 'MowLawn', parameters: { area: 'front' } }] },
      ],
    };
    const prompt = promptOf({ ...input, agent });
    assert.match(prompt, /\nNever on Sundays\.\n/);
    assert.match(prompt, /1\. Look where waste lies\.\n2\. Collect it\./);
    assert.match(
      prompt,
      /- “clear the front”: CollectWaste \{"area":"front"\}\n- “is it tidy\?”: nothing is to be done/,
    );
    assert.doesNotMatch(prompt, /MowLawn/, 'what it may not generate is taught to nobody');
    const task = agentTask({ ...input, agent });
    assert.deepEqual([task.steps, task.examples], [agent.steps, agent.examples.slice(0, 2)]);
    for (const word of [/go about it/, /Examples/]) assert.doesNotMatch(promptOf(input), word);
  });

  it('tell examples of GraphQL as texts', () => {
    const sdl = 'type Query { all: [Int] } type Mutation { addCreature(name: String!): Boolean }';
    const agent = {
      ...{ ...wasteAgent, accepts: [], generates: ['addCreature'] },
      ...{ functions: graphqlLanguage([readSchema(sdl)]).functions, graphql: { schemas: [sdl] } },
      examples: [{ prompt: 'a wolf', calls: [{ function: 'addCreature', parameters: { name: 'Big  wolf' } }] }],
    };
    assert.match(promptOf({ ...input, agent }), /- “a wolf”: mutation \{ addCreature\(name: "Big {2}wolf"\) \}/);
  });

  it('say that talk comes to it, to the fallback agent alone', () => {
    assert.match(promptOf({ ...input, agent: { ...wasteAgent, fallback: true } }), /fits nobody else .*comes to you/);
    assert.doesNotMatch(promptOf(input), /comes to you/);
  });

  it('stay under the cap, alike', () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      entry('ProduceCutGrass', `${index} ${'x'.repeat(300)}`, 'r1'),
    );
    const agent = { ...wasteAgent, instructions: 'y'.repeat(limits.promptChars) };
    const big = { ...input, agent: wasteAgent, board: many };
    const task = agentTask(big);
    assert.ok(promptOf(big).length <= limits.promptChars + 1);
    assert.equal(promptOf(big).match(/^- ProduceCutGrass \{/gm)?.length, task.board.length);
    assert.ok(task.board.at(-1)?.parameters['area']?.toString().startsWith('299'));
    assert.ok(promptOf({ ...big, agent }).length <= limits.promptChars + 1);
    const examples = Array.from({ length: limits.agentExamples }, (_, index) => ({
      prompt: `${index} ${'z'.repeat(990)}`,
      calls: [],
    }));
    const taught = agentTask({ ...input, agent: { ...wasteAgent, examples } });
    assert.ok(promptOf({ ...input, agent: { ...wasteAgent, examples } }).length <= limits.promptChars + 1);
    assert.ok(taught.examples?.length && taught.examples.length < limits.agentExamples);
  });
});
