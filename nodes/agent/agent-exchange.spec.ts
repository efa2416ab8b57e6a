/** An agent as a document: written out of a dialog, edited, read into one, and run (row 83, P22, P23). */
import assert from 'node:assert/strict';
import { startFakeOpenAi, type FakeOpenAi } from '../../test/fake-openai.ts';
import { adminPost, load, nextAt, node, onTab, startServer, stopServer, unload, until } from '../../test/red/red.ts';
import { agent, called, config, ends, functions, modules, router, say } from '../../test/red/team-flow.ts';
import type { Exchange } from './exchange.ts';

const mower = {
  name: 'Lawn Mower',
  generates: ['MowLawn'],
  steps: ['Look at the weather.'],
  examples: [{ prompt: 'cut it', calls: [{ function: 'MowLawn', parameters: { area: 'front' } }] }],
};

describe('an agent node’s import and export', function () {
  this.timeout(30_000);
  before(startServer);
  after(stopServer);
  beforeEach(() => load(modules, config()));
  afterEach(unload);

  const post = (what: 'read' | 'write', sent: object) =>
    adminPost<Exchange & { readonly error?: string }>(`/folkmoot-admin/agents/${what}`, { functions, ...sent });

  it('gives an agent that is edited, taken in and run', async () => {
    const { body: written } = await post('write', { agent: mower, form: 'own' });
    const edited = (written.text ?? '').replace('"Lawn Mower"', '"Grass Cutter"');
    const { body } = await post('read', { text: edited });
    assert.deepEqual(body.notes, []);
    assert.deepEqual(body.agent, {
      ...{ v: 1, description: '', topics: [], parameters: [], accepts: [], instructions: '', fallback: false },
      ...{ ...mower, name: 'Grass Cutter' },
    });
    await unload();
    const { name, ...settings } = body.agent as typeof mower;
    await load(modules, [...config(), ...onTab([router(['a']), agent('a', name, [], settings), ...ends])]);
    const result = nextAt('result');
    say('mow the front lawn');
    const { moot } = await result;
    assert.deepEqual(called(moot), [['MowLawn', { area: 'front' }]]);
    assert.equal(moot?.plan?.steps[0]?.agent, 'grass-cutter');
  });

  it('knows both forms of gpt-multi-atomic-agents, by functions not yet deployed too', async () => {
    const camel = await post('write', { agent: mower, form: 'camel' });
    assert.deepEqual(camel.body.notes, ['This form has no place for: steps, examples.']);
    assert.deepEqual(
      (JSON.parse(camel.body.text ?? '') as { functionCategoriesAllowedToGenerate: string[] })
        .functionCategoriesAllowedToGenerate,
      ['lawn'],
    );
    const again = await post('read', { text: camel.body.text });
    assert.deepEqual((again.body.agent as typeof mower).generates, ['category:lawn']);
    const snake = await post('write', { agent: mower, form: 'snake' });
    const elsewhere = await post('read', { text: snake.body.text, functions: functions.slice(0, 1) });
    assert.match(elsewhere.body.notes.join(), /functions that the house does not have: MowLawn/);
    const deployed = await post('read', { text: snake.body.text, functions: undefined, language: 'lang' });
    assert.deepEqual(deployed.body.notes, []);
  });

  it('says what is wrong with a text, and takes nothing of it', async () => {
    for (const [text, words] of [
      ['{', /no JSON/],
      ['{"v":1}', /name is missing/],
      [undefined, /no JSON object/],
    ] as const) {
      const { status, body } = await post('read', { text });
      assert.equal(status, 422);
      assert.match(body.error ?? '', words);
    }
    const gone = await post('write', { agent: mower, functions: undefined, language: 'gone' });
    assert.deepEqual([gone.status, /chosen language is missing/.test(gone.body.error ?? '')], [422, true]);
  });
});

describe('an agent node with steps and examples', function () {
  this.timeout(30_000);
  let server: FakeOpenAi;
  before(async () => {
    await startServer();
    server = await startFakeOpenAi({
      answer: ({ text }) =>
        text.startsWith('You decide')
          ? { calls: [{ name: 'make_plan', args: { message: '', steps: [{ agent: 'chat', prompt: 'sing' }] } }] }
          : { text: 'La la la.' },
    });
  });
  after(async () => {
    await server.close();
    await stopServer();
  });
  afterEach(unload);

  const flow = (more: object) => [
    ...config(),
    { id: 'ai', type: 'folkmoot-model', provider: 'openai-compatible', baseUrl: server.url, modelName: 'fake' },
    ...onTab([
      router(['a', 'lights'], { model: 'ai' }),
      agent('a', 'Lawn Mower', ['MowLawn'], { model: 'ai', ...more }),
      agent('lights', 'lights', ['SetLight'], { model: 'ai' }),
      ...ends,
    ]),
  ];

  it('has them and its instructions in what its model reads, and answers talk when it is marked for that', async () => {
    const { steps, examples } = mower;
    await load(modules, flow({ steps, examples, instructions: 'Never on Sundays.', fallback: true }));
    const result = nextAt('result');
    say('sing something');
    assert.equal((await result).payload, 'La la la.');
    const [planner = '', asked = ''] = server.requests.slice(-2).map(({ text }) => text);
    assert.match(planner, /choose "chat", for which lawn-mower answers/);
    assert.match(asked, /\nNever on Sundays\.\n/);
    assert.match(asked, /1\. Look at the weather\./);
    assert.match(asked, /- “cut it”: MowLawn \{"area":"front"\}/);
    assert.match(asked, /fits nobody else of the team comes to you/);
  });

  it('says at the start which examples it can’t use', async () => {
    const examples = [
      { prompt: 'light', calls: [{ function: 'SetLight', parameters: {} }] },
      'mow',
      { prompt: 'x', calls: [3] },
    ];
    await load(modules, flow({ examples }));
    const warned = () => (node('a') as unknown as { warn: { args: unknown[][] } }).warn.args.map(String);
    await until(() => warned().length === 2);
    assert.match(warned().join('\n'), /Some of its examples are left out.*\n.*"light" is left out.*"SetLight"/);
  });
});
