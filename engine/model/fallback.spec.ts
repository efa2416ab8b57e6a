import assert from 'node:assert/strict';
import { startFakeOpenAi, type FakeOpenAi } from '../../test/fake-openai.ts';
import { callModel } from './call.ts';
import { createModel } from './catalogue.ts';
import type { Model } from './model.ts';

const data = { task: 'generate', request: 'hello', agents: [], functions: [], board: [] } as const;
const messages = [{ role: 'user', text: 'hello' }] as const;

describe('a model with another one to fall back to', () => {
  let server: FakeOpenAi;
  before(async () => {
    server = await startFakeOpenAi({ answer: () => ({ text: 'from the server' }) });
  });
  after(() => server.close());
  const hosted = (baseUrl: string, fallback?: () => Model | undefined) =>
    createModel({ provider: 'openai-compatible', baseUrl, modelName: 'small', timeoutSeconds: 5 }, fallback);
  const nowhere = 'http://127.0.0.1:9/v1';

  it('is answered for by it when its server is not there', async () => {
    const reply = await callModel(
      hosted(nowhere, () => hosted(server.url)),
      { data, messages },
    );
    assert.equal(reply.text, 'from the server');
  });

  it('is not replaced when it answers', async () => {
    const other = hosted(nowhere);
    assert.equal(
      (
        await callModel(
          hosted(server.url, () => other),
          { data, messages },
        )
      ).text,
      'from the server',
    );
  });

  it('fails with a clear error when the circle of fallbacks is closed', async () => {
    const models: Model[] = [];
    models.push(
      hosted(nowhere, () => models[1]),
      hosted(nowhere, () => models[0]),
    );
    await assert.rejects(callModel(models[0] as Model, { data, messages }), { code: 'FOLKMOOT_MODEL_FAILED' });
  });
});
