import assert from 'node:assert/strict';
import fc from 'fast-check';
import { poolKeeper } from '../../test/http/pool.ts';
import { sharedFiles } from '../../test/shared-data.ts';
import { createLanguage } from '../language/language.ts';
import { agentDocument } from './agent-document.ts';
import { agentOfDocument } from './agent-of-document.ts';
import { readAgent } from './read-agent.ts';
import { writeCamelAgent } from './camel-dialect.ts';
import { writeSnakeAgent } from './snake-dialect.ts';
import { lossesOf, writeAgent } from './write-agent.ts';

const area = { name: 'area', type: 'string', required: true, allowedValues: ['front', 'back'] };
const spec = (name: string, category: string, consequences: object[] = []) => ({
  ...{ name, category, description: name, risk: 'reversible', effect: true, repeatable: false, parameters: [area] },
  ...(consequences.length ? { consequences } : {}),
});
const household = createLanguage([
  spec('MowLawn', 'lawn', [{ function: 'ProduceCutGrass', parameters: { area: '{area}' } }]),
  spec('ProduceCutGrass', 'lawn-waste'),
  spec('CollectWaste', 'waste'),
  spec('TakeWasteToCollectionSite', 'waste'),
]);
const disposer = {
  agentName: 'Waste Disposer',
  description: 'Knows how to dispose of waste',
  acceptedFunctionCategories: ['waste', 'lawn-waste'],
  functionCategoriesAllowedToGenerate: ['waste'],
  topics: ['waste'],
  agentParameters: ['site'],
};

describe('an agent as a document', () => {
  it('of ours is read whole, and what is left out gets its default', () => {
    const { agent, dialect } = readAgent('{"v":1,"name":"Lights"}');
    assert.equal(dialect, 'own');
    assert.deepEqual(agent, agentDocument({ name: 'Lights' }));
  });

  it('that is wrong is refused with the place', () => {
    const wrong = (given: unknown, words: RegExp) =>
      assert.throws(() => readAgent(given), { code: 'FOLKMOOT_BAD_INPUT', message: words });
    wrong('{', /no JSON/);
    wrong([], /no JSON object/);
    wrong({ v: 1 }, /name is missing/);
    wrong({ v: 2, name: 'x' }, /v must be equal to constant/);
    wrong({ v: 1, name: 'x', instruction: '' }, /instruction is nothing that an agent has/);
    wrong({ v: 1, name: 'x', examples: [{ calls: [] }] }, /examples\.0\.prompt is missing/);
    wrong({ ...poolKeeper, wings: 2 }, /wings: Extra inputs/);
    for (const key of Object.keys(disposer)) {
      const { [key as 'agentName']: _, ...rest } = disposer;
      if (key !== 'agentName') wrong(rest, new RegExp(`${key} is missing`));
    }
    wrong({ ...disposer, topics: 'waste' }, /topics is no list of texts/);
  });

  it('whatever it is, comes out of a file as it went in', () => {
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 _-]{0,20}$/);
    const agent = fc.record(
      {
        v: fc.constant(1 as const),
        name: word,
        description: fc.string({ maxLength: 200 }),
        topics: fc.array(word, { maxLength: 4 }),
        accepts: fc.array(word, { maxLength: 4 }),
        instructions: fc.string({ maxLength: 500 }),
        examples: fc.array(
          fc.record({
            prompt: word,
            calls: fc.array(fc.record({ function: fc.constant('MowLawn'), parameters: fc.dictionary(word, word) })),
          }),
          { maxLength: 3 },
        ),
        steps: fc.array(word, { maxLength: 3 }),
        fallback: fc.boolean(),
      },
      { requiredKeys: ['v', 'name'] },
    );
    fc.assert(
      fc.property(agent, (given) => {
        const { agent: once } = readAgent(JSON.stringify(given));
        assert.deepEqual(readAgent(JSON.stringify(once)).agent, once);
        assert.deepEqual({ ...once, ...(JSON.parse(JSON.stringify(given)) as object) }, once);
      }),
    );
  });
});

