import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import type { FakeAnswer, FakeOpenAi, FakeRequest } from '../../test/fake-openai.ts';
import { sampleAgent } from '../../test/language/agents.ts';
import { fakeClock } from '../clock.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import { limits } from '../limits.ts';
import { createModel } from '../model/catalogue.ts';
import type { ScriptLine } from '../model/model.ts';
import type { AskAnswer } from '../moot.ts';
import { createEffectLedger } from '../people/effects.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { AgentTool, ToolArguments } from '../tools/agent-tool.ts';
import type { ToolUse } from './first-draft.ts';
import { runAgent } from './run-agent.ts';
import type { RunAgentOptions } from './run-agent.ts';

const lights = sampleAgent({ agentId: 'lights', accepts: [], generates: ['SetLight'] });
const answered = (payload: unknown): AskAnswer => ({ status: 'answered', payload, mutations: [] });

/** What the tools were asked. */
let asked: { id: string; given: ToolArguments }[] = [];

function tool(name: string, give: (given: ToolArguments) => AskAnswer, more: Partial<FunctionSpec> = {}): AgentTool {
  const room = { name: 'room', type: 'string' as const, required: false };
  const base = { description: `Tells the ${name}`, category: 'tools', effect: false, repeatable: true };
  return {
    spec: { name, ...base, risk: 'read', parameters: [room], ...more },
    mark: 't',
    said: (given, result) => (result === null ? undefined : `${String(given['room'] ?? 'it')}: ${String(result)}.`),
    ask: (id, given) => {
      asked.push({ id, given });
      return Promise.resolve(give(given));
    },
  };
}
const warmth = tool('Warmth', ({ room }) => answered(room === 'hall' ? 18 : 21));
const broken = tool('Broken', () => ({
  status: 'failed',
  payload: null,
  mutations: [],
  error: { code: 'FOLKMOOT_TOOL_FAILED', message: 'the sensor is asleep' },
}));
const use = (tools: readonly AgentTool[], more: Partial<ToolUse> = {}): ToolUse => ({
  askId: 'ask:r1/s1',
  owner: 'node',
  reached: () => tools,
  ...more,
});
const scripted = (answer: ScriptLine['answer']) =>
  createModel({ provider: 'scripted', script: [{ task: 'generate', answer }] });
const call = (name: string, parameters: object = {}) => ({ function: name, parameters: parameters as never });
const run = (options: Partial<RunAgentOptions> & Pick<RunAgentOptions, 'model'>) =>
  runAgent({ agent: lights, prompt: 'do it', run: 'r1', step: 's1', clock: fakeClock(), ...options });

