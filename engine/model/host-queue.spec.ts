import assert from 'node:assert/strict';
import { startFakeOpenAi } from '../../test/fake-openai.ts';
import { fakeClock } from '../clock.ts';
import { isFolkmootError } from '../errors.ts';
import { limits } from '../limits.ts';
import { callModel } from './call.ts';
import type { ModelCall } from './call.ts';
import { createModel } from './catalogue.ts';
import { enterQueue } from './host-queue.ts';

describe('the queue of a host', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  it('is as long as its cap and forgets who was stopped', async () => {
    const { signal } = new AbortController();
    const { leave } = await enterQueue('h', 1, signal);
    const stop = new AbortController();
    const waiting = Array.from({ length: limits.modelQueue }, () =>
      enterQueue('h', 1, stop.signal).catch(() => 'stopped'),
    );
    await assert.rejects(enterQueue('h', 1, signal), (error) => isFolkmootError(error, 'FOLKMOOT_LIMIT'));
    stop.abort();
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['stopped']));
    const next = enterQueue('h', 1, signal);
    leave();
    (await next).leave();
  });

  it('tells who waits of every sign of life, and who has left', async () => {
    const { signal } = new AbortController();
    const signs: string[] = [];
    const enter = (name: string) => enterQueue('h', 1, signal, () => void signs.push(name));
    const first = await enter('a');
    const [second, third] = [enter('b'), enter('c')];
    first.heard();
    assert.deepEqual(signs, ['b', 'c']);
    first.leave();
    assert.deepEqual(signs.slice(2), ['c']);
    (await second).leave();
    (await third).leave();
    assert.equal(signs.length, 3);
  });

  it('does not make a model silent that serves others, and goes on when the time of one of them is over', async () => {
    const clock = fakeClock();
    const server = await startFakeOpenAi({
      answer: ({ index }) => (index === 0 ? { silence: 'start' } : { text: 'here' }),
    });
    ends.push(() => server.close());
    const settings = { provider: 'openai-compatible', modelName: 'tiny', baseUrl: server.url, concurrency: 1 } as const;
    const model = createModel(settings);
    const call: ModelCall = {
      messages: [{ role: 'user', text: 'go' }],
      data: { task: 'generate', request: 'go', agents: [], functions: [], board: [] },
      clock,
    };
    let signs = 0;
    const first = assert.rejects(callModel(model, { ...call, timeoutMs: 60_000 }), (error) =>
      isFolkmootError(error, 'FOLKMOOT_DEADLINE'),
    );
    while (!server.requests.length) await new Promise((go) => setImmediate(go));
    const next = callModel(model, { ...call, timeoutMs: 10_000, onProgress: () => void (signs += 1) });
    await clock.advance(60_000);
    await first;
    assert.equal((await next).text, 'here');
    assert.ok(signs > 0);
    assert.equal(clock.waiting, 0);
  });
});