describe('an agent of a document', () => {
  it('works with all that the document says', () => {
    const said = {
      ...{ name: 'Lawn Mower', description: 'Mows.', topics: ['lawn'], parameters: ['area'] },
      ...{ instructions: 'Never on Sundays.', steps: ['Look at the weather.'], fallback: true },
      examples: [{ prompt: 'mow', calls: [{ function: 'MowLawn', parameters: { area: 'front' } }] }],
    };
    const document = { v: 1, agentId: 'mower', ...said, accepts: ['category:waste'], generates: ['MowLawn'] };
    const { definition, notes } = agentOfDocument(readAgent(document).agent, household);
    assert.deepEqual(notes, []);
    const { functions, accepts, generates, ...rest } = definition;
    assert.deepEqual(rest, { agentId: 'mower', ...said });
    assert.deepEqual([accepts, generates], [['CollectWaste', 'TakeWasteToCollectionSite'], ['MowLawn']]);
    assert.deepEqual(functions.map(({ name }) => name).sort(), [
      ...['CollectWaste', 'MowLawn', 'ProduceCutGrass', 'TakeWasteToCollectionSite'],
    ]);
  });
});

describe('an agent in the dialect of the TypeScript client', () => {
  it('has categories, which become the functions that the house has', () => {
    const { agent, dialect } = readAgent(disposer);
    assert.equal(dialect, 'camel');
    const { definition, notes } = agentOfDocument(agent, household);
    assert.deepEqual(definition.generates, ['CollectWaste', 'TakeWasteToCollectionSite']);
    assert.deepEqual(definition.accepts, ['ProduceCutGrass', 'CollectWaste', 'TakeWasteToCollectionSite']);
    assert.deepEqual([definition.agentId, definition.parameters, notes], ['waste-disposer', ['site'], []]);
  });

  it('whatever it is, comes out as it went in, whatever the house can do', () => {
    const lists = fc.array(fc.string({ maxLength: 20 }), { maxLength: 4 });
    const categories = fc.uniqueArray(fc.string({ maxLength: 20 }), { maxLength: 4 });
    const given = fc.record({
      ...{ agentName: fc.string(), description: fc.string(), topics: lists, agentParameters: lists },
      ...{ acceptedFunctionCategories: categories, functionCategoriesAllowedToGenerate: categories },
    });
    fc.assert(
      fc.property(
        given.map((agent) => JSON.stringify(agent)),
        (text) => {
          const { agent, dialect, notes } = readAgent(text);
          assert.deepEqual([dialect, notes], ['camel', []]);
          assert.deepEqual(JSON.parse(writeAgent(agent, 'camel', household)), JSON.parse(text));
        },
      ),
    );
  });

  it('with a category that nobody knows gives a note and no function for it', () => {
    const { agent } = readAgent({ ...disposer, functionCategoriesAllowedToGenerate: ['pool'] });
    const { definition, notes } = agentOfDocument(agent, household);
    assert.deepEqual(definition.generates, []);
    assert.deepEqual(notes, ['Agent "Waste Disposer": there is no category "pool".']);
  });

  it('comes out as it went in', () => {
    assert.deepEqual(writeCamelAgent(readAgent(disposer).agent, household), disposer);
  });

  for (const [file, text] of Object.entries(sharedFiles('gpt-maa', '.agent.json')))
    it(`is read from the file ${file} of that program, and comes out the same`, () => {
      const { agent, dialect, notes } = readAgent(text);
      assert.deepEqual([dialect, notes], ['camel', []]);
      assert.deepEqual(writeCamelAgent(agent, household), JSON.parse(text));
      assert.ok(agentOfDocument(agent, household).definition.accepts.includes('CollectWaste'));
    });
});

