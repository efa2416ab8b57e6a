import assert from 'node:assert/strict';
import { startFakeOpenAi, type FakeOpenAi } from '../../test/fake-openai.ts';
import { fakeClock, type FakeClock } from '../clock.ts';
import { callModel } from './call.ts';
import { createModel } from './catalogue.ts';
import { busyHosts } from './host-queue.ts';
import type { ModelSettings, TaskData } from './model.ts';

const data: TaskData = { task: 'generate', request: 'go', agents: [], functions: [], board: [] };
const turn = () => new Promise((go) => setImmediate(go));

describe('a pause between the calls of a host (row 81)', () => {
  let clock: FakeClock;
  let server: FakeOpenAi;
  beforeEach(async () => {
    clock = fakeClock();
    server = await startFakeOpenAi({ answer: () => ({ text: 'Done.' }) });
  });
  afterEach(async () => {
    await server.close();
    assert.deepEqual([busyHosts(), clock.waiting], [[], 0]);
  });
  const ask = (more: Partial<ModelSettings>, signal?: AbortSignal) => {
    const settings = { provider: 'openai-compatible', baseUrl: server.url, modelName: 'tiny', concurrency: 4 };
    const messages = [{ role: 'user', text: 'go' }] as const;
    return callModel(createModel({ ...settings, ...more }), { messages, data, clock, signal });
  };
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await turn();
  };

  it('keeps them apart from the end of one to the start of the next, whoever asks, and lets one go at a time', async () => {
    const all = [1, 2, 3].map(() => ask({ pauseSeconds: 3 }));
    for (const [at, answer] of all.entries()) {
      assert.equal((await answer).text, 'Done.');
      if (at === all.length - 1) break;
      await until(() => clock.waiting === 1);
      await clock.advance(2_999);
      assert.equal(server.requests.length, at + 1);
      await clock.advance(1);
      await until(() => server.requests.length === at + 2);
    }
    assert.equal(server.requests.length, 3);
    await clock.advance(3_000);
    await ask({ pauseSeconds: 3 });
  });

  it('is no silence of the model, counts as waiting for it, and ends for who is stopped', async () => {
    await ask({ pauseSeconds: 60 });
    const stop = new AbortController();
    const stopped = assert.rejects(ask({ pauseSeconds: 60 }, stop.signal), /was stopped/);
    await until(() => clock.waiting === 1);
    stop.abort(new Error('enough'));
    await stopped;
    const next = ask({ pauseSeconds: 60, timeoutSeconds: 5 });
    await until(() => clock.waiting === 1);
    await clock.advance(60_000);
    assert.equal((await next).usage.queueMs, 60_000);
  });

  it('holds for this host only, and not for a model without one', async () => {
    await ask({ pauseSeconds: 60 });
    const other = await startFakeOpenAi({ answer: () => ({ text: 'Here.' }) });
    assert.equal((await ask({ pauseSeconds: 60, baseUrl: other.url })).text, 'Here.');
    assert.equal((await ask({})).text, 'Done.');
    await other.close();
  });
});