describe('an agent with tools and no language of its own', () => {
  beforeEach(() => (asked = []));

  it('answers with what its tools say, and counts them', async () => {
    const model = scripted({ message: 'Done.', calls: [call('warmth', { room: 'hall' }), call('Warmth')] });
    const answer = await run({ model, tools: use([warmth]) });
    assert.equal(answer.status, 'answered');
    assert.equal(answer.payload, 'hall: 18. it: 21.');
    assert.deepEqual(answer.mutations, []);
    assert.deepEqual(asked, [
      { id: 'ask:r1/s1/t1', given: { room: 'hall' } },
      { id: 'ask:r1/s1/t2', given: {} },
    ]);
    assert.equal(answer.usage?.toolCalls, 2);
    assert.equal(answer.usage?.modelCalls, 1);
  });

  it('tells beside commands what was found out', async () => {
    const model = scripted({ calls: [call('Warmth'), call('SetLight', { room: 'kitchen', state: 'on' })] });
    const answer = await run({ model, tools: use([warmth]) });
    assert.deepEqual(
      answer.mutations.map((one) => one.function),
      ['SetLight'],
    );
    assert.equal(answer.rest, 'it: 21.');
  });

  it('says that a tool failed, gave nothing or is not wired, in plain words', async () => {
    const failed = await run({ model: scripted({ calls: [call('Broken')] }), tools: use([broken]) });
    assert.deepEqual([failed.status, failed.payload], ['failed', 'I could not find that out: something went wrong.']);
    assert.match(failed.error?.message ?? '', /the sensor is asleep/);
    const empty = tool('Empty', () => answered(null));
    const nothing = await run({ model: scripted({ calls: [call('Empty')] }), tools: use([empty]) });
    assert.equal(nothing.payload, 'I don’t know that yet.');
    const agent = { ...lights, generates: ['ReadMeter'], functions: [{ ...warmth.spec, name: 'ReadMeter' }] };
    const refused = await run({ agent, model: scripted({ calls: [call('ReadMeter')] }) });
    assert.deepEqual([refused.status, refused.error?.code], ['refused', 'FOLKMOOT_NOT_WIRED']);
    assert.match(String(refused.payload), /nothing here is connected/);
  });

  it('asks only what the wire reaches at the moment of the call', async () => {
    let looks = 0;
    // Seen when the model is asked, gone when the tool would be.
    const reached = () => ((looks += 1) <= 3 ? [warmth] : []);
    const answer = await run({ model: scripted({ calls: [call('Warmth')] }), tools: use([], { reached }) });
    assert.equal(answer.status, 'refused');
    assert.deepEqual(asked, []);
  });

  it('takes what is a command for a command, even if a tool has its name', async () => {
    const model = scripted({ calls: [call('SetLight', { room: 'kitchen', state: 'on' })] });
    const answer = await run({ model, tools: use([tool('SetLight', () => answered('on'))]) });
    assert.equal(answer.mutations.length, 1);
    assert.deepEqual(asked, []);
  });

  it('refuses critical tools without consent', async () => {
    const siren = tool('Siren', () => answered('loud'), { risk: 'critical', effect: true, repeatable: false });
    const model = scripted({ calls: [call('Siren')] });
    assert.equal((await run({ model, tools: use([siren]) })).status, 'refused');
    assert.deepEqual(asked, []);
    assert.equal((await run({ model, tools: use([{ ...siren, runWithoutAsking: true }]) })).status, 'answered');
  });

  it('lets a tool act once for each time that it is asked, and says what nobody knows', async () => {
    const clock = fakeClock();
    const effects = createEffectLedger(createEmbeddedStore({ path: ':memory:', clock }), clock);
    let answer: AskAnswer = answered('rung');
    const bell = tool('Bell', () => answer, { risk: 'reversible', effect: true, repeatable: false });
    const ring = (askId: string) =>
      run({ model: scripted({ calls: [call('Bell')] }), tools: use([bell], { effects, askId }) });
    assert.equal((await ring('ask:r1/s1')).payload, 'it: rung.');
    assert.equal((await ring('ask:r1/s1')).status, 'answered');
    assert.equal(asked.length, 1);
    answer = { status: 'timeout', payload: null, mutations: [], error: { code: 'FOLKMOOT_DEADLINE', message: 'late' } };
    assert.equal((await ring('ask:r1/s2')).payload, 'I don’t know whether that was done.');
    assert.equal((await effects.get('r1', 'ask:r1/s2/t1'))?.state, 'unknown');
    assert.deepEqual(await effects.unfinished('node'), []);
  });

  it('lets a tool act only while the work is its own, and asks before each one that does', async () => {
    const clock = fakeClock();
    const effects = createEffectLedger(createEmbeddedStore({ path: ':memory:', clock }), clock);
    const bell = tool('Bell', () => answered('rung'), { risk: 'reversible', effect: true, repeatable: false });
    const model = scripted({ calls: [call('Warmth'), call('Bell')] });
    const mayAct = () => Promise.resolve('Another one does it.');
    const answer = await run({ model, tools: use([bell, warmth], { effects, mayAct }) });
    assert.equal(answer.payload, 'it: 21. That was stopped.');
    assert.deepEqual(
      asked.map(({ id }) => id),
      ['ask:r1/s1/t1'],
    );
    assert.equal(await effects.get('r1', 'ask:r1/s1/t2'), undefined);
    await run({ model, run: 'r2', tools: use([bell, warmth], { effects, mayAct: () => Promise.resolve(undefined) }) });
    assert.equal(asked.length, 3);
  });

  it('keeps what was found over kill −9, and does not act twice', async function () {
    this.timeout(30_000);
    const folder = await mkdtemp(path.join(tmpdir(), 'folkmoot-tools-'));
    try {
      const script = new URL('./tool-loop.child.ts', import.meta.url).pathname;
      const process_ = (mode: string) =>
        promisify(execFile)(process.execPath, [script, path.join(folder, 'store.sqlite'), mode]);
      const died = (await process_('start').catch((error: unknown) => error)) as { signal?: string; stdout: string };
      assert.equal(died.signal, 'SIGKILL');
      assert.deepEqual(died.stdout.trim().split('\n').sort(), ['ask:r1/s1/t1', 'ask:r1/s1/t2']);
      const lines = (await process_('resume')).stdout.trim().split('\n');
      assert.equal(lines.length, 1, 'a tool was asked again');
      const answer = JSON.parse(lines[0] ?? '') as AskAnswer;
      assert.equal(answer.payload, 'Look says so I don’t know whether that was done.');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('an agent with tools and a hosted model', () => {
  let server: FakeOpenAi;
  let answers: FakeAnswer[];
  const model = () => createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'm' });
  const messages = (index: number) => server.requests[index]?.body['messages'] as Record<string, unknown>[];

  before(async () => {
    server = await startFakeOpenAi({
      answer: (_request: FakeRequest) => answers.shift() ?? { text: 'out of answers' },
    });
  });
  after(() => server.close());
  beforeEach(() => {
    asked = [];
    (server.requests as FakeRequest[]).length = 0;
  });

  it('goes on with the results as real tool messages, and answers in its own words', async () => {
    answers = [
      {
        calls: [
          { name: 'Warmth', args: { room: 'hall' } },
          { name: 'Broken', args: {} },
        ],
      },
      { text: 'The hall is at 18 degrees.' },
    ];
    const answer = await run({ model: model(), tools: use([warmth, broken]) });
    assert.equal(answer.payload, 'The hall is at 18 degrees.');
    assert.deepEqual(
      server.requests[0]?.tools.map(({ name }) => name),
      ['SetLight', 'ask_person', 'Warmth', 'Broken'],
    );
    const [assistant, first, second] = messages(1).slice(-3);
    const calls = assistant?.['tool_calls'] as { id: string; function: { name: string } }[];
    assert.deepEqual(
      calls.map((one) => one.function.name),
      ['Warmth', 'Broken'],
    );
    assert.deepEqual([first?.['role'], first?.['content'], first?.['tool_call_id']], ['tool', '18', calls[0]?.id]);
    assert.match(String(second?.['content']), /^Error: the sensor is asleep/);
    assert.deepEqual([answer.usage?.modelCalls, answer.usage?.toolCalls], [2, 2]);
  });

  it('gives its commands after it has looked', async () => {
    answers = [
      { calls: [{ name: 'Warmth', args: {} }] },
      { text: 'It is warm.', calls: [{ name: 'SetLight', args: { room: 'kitchen', state: 'on' } }] },
    ];
    const answer = await run({ model: model(), tools: use([warmth]) });
    assert.equal(answer.mutations.length, 1);
    assert.equal(answer.rest, 'It is warm.');
  });

  it('does not get between a tool’s question and the person', async () => {
    const wipe = tool('Wipe', () => ({ ...answered('Shall I wipe all?'), asked: true, asksYes: true }));
    const own = { ...wipe, said: (_given: ToolArguments, result: unknown) => String(result) };
    answers = [{ calls: [{ name: 'Wipe', args: {} }] }, { text: 'All is wiped.' }];
    const answer = await run({ model: model(), tools: use([own]) });
    assert.deepEqual([answer.payload, answer.asked, answer.asksYes], ['Shall I wipe all?', true, true]);
  });

  it('is not asked the same twice, and stopped when it asks nothing else', async () => {
    answers = Array.from({ length: 20 }, () => ({ calls: [{ name: 'Warmth', args: { room: 'hall' } }] }));
    const answer = await run({ model: model(), tools: use([warmth]) });
    assert.deepEqual([answer.status, answer.error?.code], ['failed', 'FOLKMOOT_LIMIT']);
    assert.doesNotMatch(String(answer.payload), /tool|FOLKMOOT|Warmth/);
    assert.equal(asked.length, 1);
    assert.match(String(messages(2).at(-1)?.['content']), /^You asked this before; the answer was: 18/);
  });

  it('is offered no tools in its last round, and stopped after it', async () => {
    let n = 0;
    answers = Array.from({ length: 20 }, () => ({ calls: [{ name: 'Warmth', args: { room: `r${(n += 1)}` } }] }));
    const answer = await run({ model: model(), tools: use([warmth]) });
    assert.equal(answer.error?.code, 'FOLKMOOT_LIMIT');
    assert.equal(server.requests.length, limits.toolRounds);
    assert.deepEqual(
      server.requests.at(-1)?.tools.map(({ name }) => name),
      ['SetLight', 'ask_person'],
    );
  });

  it('may make only so many calls', async () => {
    const many = Array.from({ length: limits.toolCalls + 5 }, (_, at) => ({
      name: 'Warmth',
      args: { room: `r${at}` },
    }));
    answers = [{ calls: many }, { text: 'Enough.' }];
    assert.equal((await run({ model: model(), tools: use([warmth]) })).payload, 'Enough.');
    assert.equal(asked.length, limits.toolCalls);
    assert.match(String(messages(1).at(-1)?.['content']), /too many calls/);
  });

  it('is told in text where its server knows no tools', async () => {
    answers = [
      { status: 400, text: 'this model does not support tools' },
      { text: '{"message":"","calls":[{"function":"Warmth","parameters":{"room":"hall"}}]}' },
      { text: 'The hall is at 18.' },
    ];
    const answer = await run({ model: model(), tools: use([warmth]) });
    assert.equal(answer.payload, 'The hall is at 18.');
    assert.deepEqual(
      messages(2)
        .slice(-2)
        .map(({ role, content }) => [role, content]),
      [
        ['assistant', '{"message":"","calls":[{"function":"Warmth","parameters":{"room":"hall"}}]}'],
        ['user', 'Answer of Warmth: 18'],
      ],
    );
  });
});