describe('an agent in the dialect of the REST interface', () => {
  it('brings its functions, and comes out as it went in', () => {
    const { agent, dialect, notes } = readAgent(poolKeeper);
    assert.deepEqual([dialect, notes], ['snake', []]);
    assert.deepEqual(agentOfDocument(agent, household).definition.generates, ['CleanPool']);
    assert.deepEqual(writeSnakeAgent(agent, household), poolKeeper);
    const withValues = { ...poolKeeper, agent_parameters: { 'pool-side': ['deep', 'shallow'] } };
    assert.deepEqual(writeSnakeAgent(readAgent(withValues).agent, household), withValues);
  });

  it('whatever it is, comes out as it went in, and so does what it becomes in our own form', () => {
    const texts = fc.array(fc.string({ maxLength: 20 }), { maxLength: 3 });
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,20}$/);
    const parameter = fc.record({
      ...{ name: word, type: fc.constantFrom('int', 'float', 'string', 'datetime') },
      allowed_values: fc.constant([]),
    });
    const parameters = fc.uniqueArray(parameter, { maxLength: 3, selector: ({ name }) => name.toLowerCase() });
    const unique = { maxLength: 5, selector: (one: { function_name: string }) => one.function_name.toLowerCase() };
    const functions = fc.uniqueArray(
      fc.record({ function_name: word.map((name) => `Own${name}`), description: fc.string(), parameters }),
      unique,
    );
    const given = functions.chain((all) =>
      fc.record({
        ...{ agent_name: word, description: fc.string({ maxLength: 200 }), topics: texts },
        accepted_functions: fc.subarray(all),
        functions_allowed_to_generate: fc.subarray(all),
        agent_parameters: fc.dictionary(word, texts, { maxKeys: 3, noNullPrototype: true }),
      }),
    );
    fc.assert(
      fc.property(
        given.map((agent) => JSON.stringify(agent)),
        (text) => {
          const { agent, notes } = readAgent(text);
          assert.deepEqual(notes, []);
          assert.deepEqual(JSON.parse(writeAgent(agent, 'snake', household)), JSON.parse(text));
          assert.deepEqual(readAgent(writeAgent(agent, 'own', household)).agent, agent);
        },
      ),
    );
  });

  it('keeps what the house knows of a function that both have', () => {
    const loose = { function_name: 'CollectWaste', description: 'x', parameters: [] };
    const { agent } = readAgent({ ...poolKeeper, functions_allowed_to_generate: [loose], accepted_functions: [] });
    const { definition } = agentOfDocument(agent, household);
    assert.deepEqual(definition.functions, [household.find('CollectWaste')]);
  });

  it('with a function that breaks our rules loads without it, and notes it', () => {
    const strange = { function_name: 'Clean the pool', description: '', parameters: [] };
    const { agent, notes } = readAgent({ ...poolKeeper, functions_allowed_to_generate: [strange] });
    assert.deepEqual(agent.generates, []);
    assert.match(notes.join(), /"Clean the pool" can’t be used/);
  });

  it('with two functions whose names differ in case only keeps one, and can work', () => {
    const twin = { function_name: 'cleanpool', description: '', parameters: [] };
    const { agent } = readAgent({ ...poolKeeper, accepted_functions: [...poolKeeper.accepted_functions, twin] });
    assert.deepEqual(agentOfDocument(agent, household).definition.generates, ['CleanPool']);
  });

  it('may be written from categories: each with its functions in full', () => {
    const written = writeSnakeAgent(readAgent(disposer).agent, household);
    assert.deepEqual(
      written.functions_allowed_to_generate.map((one) => one.function_name),
      ['CollectWaste', 'TakeWasteToCollectionSite'],
    );
    const again = readAgent(written).agent;
    assert.deepEqual(again.generates, ['CollectWaste', 'TakeWasteToCollectionSite']);
  });
});

describe('an agent that is written', () => {
  const agent = agentDocument({
    ...{ name: 'Lawn Mower', topics: ['lawn'], generates: ['MowLawn'], steps: ['Look.'], fallback: true },
    examples: [{ prompt: 'mow', calls: [{ function: 'MowLawn', parameters: { area: 'front' } }] }],
  });

  it('in our own form comes back as it was, without what has its default anyway', () => {
    const text = writeAgent(agent, 'own', household);
    assert.deepEqual(readAgent(text).agent, agent);
    assert.deepEqual(Object.keys(JSON.parse(text) as object), [
      ...['v', 'name', 'topics', 'generates', 'examples', 'steps', 'fallback'],
    ]);
    assert.deepEqual(lossesOf(agent, 'own', household), []);
  });

  it('in a dialect is read there, with what is lost told', () => {
    for (const dialect of ['snake', 'camel'] as const) {
      const read = readAgent(writeAgent(agent, dialect, household));
      assert.deepEqual([read.dialect, read.agent.name], [dialect, 'Lawn Mower']);
      assert.deepEqual(agentOfDocument(read.agent, household).definition.generates, ['MowLawn']);
      assert.deepEqual(lossesOf(agent, dialect, household), ['This form has no place for: steps, examples, fallback.']);
    }
    const wide = agentDocument({ name: 'x', generates: ['CollectWaste', 'NoSuch'] });
    assert.deepEqual(lossesOf(wide, 'camel', household), [
      '"CollectWaste" becomes the whole category "waste".',
      '"NoSuch" is in no category, so it is left out.',
    ]);
  });

  it('with an example of a command that it may not give says so when it is read', () => {
    const { notes } = agentOfDocument({ ...agent, generates: [] }, household);
    assert.deepEqual(notes, ['Agent "Lawn Mower": The example "mow" is left out: the agent may not give "MowLawn".']);
  });
});
