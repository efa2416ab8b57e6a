/** Providers by their own interfaces, on servers that speak these. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeOllama, type FakeOllamaAnswer } from '../../test/fake-ollama.ts';
import { callModel, type ModelCall } from './call.ts';
import { createModel, parseModelName } from './catalogue.ts';
import { providerClass } from './provider-package.ts';

const lamp = {
  ...{ name: 'SetLamp', description: 'Sets a lamp' },
  schema: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] },
};
const call = (more: Partial<ModelCall> = {}): ModelCall => ({
  messages: [{ role: 'user', text: 'lamp on' }],
  data: { task: 'generate', request: 'lamp on', agents: [], functions: [], board: [] },
  ...more,
});

describe('Ollama by its own interface', () => {
  const ask = async (answer: FakeOllamaAnswer, settings: object = {}, more: Partial<ModelCall> = {}) => {
    const server = await startFakeOllama(() => answer);
    try {
      const model = createModel({ provider: 'ollama', baseUrl: server.url, modelName: 'tiny', ...settings });
      return { reply: await callModel(model, call(more)), body: server.bodies[0] ?? {} };
    } finally {
      await server.close();
    }
  };

  it('streams words, counts tokens, and keeps thoughts to itself', async () => {
    let heard = '';
    const { reply } = await ask(
      { text: 'The lamp is on.', thinking: 'easy' },
      {},
      { onText: (words) => (heard += words) },
    );
    assert.deepEqual([reply.text, heard], ['The lamp is on.', 'The lamp is on.']);
    assert.deepEqual([reply.usage.tokensIn, reply.usage.tokensOut], [11, 7]);
  });

  it('calls tools', async () => {
    const { reply, body } = await ask({ calls: [{ name: 'SetLamp', args: { on: true } }] }, {}, { tools: [lamp] });
    assert.deepEqual(reply.calls, [{ name: 'SetLamp', args: { on: true } }]);
    assert.match(JSON.stringify(body['tools']), /SetLamp/);
  });

  it('is told context size, temperature, whether to think and how long to stay loaded', async () => {
    const settings = { contextTokens: 4096, temperature: 0.3, maxOutputTokens: 99, keepAlive: '10m', thinking: 'off' };
    const { body } = await ask({ text: 'x' }, settings);
    const options = body['options'] as Record<string, unknown>;
    assert.deepEqual([options['num_ctx'], options['temperature'], options['num_predict']], [4096, 0.3, 99]);
    assert.deepEqual([body['keep_alive'], body['think']], ['10m', false]);
  });

  it('fails in words', async () => {
    await assert.rejects(ask({ status: 500 }), /tiny (?:answered|failed)/);
  });
});

describe('Anthropic by its own interface', () => {
  it('streams words and counts tokens', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (type: string, data: object) =>
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
      const message = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [], stop_reason: null };
      send('message_start', { message: { ...message, usage: { input_tokens: 5, output_tokens: 1 } } });
      send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
      send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Good ' } });
      send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'day.' } });
      send('content_block_stop', { index: 0 });
      send('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } });
      send('message_stop', {});
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const reply = await callModel(
        createModel({ provider: 'anthropic', baseUrl, modelName: 'c', apiKey: 'k' }),
        call(),
      );
      assert.equal(reply.text, 'Good day.');
      assert.equal(reply.usage.tokensIn, 5);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});

describe('a provider whose package is missing', () => {
  it('is named with the command that installs it', async () => {
    await assert.rejects(providerClass('@langchain/no-such', 'X'), /npm install @langchain\/no-such/);
    await assert.rejects(callModel(createModel({ provider: 'mistral', modelName: 'x' }), call()), /MISTRAL_API_KEY/);
    await assert.rejects(callModel(createModel({ provider: 'ollama' }), call()), /has no name/);
  });

  it('is chosen by FOLKMOOT_MODEL', () => {
    assert.deepEqual(parseModelName('ollama:qwen3:0.6b', {}), { provider: 'ollama', modelName: 'qwen3:0.6b' });
    assert.deepEqual(parseModelName('anthropic:claude', { ANTHROPIC_API_KEY: 'k' }), {
      ...{ provider: 'anthropic', modelName: 'claude', apiKey: 'k' },
    });
  });
});
