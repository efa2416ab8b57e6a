import assert from 'node:assert/strict';
import { startFakeOpenAi, type FakeAnswer, type FakeOpenAi, type FakeRequest } from '../../test/fake-openai.ts';
import { namesOf } from '../../test/library/garden.ts';
import { fakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { ScriptLine } from '../model/model.ts';
import { createRegistry, type Handler } from './registry.ts';
import { createSession, type SessionOptions } from './session.ts';

const area = { name: 'area', allowedValues: ['front', 'back'] };
const planned = { message: '', steps: [{ agent: 'lawn-mower', prompt: 'mow what is high' }] };

/** A lawn whose state an agent has to ask for; handlers write down what they were called for. */
function lawn(read: Handler = () => ({ height: 9, unit: 'cm' })) {
  const ran: string[] = [];
  const registry = createRegistry();
  const noted =
    (handler: Handler): Handler =>
    (call, context) => {
      ran.push(`${call.function} ${String(call.parameters['area'])}`);
      return handler(call, context);
    };
  registry.register(
    { name: 'MowLawn', description: 'Mow the lawn', parameters: [area] },
    noted(() => undefined),
  );
  registry.register(
    { name: 'ReadLawnHeight', description: 'Tells how high it is', category: 'look', risk: 'read', parameters: [area] },
    noted(read),
  );
  registry.register({ name: 'ReadWeather', category: 'sky', risk: 'read', parameters: [area] });
  return { registry, ran };
}
const team = (registry: SessionOptions['registry'], model: SessionOptions['model'], clock = fakeClock()) =>
  createSession({
    ...{ registry, model, clock },
    agents: [{ name: 'Lawn Mower', topics: ['lawn'], generates: ['MowLawn', 'ReadLawnHeight', 'ReadWeather'] }],
  });
const scripted = (...calls: readonly string[]) => {
  const parameters = { area: 'front' };
  const answer = { message: 'Done.', calls: calls.map((name) => ({ function: name, parameters })) };
  const script: readonly ScriptLine[] = [
    { task: 'plan', answer: planned },
    { task: 'generate', answer },
  ];
  return { provider: 'scripted' as const, script };
};

describe('A function that only reads', () => {
  let server: FakeOpenAi | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  /** What the model answers to plans, and then in each round of the agent. */
  async function served(...rounds: readonly FakeAnswer[]) {
    let round = 0;
    const answer = ({ tools }: FakeRequest): FakeAnswer =>
      tools.some(({ name }) => name === 'make_plan')
        ? { calls: [{ name: 'make_plan', args: planned }] }
        : (rounds[round++] ?? { text: 'Done.' });
    const started = (server = await startFakeOpenAi({ answer }));
    return { provider: 'openai-compatible' as const, baseUrl: started.url, modelName: 'tiny' };
  }

  it('answers the agent while it works: it stops, gets what it asked for and goes on', async () => {
    const { registry, ran } = lawn();
    const model = await served(
      { calls: [{ name: 'ReadLawnHeight', args: { area: 'FRONT' } }] },
      { calls: [{ name: 'MowLawn', args: { area: 'front' } }], text: 'It is 9 cm high, so I mow it.' },
    );
    const session = team(registry, model);
    const { outcome, calls, text, usage } = await session.generate('mow what is high');
    assert.equal(outcome, 'done');
    assert.deepEqual(namesOf(calls), ['MowLawn']);
    assert.match(text, /9 cm/);
    assert.equal(usage.toolCalls, 1);
    assert.deepEqual(ran, ['ReadLawnHeight front']);
    // The model saw what it may ask, and what came back.
    const [plan, first, second] = server?.requests ?? [];
    assert.match(plan?.text ?? '', /has tools: Tells how high it is/);
    assert.deepEqual(
      first?.tools.map(({ name }) => name),
      ['MowLawn', 'ask_person', 'ReadLawnHeight'],
    );
    assert.equal(second?.messages.at(-1)?.role, 'tool');
    assert.equal(second?.messages.at(-1)?.content, '{"height":9,"unit":"cm"}');
    // What was read is not done again, not even from a fresh start.
    const execution = await session.execute({ onStart: () => ({ ok: true, alsoPrevious: true }) });
    assert.deepEqual(ran, ['ReadLawnHeight front', 'MowLawn front']);
    assert.deepEqual([execution.done.length, execution.errors], [1, []]);
  });

  it('tells the model what is wrong with its question, and does not trouble the handler with it', async () => {
    const { registry, ran } = lawn();
    const model = await served({ calls: [{ name: 'ReadLawnHeight', args: { area: 'roof' } }] }, { text: 'Sorry.' });
    const { calls } = await team(registry, model).generate('mow what is high');
    assert.deepEqual([calls, ran], [[], []]);
    assert.match(server?.requests.at(-1)?.messages.at(-1)?.content ?? '', /^Error: .*roof.*front/);
  });

  it('is told in its own words where the model makes none', async () => {
    const { registry, ran } = lawn(() => 'The front lawn is 9 cm high');
    const { text, calls } = await team(registry, scripted('ReadLawnHeight')).generate('how high is it');
    assert.deepEqual([text, calls, ran.length], ['The front lawn is 9 cm high.', [], 1]);
  });

  it('finds the handler of its category, or the default one, also when that comes later', async () => {
    const { registry } = lawn();
    const session = team(registry, scripted('ReadWeather'));
    assert.match((await session.generate('what is the weather')).text, /nothing here is connected/);
    registry.registerCategory('sky', () => 'Rain');
    assert.equal((await session.generate('what is the weather')).text, 'Rain.');
  });

  it('says in plain words that a handler failed, gave no data or took too long', async () => {
    const told = async (read: Handler, ms = 0) => {
      const clock = fakeClock();
      const { promise: called, resolve } = Promise.withResolvers<void>();
      const { registry } = lawn((...of) => {
        resolve();
        return read(...of);
      });
      const going = team(registry, scripted('ReadLawnHeight'), clock).generate('how high is it');
      await called;
      await clock.advance(ms);
      return (await going).text;
    };
    const words = 'I could not find that out: something went wrong.';
    const broken = () => {
      throw new Error('sensor 17 on bus 3 has no power');
    };
    assert.equal(await told(broken), words);
    assert.equal(await told(() => () => 1), words);
    const never = () => new Promise(() => undefined);
    assert.equal(await told(never, limits.handlerMs), 'I could not find that out in time.');
  });
});
