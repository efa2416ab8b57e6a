import assert from 'node:assert/strict';
import { startFakeOpenAi, type FakeAnswer } from '../../test/fake-openai.ts';
import { fakeClock, type Clock } from '../clock.ts';
import { callModel } from './call.ts';
import { retryAfterMs } from './call-errors.ts';
import { createModel } from './catalogue.ts';

/** Pauses pass at once and are written down. */
function hurried() {
  const clock = fakeClock(Date.UTC(2026, 0, 1));
  const pauses: number[] = [];
  const setTimer: Clock['setTimer'] = (run, ms) => {
    const timer = clock.setTimer(run, ms);
    // The silence watch is the only other one.
    if (ms !== silenceMs) {
      pauses.push(ms);
      setImmediate(() => void clock.advance(ms));
    }
    return timer;
  };
  return { clock: { ...clock, setTimer }, pauses };
}
const silenceMs = 77_777;

async function ask(...answers: readonly FakeAnswer[]) {
  const server = await startFakeOpenAi({ answer: ({ index }) => answers[Math.min(index, answers.length - 1)] ?? {} });
  const { clock, pauses } = hurried();
  try {
    const reply = await callModel(createModel({ provider: 'openai-compatible', baseUrl: server.url, modelName: 'x' }), {
      ...{ messages: [{ role: 'user', text: 'hi' }], clock, timeoutMs: silenceMs },
      data: { task: 'generate', request: 'hi', agents: [], functions: [], board: [] },
    }).catch((error: Error) => error.message);
    return { reply: typeof reply === 'string' ? reply : reply.text, pauses, asked: server.requests.length };
  } finally {
    await server.close();
  }
}
const busy = (headers: Record<string, string> = {}, status = 429): FakeAnswer => ({ status, headers });

describe('a busy model server', () => {
  it('is asked again when it says itself', async () => {
    const { reply, pauses } = await ask(busy({ 'retry-after': '7' }), busy({ 'retry-after-ms': '250' }, 503), {
      text: 'fine',
    });
    assert.deepEqual([reply, pauses], ['fine', [7_000, 250]]);
  });

  it('is asked again with growing pauses when it says nothing, and then no more', async () => {
    const { reply, pauses, asked } = await ask(busy());
    assert.match(reply, /error 429/);
    assert.equal(asked, 5);
    assert.equal(pauses.length, 4);
    pauses.forEach((ms, at) => assert.ok(ms >= 1_000 * 2 ** at && ms <= 1_250 * 2 ** at, String(pauses)));
  });

  it('is not waited for when it wants longer than a minute', async () => {
    const { asked, pauses } = await ask(busy({ 'retry-after': '3600' }));
    assert.deepEqual([asked, pauses], [1, []]);
  });

  it('may say a date', () => {
    const now = Date.UTC(2026, 0, 1);
    const at = (value: string) => retryAfterMs({ headers: { 'retry-after': value } }, now);
    assert.equal(at('Thu, 01 Jan 2026 00:00:30 GMT'), 30_000);
    assert.equal(at('Wed, 31 Dec 2025 00:00:00 GMT'), 0);
    assert.equal(at('soon'), undefined);
    assert.equal(retryAfterMs(new Error('x'), now), undefined);
  });
});
