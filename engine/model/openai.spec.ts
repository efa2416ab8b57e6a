import assert from 'node:assert/strict';
import { answerFromTable, startFakeOpenAi } from '../../test/fake-openai.ts';
import type { FakeAnswer, FakeOpenAi } from '../../test/fake-openai.ts';
import { fakeClock, type Clock } from '../clock.ts';
import { isFolkmootError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { limits } from '../limits.ts';
import { callModel } from './call.ts';
import type { ModelCall } from './call.ts';
import { createModel } from './catalogue.ts';
import { busyHosts } from './host-queue.ts';
import type { ModelSettings, TaskData } from './model.ts';

const data: TaskData = { task: 'generate', request: 'go', agents: [], functions: [], board: [] };
const tools = [{ name: 'Act', description: 'acts', schema: { type: 'object', properties: { n: { type: 'number' } } } }];
const failsWith = (work: Promise<unknown>, code: ErrorCode, text?: RegExp) =>
  assert.rejects(work, (error: unknown) => {
    assert.ok(isFolkmootError(error, code), String(error));
    if (text) assert.match(error.message, text);
    return true;
  });

describe('a model behind an OpenAI-compatible address', () => {
  let server: FakeOpenAi | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
    assert.deepEqual(busyHosts(), []);
  });

  const answers = async (...list: FakeAnswer[]) => {
    server = await startFakeOpenAi({ answer: ({ index }) => list[Math.min(index, list.length - 1)] ?? {} });
    return server;
  };
  const ask = (extra: Partial<ModelCall> = {}, settings: Partial<ModelSettings> = {}) =>
    callModel(
      createModel({
        provider: 'openai-compatible',
        baseUrl: server?.url ?? '',
        modelName: 'tiny',
        temperature: 0,
        ...settings,
      }),
      {
        messages: [
          { role: 'system', text: 'be brief' },
          { role: 'user', text: 'go' },
        ],
        tools,
        data,
        agent: 'agent-a',
        ...extra,
      },
    );

  it('streams text, counts usage, and gets no task data', async () => {
    const { requests } = await answers({
      text: 'Hello, how are you?',
      usage: { prompt: 20, completion: 5, cached: 8 },
    });
    const heard: string[] = [];
    const reply = await ask({ onText: (text) => heard.push(text) });
    assert.equal(reply.text, 'Hello, how are you?');
    assert.equal(heard.join(''), 'Hello, how are you?');
    assert.ok(heard.length > 1);
    assert.deepEqual([reply.usage.tokensIn, reply.usage.tokensOut, reply.usage.tokensCached], [20, 5, 8]);
    assert.deepEqual(reply.usage.byAgent, { 'agent-a': { modelCalls: 1, tokensIn: 20, tokensOut: 5 } });
    assert.deepEqual(requests[0]?.messages, [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'go' },
    ]);
    assert.doesNotMatch(JSON.stringify(requests[0]?.body), /folkmoot|"task"/);
    assert.equal(requests[0]?.authorization, 'Bearer none');
  });

  it('puts tool calls together that come in pieces', async () => {
    const calls = [
      { name: 'Act', args: { n: 1, words: 'a "quoted" word' } },
      { name: 'Act', args: { n: 2 } },
    ];
    await answers({ text: 'Fine.', calls, piece: 2 });
    const reply = await ask();
    assert.deepEqual(reply.calls, calls);
    assert.equal(reply.text, 'Fine.');
  });

  it('gives unreadable arguments as such', async () => {
    await answers({ calls: [{ name: 'Act', args: '{"n": ' }] });
    const reply = await ask();
    assert.deepEqual(reply.calls, [{ name: 'Act', args: {}, unreadable: '{"n": ' }]);
  });

  it('keeps JSON and thinking aloud from people', async () => {
    await answers({ text: '{"message":"hi"}' }, { text: '<think>hm, hm</think>\nHello', piece: 3 });
    const heard: string[] = [];
    await ask({ onText: (text) => heard.push(text) });
    assert.equal(heard.length, 0);
    const reply = await ask({ onText: (text) => heard.push(text) });
    assert.deepEqual([reply.text, heard.join('')], ['Hello', 'Hello']);
  });

  /** A clock on which the pause before the next try passes at once, and nothing else. */
  function restless() {
    const clock = fakeClock();
    let pauses = 0;
    const setTimer: Clock['setTimer'] = (run, ms) => {
      const timer = clock.setTimer(run, ms);
      if (ms !== limits.modelRetryMs) return timer;
      pauses += 1;
      setImmediate(() => void clock.advance(ms));
      return timer;
    };
    return { clock, own: { ...clock, setTimer }, pauses: () => pauses };
  }

  for (const status of [500, 503, 429])
    it(`is tried once more after error ${status}, and the pause before it is no silence`, async () => {
      const { requests } = await answers({ status }, { text: 'fine' });
      const { own, clock, pauses } = restless();
      let signs = 0;
      const reply = await ask({ clock: own, timeoutMs: 300, onProgress: () => (signs += 1) });
      assert.deepEqual([reply.text, requests.length, pauses()], ['fine', 2, 1]);
      assert.ok(signs >= 3, 'the next try is a sign of life');
      assert.equal(clock.waiting, 0);
    });

  it('is tried no more than once again', async () => {
    const { requests } = await answers({ status: 500, text: 'out of owls' });
    const { own, clock } = restless();
    await failsWith(ask({ clock: own, timeoutMs: 300 }), 'FOLKMOOT_MODEL_FAILED', /error 500.*owls/);
    assert.equal(requests.length, 2);
    assert.equal(clock.waiting, 0);
  });

  it('may be silent in its second try for as long as in its first', async () => {
    const { requests } = await answers({ status: 500 }, { silence: 'start' });
    const { own, clock } = restless();
    const work = failsWith(ask({ clock: own, timeoutMs: 300 }), 'FOLKMOOT_DEADLINE', /silent/);
    while (requests.length < 2) await new Promise((go) => setImmediate(go));
    await clock.advance(299);
    assert.equal(clock.waiting, 1);
    await clock.advance(1);
    await work;
    assert.equal(clock.waiting, 0);
  });

  it('is not tried again when its fault would be the same', async () => {
    for (const first of [{ status: 400 }, { status: 401 }, { status: 404 }, { raw: 'data: {"choices": [\n\n' }]) {
      const { requests } = await answers(first, { text: 'fine' });
      const { own, pauses } = restless();
      await assert.rejects(ask({ clock: own }));
      assert.deepEqual([requests.length, pauses()], [1, 0], JSON.stringify(first));
      await server?.close();
    }
  });

  it('is not tried again when words were said, or it was stopped in the pause', async () => {
    server = await startFakeOpenAi({ answer: () => ({ text: 'a long story', silence: 'middle' }) });
    const { own, pauses } = restless();
    const heard: string[] = [];
    const work = failsWith(ask({ clock: own, onText: (text) => heard.push(text) }), 'FOLKMOOT_MODEL_FAILED');
    while (!heard.length) await new Promise((go) => setImmediate(go));
    await server.close();
    await work;
    assert.equal(pauses(), 0);
    const { requests } = await answers({ status: 500 });
    const stop = new AbortController();
    const clock = fakeClock();
    const setTimer: Clock['setTimer'] = (run, ms) => {
      if (ms === limits.modelRetryMs) setImmediate(() => stop.abort(new Error('enough')));
      return clock.setTimer(run, ms);
    };
    await failsWith(ask({ clock: { ...clock, setTimer }, signal: stop.signal }), 'FOLKMOOT_CANCELLED');
    assert.deepEqual([requests.length, clock.waiting], [1, 0]);
  });

  it('says what the server said, without the key', async () => {
    await answers({ status: 401, text: 'wrong key sk-secret' });
    await failsWith(
      ask({}, { apiKey: 'sk-secret' }),
      'FOLKMOOT_MODEL_FAILED',
      /tiny answered with error 401.*wrong key …/,
    );
    await assert.rejects(ask({}, { apiKey: 'sk-secret' }), (error: Error) => !error.message.includes('sk-secret'));
  });

  it('that is not there fails in words', async () => {
    const { own, pauses } = restless();
    const work = ask({ clock: own }, { baseUrl: 'http://127.0.0.1:9/v1' });
    await failsWith(work, 'FOLKMOOT_MODEL_FAILED', /could not be reached/);
    assert.equal(pauses(), 1);
  });

  it('that sends what is no stream is unreadable or failed, never a hang', async () => {
    await answers({ raw: 'data: {"choices": [\n\n' }, { raw: '' });
    await failsWith(ask(), 'FOLKMOOT_MODEL_UNREADABLE');
    await failsWith(ask(), 'FOLKMOOT_MODEL_UNREADABLE');
  });

  for (const silence of ['start', 'middle'] as const)
    it(`that falls silent (${silence}) ends by deadline and the connection is closed`, async () => {
      const heard: string[] = [];
      const fake = await answers({ text: 'a long story', silence });
      const clock = fakeClock();
      const work = failsWith(
        ask({ clock, timeoutMs: 5_000, onText: (text) => heard.push(text) }),
        'FOLKMOOT_DEADLINE',
        /silent for 5/,
      );
      while (!fake.requests.length || (silence === 'middle' && !heard.length))
        await new Promise((go) => setImmediate(go));
      await clock.advance(5_000);
      await work;
      while (!fake.aborted()) await new Promise((go) => setImmediate(go));
      assert.equal(clock.waiting, 0);
    });

  it('stops when it is told to', async () => {
    const fake = await answers({ silence: 'start' });
    const stop = new AbortController();
    const work = failsWith(ask({ signal: stop.signal }), 'FOLKMOOT_CANCELLED');
    while (!fake.requests.length) await new Promise((go) => setImmediate(go));
    stop.abort(new Error('enough'));
    await work;
    await failsWith(ask({ signal: stop.signal }), 'FOLKMOOT_CANCELLED');
  });

  it('that knows no tools is asked for text from then on', async () => {
    server = await startFakeOpenAi({
      answer: ({ tools: offered }) =>
        offered.length ? { status: 400, text: 'tiny does not support tools' } : { text: '{"message":"x"}' },
    });
    const model = createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'tiny' });
    const call = { messages: [{ role: 'user' as const, text: 'go' }], tools, data };
    assert.equal((await callModel(model, call)).text, '{"message":"x"}');
    await callModel(model, call);
    assert.deepEqual(
      server.requests.map(({ tools: offered }) => offered.length),
      [1, 0, 0],
    );
  });

  it('is asked no more at once than its host bears, in order', async () => {
    let running = 0;
    let most = 0;
    server = await startFakeOpenAi({
      answer: async ({ index }) => {
        most = Math.max(most, (running += 1));
        for (let turn = 0; turn < 20; turn += 1) await new Promise((go) => setImmediate(go));
        running -= 1;
        return { text: `answer ${index}` };
      },
    });
    await Promise.all(Array.from({ length: 8 }, () => ask({}, { concurrency: 2 })));
    assert.equal(most, 2);
  });

  it('waits in the queue only until it is stopped', async () => {
    const fake = await answers({ silence: 'start' });
    const first = new AbortController();
    const second = new AbortController();
    const works = [first, second].map(({ signal }) =>
      failsWith(ask({ signal }, { concurrency: 1 }), 'FOLKMOOT_CANCELLED'),
    );
    while (!fake.requests.length) await new Promise((go) => setImmediate(go));
    second.abort();
    await works[1];
    assert.equal(fake.requests.length, 1);
    first.abort();
    await works[0];
  });

  it('needs a name and an address', async () => {
    await failsWith(ask({}, { baseUrl: '' }), 'FOLKMOOT_BAD_SETTING', /address/);
    await failsWith(ask({}, { baseUrl: 'http://127.0.0.1:9', modelName: '' }), 'FOLKMOOT_BAD_SETTING', /no name/);
  });

  it('of a spec answers planner and agents from a table', async () => {
    const answer = answerFromTable([
      { when: 'GO', generate: { calls: [{ name: 'Act', args: { n: 3 } }] }, plan: { text: 'p' } },
    ]);
    server = await startFakeOpenAi({ answer });
    assert.deepEqual((await ask()).calls, [{ name: 'Act', args: { n: 3 } }]);
    assert.equal((await ask({ tools: [{ ...tools[0]!, name: 'make_plan' }] })).text, 'p');
    assert.match((await ask({ messages: [{ role: 'user', text: 'else' }] })).text, /can’t help/);
  });
});
