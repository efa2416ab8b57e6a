/** What trying a model finds out, against servers on real HTTP. */
import assert from 'node:assert/strict';
import { startFakeOllama, type FakeOllamaAnswer } from '../../../test/fake-ollama.ts';
import { startFakeOpenAi, type FakeAnswer, type FakeRequest } from '../../../test/fake-openai.ts';
import { createModel } from '../catalogue.ts';
import type { ModelSettings } from '../model.ts';
import { tryModel } from './doctor.ts';

const seven = { name: 'report_number', args: { number: 7 } };
const good = ({ text, tools }: Pick<FakeRequest, 'text' | 'tools'>): FakeAnswer => {
  if (tools.length) return { calls: [seven] };
  return { text: text.includes('JSON') ? '{"room": "hall", "on": true}' : 'No.' };
};

describe('trying a model', function () {
  this.timeout(20_000);
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  const found = async (settings: ModelSettings, signal = new AbortController().signal) =>
    (await tryModel(createModel(settings), { signal, timeoutMs: 2_000 })).map(
      ({ what, isOk, text }) => `${isOk ? '' : 'not '}${what}: ${text}`,
    );
  async function openAi(answer: (request: FakeRequest) => FakeAnswer, models?: readonly string[]) {
    const server = await startFakeOpenAi({ answer, ...(models ? { models } : {}) });
    closing.push(() => server.close());
    return { provider: 'openai-compatible', baseUrl: server.url, modelName: 'owl' };
  }

  it('says how it answers, that it is listed, and that it calls tools and keeps to a form', async () => {
    const [answer = '', ...rest] = await found(await openAi(good, ['owl', 'crow']));
    assert.match(answer, /^answer: It answers after \d+\.\d s/);
    assert.deepEqual(rest, [
      'list: The server lists it, among 2.',
      'tools: It calls tools by the server’s own means.',
      'form: It keeps to a form that it is given.',
      'thinking: It answers without thinking aloud.',
    ]);
  });

  it('tells calls that are written as text, thinking within answers, and a name that is not listed', async () => {
    const small = ({ text }: FakeRequest): FakeAnswer => {
      if (text.includes('report_number'))
        return { text: '<tool_call>{"name": "report_number", "arguments": {"number": 7}}</tool_call>' };
      return { text: text.includes('JSON') ? 'Sure! The hall is on.' : '<think>Owls.</think>No.' };
    };
    const [, ...rest] = await found(await openAi(small, ['crow', 'jay']));
    assert.deepEqual(rest, [
      'not list: The server does not list "owl". It has crow, jay.',
      'tools: It calls tools as text, which is read here.',
      'not form: It does not keep to a form that it is given: many of its plans will be refused.',
      'thinking: It thinks aloud within its answers, which is kept back here; that takes time.',
    ]);
  });

  it('says of one that calls nothing that it suits talk', async () => {
    const all = await found(await openAi(() => ({ text: 'I am an owl.' })));
    assert.ok(all.some((line) => line.startsWith('not tools: It did not call a tool')));
  });

  it('stops at the first question when nobody answers, and still says which models there are', async () => {
    const wrong = await openAi(() => ({ status: 404, text: 'no owl here' }), ['crow']);
    const [first = '', ...rest] = await found(wrong);
    assert.match(first, /^not answer: .*no owl here/);
    assert.deepEqual(rest, ['not list: The server does not list "owl". It has crow.']);
    const [gone = ''] = await found({ ...wrong, baseUrl: 'http://127.0.0.1:9/v1' });
    assert.match(gone, /^not answer: /);
  });

  it('knows of Ollama’s models how much they take in, and that thinking comes apart', async () => {
    const answer = (index: number): FakeOllamaAnswer =>
      index === 1
        ? { calls: [seven] }
        : { text: index === 2 ? '{"room": "hall", "on": true}' : 'No.', thinking: 'Hm.' };
    const server = await startFakeOllama(answer);
    closing.push(() => server.close());
    const [, ...rest] = await found({ provider: 'ollama', baseUrl: server.url, modelName: 'm', contextTokens: 8192 });
    assert.deepEqual(rest, [
      'list: The server lists it, among 1.',
      'tools: It calls tools by the server’s own means.',
      'form: It keeps to a form that it is given.',
      'thinking: It thinks before it answers, apart from the answer; that takes time.',
      'not context: It takes in 4096 tokens at most, and 8192 are set.',
    ]);
  });

  it('needs no server for words and rules, and stops when it is told to', async () => {
    assert.deepEqual(await found({ provider: 'rules' }), [
      'answer: It answers inside Node-RED; nothing has to be reached.',
    ]);
    const stopped = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(found(await openAi(good), stopped), /stopped/);
  });
});
