import assert from 'node:assert/strict';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import type { FakeAnswer, FakeOpenAi } from '../../test/fake-openai.ts';
import { lightsAgent, mowerAgent, sampleAgent, wasteAgent } from '../../test/language/agents.ts';
import { fakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { createModel } from '../model/catalogue.ts';
import type { ScriptLine } from '../model/model.ts';
import type { AskAnswer, Mutation } from '../moot.ts';
import { runAgent } from './run-agent.ts';
import type { RunAgentOptions } from './run-agent.ts';

const climate = sampleAgent({ agentId: 'climate', accepts: [], generates: ['SetTemperature'] });
const home = sampleAgent({
  agentId: 'home-agent',
  accepts: [],
  generates: ['SetLight', 'SetTemperature', 'TellPerson'],
});
const technical = /[A-Z][a-z]+[A-Z]|living_room|JSON|schema|mutation|FOLKMOOT/;

const scripted = (...answers: ScriptLine['answer'][]) =>
  createModel({ provider: 'scripted', script: answers.map((answer) => ({ task: 'generate', answer })) });
const run = async (
  options: Partial<RunAgentOptions> & Pick<RunAgentOptions, 'agent' | 'model'>,
): Promise<AskAnswer> => {
  const answer = await runAgent({ prompt: 'do it', run: 'r1', step: 's1', ...options });
  assert.doesNotMatch(String(answer.payload) + (answer.rest ?? ''), technical);
  return answer;
};
const commands = ({ mutations }: AskAnswer) => mutations.map((one) => [one.function, one.parameters]);
const grass = (area: string, from?: string): Mutation => ({
  id: `${area}${from}`,
  ...(from ? { run: from } : {}),
  function: 'ProduceCutGrass',
  parameters: { area },
  risk: 'reversible',
});

describe('an agent', () => {
  it('makes mutations of calls, with what they bring', async () => {
    const model = scripted({ message: 'Mowing.', calls: [{ function: 'MowLawn', parameters: { area: 'Back' } }] });
    const answer = await run({ agent: mowerAgent, model });
    assert.equal(answer.status, 'answered');
    assert.equal(answer.payload, 'Mowing.');
    assert.deepEqual(commands(answer), [
      ['MowLawn', { area: 'back' }],
      ['ProduceCutGrass', { area: 'back' }],
    ]);
    const [first] = answer.mutations;
    assert.deepEqual([first?.run, first?.step, first?.agent, first?.risk], ['r1', 's1', 'lawn-mower', 'reversible']);
    assert.deepEqual((await run({ agent: mowerAgent, model })).mutations, answer.mutations);
    assert.equal(answer.usage?.byAgent['lawn-mower']?.modelCalls, 1);
  });

  it('tries once more with the finding, and what is right then stands', async () => {
    const model = scripted(
      { calls: [{ function: 'SetLight', parameters: { room: 'kitchen', state: 'bright' } }] },
      { message: 'Light on.', calls: [{ function: 'SetLight', parameters: { room: 'kitchen', state: 'on' } }] },
    );
    const answer = await run({ agent: lightsAgent, model });
    assert.deepEqual(commands(answer), [['SetLight', { room: 'kitchen', state: 'on' }]]);
    assert.equal(answer.usage?.modelCalls, 2);
  });

  it('refuses in plain words what is wrong twice', async () => {
    const hot = {
      message: 'ok',
      calls: [{ function: 'SetTemperature', parameters: { room: 'bedroom', celsius: 90 } }],
    };
    const answer = await run({ agent: climate, model: scripted(hot) });
    assert.equal(answer.status, 'refused');
    assert.equal(answer.payload, 'The bedroom can be set to 5 to 30 degrees, not 90.');
    assert.equal(answer.error?.code, 'FOLKMOOT_COMMAND_INVALID');
    assert.match(answer.error?.message ?? '', /SetTemperature, parameter celsius/);
    assert.deepEqual(answer.mutations, []);
    assert.equal(answer.usage?.modelCalls, 2);
  });

  it('keeps the good calls beside those that are refused, and says both', async () => {
    const both = {
      message: 'Here you go.',
      calls: [
        { function: 'SetLight', parameters: { room: 'kitchen', state: 'on' } },
        { function: 'SetTemperature', parameters: { room: 'bedroom', celsius: 90 } },
      ],
    };
    const answer = await run({ agent: home, model: scripted(both) });
    assert.equal(answer.status, 'answered');
    assert.deepEqual(commands(answer), [['SetLight', { room: 'kitchen', state: 'on' }]]);
    assert.equal(answer.rest, 'The bedroom can be set to 5 to 30 degrees, not 90.');
    assert.equal(answer.payload, `Here you go. ${answer.rest}`);
  });

  it('may not generate what it only accepts or does not know', async () => {
    for (const name of ['ProduceCutGrass', 'SetLight', 'rm -rf']) {
      const answer = await run({
        agent: wasteAgent,
        model: scripted({ calls: [{ function: name, parameters: { area: 'back' } }] }),
      });
      assert.equal(answer.status, 'refused');
      assert.equal(answer.error?.code, 'FOLKMOOT_NOT_ALLOWED');
      assert.deepEqual(answer.mutations, []);
    }
  });

  it('fills what is missing from accepted mutations of the run before it asks', async () => {
    const model = scripted({ calls: [{ function: 'CollectWaste', parameters: {} }] });
    const collect = async (board: Mutation[], parameters = {}) => run({ agent: wasteAgent, model, board, parameters });
    assert.deepEqual(commands(await collect([grass('back', 'r1')])), [['CollectWaste', { area: 'back' }]]);
    assert.deepEqual(commands(await collect([grass('front', 'r0'), grass('back', 'r1')])), [
      ['CollectWaste', { area: 'back' }],
    ]);
    assert.deepEqual(commands(await collect([grass('front')])), [['CollectWaste', { area: 'front' }]]);
    assert.deepEqual(commands(await collect([grass('back', 'r1')], { area: ['front'] })), [
      ['CollectWaste', { area: 'front' }],
    ]);
    const foreign = { ...grass('back', 'r1'), function: 'MowLawn' };
    for (const board of [
      [],
      [foreign],
      [grass('front', 'r0')],
      [grass('front', 'r1'), grass('back', 'r1')],
      [grass('moon', 'r1')],
    ]) {
      const answer = await collect(board);
      assert.deepEqual([answer.status, answer.asked, answer.mutations.length], ['answered', true, 0]);
      assert.equal(answer.payload, 'Which area: front or back?');
    }
  });

  it('asks the person when its model asks, and does nothing', async () => {
    const answer = await run({ agent: lightsAgent, model: scripted({ question: 'Which room?' }) });
    assert.deepEqual([answer.asked, answer.payload, answer.mutations.length], [true, 'Which room?', 0]);
    const words = await run({ agent: lightsAgent, model: scripted('In which room shall I switch it on?') });
    assert.equal(words.asked, true);
  });

  it('answers in words without commands', async () => {
    const answer = await run({ agent: lightsAgent, model: scripted('I like lamps. Do you?') });
    assert.deepEqual([answer.status, answer.asked, answer.payload], ['answered', undefined, 'I like lamps. Do you?']);
    assert.equal(
      (await run({ agent: lightsAgent, model: scripted({ message: '', calls: [] }) })).payload,
      'There was nothing to do.',
    );
  });

  it('says no function names, whatever its model says', async () => {
    const model = scripted({ message: 'I called SetLight for living_room.', calls: [] });
    assert.equal((await run({ agent: lightsAgent, model })).payload, 'I called set light for living room.');
  });

  it('takes each call once and no more than it may', async () => {
    const same = { function: 'SetLight', parameters: { room: 'kitchen', state: 'on' } };
    assert.equal((await run({ agent: home, model: scripted({ calls: [same, same] }) })).mutations.length, 1);
    const calls = Array.from({ length: 60 }, (_, n) => ({ function: 'TellPerson', parameters: { text: `line ${n}` } }));
    const answer = await run({ agent: home, model: scripted({ calls }) });
    assert.equal(answer.mutations.length, limits.mutationsPerStep);
    assert.match(answer.rest ?? '', /10 of it was left out/);
    assert.equal(new Set(answer.mutations.map(({ id }) => id)).size, limits.mutationsPerStep);
  });

  it('whose model is unknown or stopped fails or is cancelled, and never throws', async () => {
    const unknown = await run({ agent: home, model: createModel({ provider: 'oracle' }) });
    assert.deepEqual([unknown.status, unknown.error?.code], ['failed', 'FOLKMOOT_MODEL_UNKNOWN']);
    const signal = AbortSignal.abort(new Error('stop'));
    assert.equal((await run({ agent: home, model: scripted('x'), signal })).status, 'cancelled');
    const broken = { ...home, functions: [{ name: '1' }] as never };
    assert.equal((await run({ agent: broken, model: scripted('x') })).status, 'failed');
  });
});

describe('an agent with rules', () => {
  const model = createModel({ provider: 'rules' });

  it('does what words say, fills from the board, asks and refuses', async () => {
    const light = await run({ agent: lightsAgent, model, prompt: 'turn the kitchen light on at 40 %' });
    assert.deepEqual(commands(light), [['SetLight', { room: 'kitchen', state: 'on', brightness: 40 }]]);
    const waste = await run({ agent: wasteAgent, model, prompt: 'collect the waste', board: [grass('back', 'r1')] });
    assert.deepEqual(commands(waste), [['CollectWaste', { area: 'back' }]]);
    const which = await run({ agent: lightsAgent, model, prompt: 'turn on the light' });
    assert.deepEqual([which.asked, which.mutations.length], [true, 0]);
    const hot = await run({ agent: climate, model, prompt: 'set the temperature of the bedroom to 90 degrees' });
    assert.deepEqual([hot.status, hot.mutations.length], ['refused', 0]);
    assert.match(String(hot.payload), /5 to 30/);
  });
});

describe('an agent with a hosted model', () => {
  let server: FakeOpenAi | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  const hosted = async (...answers: FakeAnswer[]) => {
    server = await startFakeOpenAi({ answer: ({ index }) => answers[Math.min(index, answers.length - 1)] ?? {} });
    return createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'tiny' });
  };
  const on = { name: 'SetLight', args: { room: 'kitchen', state: 'on', brightness: 40 } };

  it('generates through tool calls that come in pieces, and streams its words', async () => {
    const model = await hosted({
      text: 'The light goes on.',
      calls: [on],
      piece: 3,
      usage: { prompt: 9, completion: 3 },
    });
    const heard: string[] = [];
    let pieces = 0;
    const onProgress = () => (pieces += 1);
    const answer = await run({ agent: lightsAgent, model, onText: (text) => heard.push(text), onProgress });
    assert.ok(pieces > heard.length + 10);
    assert.deepEqual(commands(answer), [['SetLight', { room: 'kitchen', state: 'on', brightness: 40 }]]);
    assert.equal(answer.payload, 'The light goes on.');
    assert.equal(heard.join(''), 'The light goes on.');
    assert.equal(answer.usage?.tokensIn, 9);
    const [request] = server?.requests ?? [];
    assert.deepEqual(
      request?.tools.map(({ name }) => name),
      ['SetLight', 'ask_person'],
    );
    assert.doesNotMatch(JSON.stringify(request?.body), /MowLawn|SetTemperature|folkmoot/);
  });

  it('generates through JSON text', async () => {
    const text =
      'Sure:\n```json\n{"message":"On.","calls":[{"function":"SetLight","parameters":{"room":"Kitchen","state":"on"}}]}\n```';
    const answer = await run({ agent: lightsAgent, model: await hosted({ text }) });
    assert.deepEqual(commands(answer), [['SetLight', { room: 'kitchen', state: 'on' }]]);
    assert.equal(answer.payload, 'On.');
  });

  it('is told what was wrong, once', async () => {
    const model = await hosted(
      { calls: [{ name: 'SetLight', args: { room: 'garage', state: 'on' } }] },
      { calls: [on] },
    );
    const answer = await run({ agent: lightsAgent, model });
    assert.equal(answer.mutations.length, 1);
    assert.equal(answer.payload, 'Kitchen light on at 40 %.');
    const texts = server?.requests.map(({ text }) => text) ?? [];
    assert.equal(texts.length, 2);
    assert.match(
      texts[1] ?? '',
      /Function SetLight, parameter room: garage is not allowed; allowed is kitchen, living_room, bedroom/,
    );
  });

  it('may mend unreadable arguments, and asks by a tool', async () => {
    const model = await hosted(
      { calls: [{ name: 'SetLight', args: '{"room": "kit' }] },
      { calls: [{ name: 'ask_person', args: { question: 'Which one?' } }] },
    );
    const answer = await run({ agent: lightsAgent, model });
    assert.deepEqual([answer.asked, answer.payload], [true, 'Which one?']);
  });

  it('whose answers stay unreadable or empty fails in words', async () => {
    for (const text of ['{"calls": [', '']) {
      const answer = await run({ agent: lightsAgent, model: await hosted({ text }) });
      assert.deepEqual([answer.status, answer.error?.code], ['failed', 'FOLKMOOT_MODEL_UNREADABLE']);
      assert.equal(server?.requests.length, 2);
      await server?.close();
    }
  });

  it('that fails the second time keeps what already stood', async () => {
    const model = await hosted(
      { calls: [on, { name: 'SetLight', args: { room: 'garage', state: 'on' } }] },
      { status: 400 },
    );
    const answer = await run({ agent: lightsAgent, model });
    assert.equal(answer.mutations.length, 1);
    assert.match(answer.rest ?? '', /not garage/);
  });

  it('that is refused by its server fails, that is silent times out', async () => {
    const failed = await run({ agent: lightsAgent, model: await hosted({ status: 404, text: 'no such model' }) });
    assert.deepEqual([failed.status, failed.mutations.length], ['failed', 0]);
    assert.match(failed.error?.message ?? '', /404.*no such model/);
    await server?.close();
    const clock = fakeClock();
    const work = run({ agent: lightsAgent, model: await hosted({ silence: 'start' }), clock, timeoutMs: 1_000 });
    while (!server?.requests.length) await new Promise((go) => setImmediate(go));
    await clock.advance(1_000);
    assert.equal((await work).status, 'timeout');
    assert.equal(clock.waiting, 0);
  });
});
