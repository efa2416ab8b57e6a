import assert from 'node:assert/strict';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import { graphqlLanguage, readSchema } from '../graphql/schema.ts';
import { createModel } from '../model/catalogue.ts';
import type { ScriptLine } from '../model/model.ts';
import type { AgentDefinition } from './definition.ts';
import { runAgent } from './run-agent.ts';
import type { RunAgentOptions } from './run-agent.ts';

const sdl = `
  enum Relation { EATS FEEDS }
  input RelationInput { from: String!, to: String!, kind: Relation! }
  type Creature { name: String!, age: Int }
  type Query { creatures(name: String): [Creature!]! }
  type Mutation { addCreature(name: String!, age: Int): Creature  addRelation(input: RelationInput!): Creature }`;

const agent: AgentDefinition = {
  agentId: 'creature-creator',
  name: 'Creature Creator',
  description: 'Creates creatures.',
  topics: ['creature'],
  parameters: [],
  instructions: '',
  accepts: ['addCreature'],
  generates: ['addCreature', 'addRelation'],
  functions: graphqlLanguage([readSchema(sdl)]).functions,
  graphql: { schemas: [sdl] },
};
const wolf = 'mutation { addCreature(name: "Wolf", age: 3) { name } }';
const eats = 'mutation { addRelation(input: { from: "Wolf", to: "Frog", kind: EATS }) { name } }';

const run = (answers: readonly ScriptLine['answer'][], more: Partial<RunAgentOptions> = {}) =>
  runAgent({
    ...{ agent, prompt: 'add a wolf that eats frogs', run: 'r1', step: 's1' },
    model: createModel({ provider: 'scripted', script: answers.map((answer) => ({ task: 'generate', answer })) }),
    ...more,
  });

describe('an agent that works with GraphQL', () => {
  it('turns a schema into mutations: checked, typed, and with their text', async () => {
    const { status, mutations } = await run([{ message: 'A wolf.', mutations: [wolf, eats] }]);
    assert.equal(status, 'answered');
    assert.deepEqual(
      mutations.map((one) => [one.function, one.parameters, one.graphql?.replace(/\s+/g, ' ')]),
      [
        ['addCreature', { name: 'Wolf', age: 3 }, 'mutation { addCreature(name: "Wolf", age: 3) { name age } }'],
        [
          'addRelation',
          { input: { from: 'Wolf', to: 'Frog', kind: 'EATS' } },
          'mutation { addRelation(input: {from: "Wolf", to: "Frog", kind: EATS}) { name age } }',
        ],
      ],
    );
  });

  it('tries once more with what was wrong, and refuses in words what is still wrong', async () => {
    const bad = eats.replace('EATS', 'LOVES');
    const mended = await run([{ mutations: [wolf, bad] }, { mutations: [eats] }]);
    assert.deepEqual(
      mended.mutations.map((one) => one.function),
      ['addCreature', 'addRelation'],
    );
    const twice = await run([{ mutations: [bad] }, { mutations: [bad] }]);
    assert.equal(twice.status, 'failed');
    assert.deepEqual(twice.mutations, []);
    assert.doesNotMatch(String(twice.payload), /mutation|GraphQL|LOVES/);
  });

  it('may not give a mutation that it only accepts', async () => {
    const seer = { ...agent, generates: ['addRelation'] };
    const { status, mutations } = await run([{ mutations: [wolf] }, { mutations: [wolf] }], { agent: seer });
    assert.deepEqual([status, mutations], ['refused', []]);
  });

  it('asks the application data by a query when it lacks something, and then goes on', async () => {
    const asked: string[] = [];
    const server = await startFakeOpenAi({
      answer: ({ text, tools, messages }) => {
        asked.push(text);
        assert.ok(tools.some(({ name }) => name === 'query_data'));
        const told = messages.some(({ role, content }) => role === 'tool' && content.includes('"age":7'));
        return told
          ? { calls: [{ name: 'generate_graphql', args: { mutations: [wolf] } }] }
          : { calls: [{ name: 'query_data', args: { query: '{ creatures(name: "Owl") { age } }' } }] };
      },
    });
    try {
      const model = createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'small' });
      const data = JSON.stringify({ creatures: [{ name: 'Owl', age: 7 }] });
      const { mutations } = await run([], { model, data });
      assert.deepEqual(
        mutations.map((one) => one.function),
        ['addCreature'],
      );
      assert.equal(asked.length, 2);
      assert.match(asked[0] ?? '', /type Mutation \{ addCreature/);
      assert.match(asked[0] ?? '', /Application data:\n\{"creatures"/);
    } finally {
      await server.close();
    }
  });

  it('may write the query beside its mutations, as a model without tool calls does, and goes on with the answer', async () => {
    const told: boolean[] = [];
    const server = await startFakeOpenAi({
      answer: ({ messages }) => {
        const isTold = messages.some(({ content }) => content.includes('"age":7'));
        told.push(messages.some(({ role, content }) => role === 'tool' && content.includes('"age":7')));
        const asks = { message: '', mutations: [], queries: ['{ creatures(name: "Owl") { age } }'] };
        return { text: JSON.stringify(told.length > 1 && isTold ? { message: 'Done.', mutations: [wolf] } : asks) };
      },
    });
    try {
      const model = createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'small' });
      const { mutations } = await run([], { model, data: '{"creatures":[{"name":"Owl","age":7}]}' });
      assert.deepEqual(
        mutations.map((one) => one.function),
        ['addCreature'],
      );
      assert.deepEqual(told, [false, true]);
    } finally {
      await server.close();
    }
  });

  it('refuses data that does not fit the schema, with the path, before any model is asked', async () => {
    const { status, payload, usage } = await run([{ mutations: [wolf] }], { data: '{"creatures":[{"age":"old"}]}' });
    assert.equal(status, 'refused');
    assert.match(String(payload), /creatures\.0\.name is missing/);
    assert.equal(usage?.modelCalls, 0);
  });

  it('works by words and rules where a mutation needs plain values only, and says so where it needs more', async () => {
    const simple = `enum Colour { RED BLUE } input Form { label: String! }
      type Mutation {
        "Set the colour of the header"
        setColour(colour: Colour!): Int
        "Add a form"
        addForm(form: Form!): Int
      }`;
    const { functions } = graphqlLanguage([readSchema(simple)]);
    const builder = { ...agent, functions, generates: ['setColour', 'addForm'], graphql: { schemas: [simple] } };
    const rules = { agent: builder, model: createModel({ provider: 'rules' }) };
    const { mutations } = await run([], { ...rules, prompt: 'set the colour to blue' });
    assert.deepEqual(
      mutations.map((one) => one.graphql?.replace(/\s+/g, ' ')),
      ['mutation { setColour(colour: BLUE) }'],
    );
    for (const prompt of ['add a form', 'add a form with two fields']) {
      const { payload, mutations: none } = await run([], { ...rules, prompt });
      assert.deepEqual([payload, none], [`Sorry, I can’t do “${prompt}”: that takes an AI model.`, []]);
    }
  });

  it('is given data that is no JSON as it is', async () => {
    let seen = '';
    const server = await startFakeOpenAi({ answer: ({ text }) => ((seen = text), { text: 'Nothing to do.' }) });
    const model = createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'small' });
    await run([], { model, data: 'three wolves; <no> JSON' });
    await server.close();
    assert.ok(seen.includes('three wolves; <no> JSON'));
  });
});
