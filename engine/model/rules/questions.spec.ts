/** Questions: which tool or read function answers them, and when none does. */
import assert from 'node:assert/strict';
import type { FunctionSpec } from '../../language/function-spec.ts';
import { memoryFunctions } from '../../memory/memory-functions.ts';
import { localSystemTools } from '../../tools/packs/local-system.ts';
import { specOfTool } from '../../tools/tool-card.ts';
import type { TaskAgent, TaskData } from '../model.ts';
import { generateWithRules } from './generate.ts';
import { planWithRules } from './plan.ts';
import { workshop } from './sample.ts';

const tool = (name: string, description: string, parameters: FunctionSpec['parameters'] = []): FunctionSpec =>
  specOfTool({ name, description, parameters, risk: 'read', effect: false });
const shed = [
  tool('ShedGate', 'Tells whether the shed gate is open or closed (shut)'),
  tool('OvenHeat', 'Tells how hot or warm an oven is: its temperature in degrees', [
    { name: 'oven', type: 'string', required: true, allowedValues: ['drying_oven', 'bread_oven'] },
  ]),
];
const system = Object.values(localSystemTools()).map(({ settings }) => specOfTool(settings));

const agent = (agentId: string, specs: readonly FunctionSpec[]): TaskAgent => ({
  agentId,
  name: agentId,
  description: '',
  topics: [],
  parameters: [],
  accepts: [],
  generates: specs.map(({ name }) => name),
});
const teams = { workshop, shed, system, memory: memoryFunctions };

function plan(request: string, names: readonly (keyof typeof teams)[] = ['workshop', 'shed', 'system']) {
  const agents = names.map((name) => agent(name, teams[name]));
  return planWithRules({ task: 'plan', request, agents, functions: names.flatMap((name) => teams[name]), board: [] });
}

/** What the agents of the plan would call, as `agent Function value`. */
function asks(request: string, ...names: readonly (keyof typeof teams)[]): string[] {
  return plan(request, names.length ? names : undefined).steps.flatMap((step) => {
    const tools = teams[step.agent as keyof typeof teams];
    const data: TaskData = {
      task: 'generate',
      request: step.prompt,
      agents: [{ ...agent(step.agent, []) }],
      functions: [],
      tools,
      board: [],
    };
    return generateWithRules(data).calls.map((call) =>
      [step.agent, call.function, ...Object.values(call.parameters)].join(' '),
    );
  });
}

describe('a question', () => {
  it('finds the tool whose words it is made of', () => {
    const expected: Readonly<Record<string, string>> = {
      'is the shed gate closed?': 'shed ShedGate',
      'is the gate of the shed open': 'shed ShedGate',
      'shed gate closed?': 'shed ShedGate',
      'how warm is the bread oven?': 'shed OvenHeat bread_oven',
      'what is the temperature of the drying oven?': 'shed OvenHeat drying_oven',
      'could you tell me how hot the bread oven is': 'shed OvenHeat bread_oven',
      'show me the temperature of the bread oven': 'shed OvenHeat bread_oven',
      'how many users are logged into this system?': 'system LoggedInUsers',
      'who is logged in': 'system LoggedInUsers',
      'for how many days has this system been up?': 'system SystemUptime',
      'how long has this computer been running?': 'system SystemUptime',
      'what is the load average?': 'system SystemLoad',
      'how busy is the machine': 'system SystemLoad',
      'show me the top 3 processes': 'system TopProcesses 3',
      'what was the load over the last five minutes?': 'system SystemLoad 5',
      'what is the 15 minute load of this system?': 'system SystemLoad 15',
      'how busy was the machine over the last minute?': 'system SystemLoad 1',
      'how many processes run?': 'system TopProcesses',
      'how is the system doing?': 'system SystemState',
      'show me the state of this system': 'system SystemState',
    };
    for (const [text, call] of Object.entries(expected)) assert.deepEqual(asks(text), [call], text);
  });

  it('is asked about when a needed value is missing, and stands beside others and beside orders', () => {
    assert.deepEqual(asks('is the shed gate shut and how warm is the bread oven?'), [
      'shed ShedGate',
      'shed OvenHeat bread_oven',
    ]);
    assert.deepEqual(
      plan('turn the band saw off and tell me how hot the bread oven is').steps.map((step) => step.agent),
      ['workshop', 'shed'],
    );
    assert.match(
      generateWithRules({
        task: 'generate',
        request: 'how hot is the oven?',
        agents: [agent('shed', [])],
        functions: [],
        tools: shed,
        board: [],
      }).question ?? '',
      /drying oven or bread oven/i,
    );
  });

  it('is answered politely when nothing fits: one foreign word is enough', () => {
    for (const text of [
      'is the garden gate closed?',
      'how bright is the bread oven?',
      'is it open?',
      'is the band saw on?',
      'what is the time?',
    ]) {
      const { steps, message, declined } = plan(text);
      assert.deepEqual([steps, declined], [[], true], text);
      assert.match(message, /Sorry/, text);
    }
  });

  it('never becomes an order, and an order never a question', () => {
    for (const text of [
      'close the shed gate',
      'open the shed gate',
      'heat the bread oven',
      'if the shed gate is open, turn the band saw off',
      'the shed gate is open',
      'when the shed gate is closed turn the band saw on',
      'when the shed gate is closed, turn the band saw on',
      'turn the band saw on when the shed gate is closed',
      'whether the shed gate is closed, turn the band saw on',
      'turn the band saw on, if the shed gate is closed',
      'turn the band saw on, what if the shed gate is closed',
    ])
      assert.deepEqual(plan(text).steps, [], text);
    assert.deepEqual(
      plan('turn the band saw on').steps.map((step) => step.agent),
      ['workshop'],
    );
  });

  it('is looked up as it is, where there is a memory and nothing else answers', () => {
    const all = ['workshop', 'shed', 'memory'] as const;
    const expected: Readonly<Record<string, string>> = {
      'where is the spare key?': 'memory Recall where is the spare key',
      'who has the spare key': 'memory Recall who has the spare key',
      'where did I leave the spare key?': 'memory Recall where did I leave the spare key',
      'where do I keep the ladder?': 'memory Recall where do I keep the ladder',
      'remember that the spare key is with Maria': 'memory Remember the spare key is with Maria',
      'remember the bins go out on Tuesday': 'memory Remember the bins go out on Tuesday',
      'forget the spare key': 'memory Forget the spare key',
      'is the shed gate closed?': 'shed ShedGate',
    };
    for (const [text, call] of Object.entries(expected)) assert.deepEqual(asks(text, ...all), [call], text);
    assert.match(
      asks('do you remember where the spare key is?', ...all)[0] ?? '',
      /^memory Recall .*where the spare key is$/,
    );
    for (const text of ['forget it', 'where is not the key', 'is the band saw on?'])
      assert.deepEqual(asks(text, ...all), [], text);
  });
});
