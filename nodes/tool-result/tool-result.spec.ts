/** Which call a result belongs to, and what becomes of results that belong to none. */
import assert from 'node:assert/strict';
import { fakeClock } from '../../engine/clock.ts';
import { limits } from '../../engine/limits.ts';
import type { AskAnswer } from '../../engine/moot.ts';
import { createAskRegistry } from '../shared/ask-registry.ts';
import { callOf, createToolCalls } from '../shared/tool-calls.ts';

const result = (payload: unknown): AskAnswer => ({ status: 'answered', payload, mutations: [] });

function aCall() {
  const asks = createAskRegistry(fakeClock());
  const calls = createToolCalls();
  return {
    calls,
    begin(id: string) {
      const end = asks.open({ info: { id, to: 'tool', by: 'agent', kind: 'tool' }, deadlineMs: 1000 });
      const taken = asks.take({ _msgid: id }, 'tool');
      assert.equal(taken.kind, 'ask');
      if (taken.kind === 'ask') calls.open(taken.ask);
      return { end, cancel: () => asks.endTakenBy('tool', { status: 'cancelled', payload: null, mutations: [] }) };
    },
  };
}

describe('a tool result', () => {
  it('belongs to the call that its message names, else to that of the message’s id', () => {
    assert.equal(callOf({ _msgid: 'call:ask:r/s1/t1', moot: { v: 1, call: { id: 'ask:r/s1/t2' } } }), 'ask:r/s1/t2');
    assert.equal(callOf({ _msgid: 'call:ask:r/s1/t1' }), 'ask:r/s1/t1');
    assert.equal(callOf({ _msgid: 'abc' }), undefined);
  });

  it('ends its call once; later ones are double, late or unknown', async () => {
    const { calls, begin } = aCall();
    const first = begin('ask:r/s1/t1');
    assert.equal(calls.end('ask:r/s1/t1', result(1)), 'counted');
    assert.equal(((await first.end) as AskAnswer).payload, 1);
    assert.equal(calls.end('ask:r/s1/t1', result(2)), 'double');
    begin('ask:r/s1/t2').cancel();
    assert.equal(calls.end('ask:r/s1/t2', result(3)), 'late');
    assert.equal(calls.end('ask:r/s1/t3', result(4)), 'unknown');
    assert.equal(calls.end(undefined, result(5)), 'unknown');
  });

  it('remembers only so many calls that are over', () => {
    const { calls, begin } = aCall();
    for (let n = 0; n <= limits.endedToolCalls; n += 1) {
      begin(`ask:r/s1/t${n}`);
      calls.end(`ask:r/s1/t${n}`, result(n));
    }
    assert.equal(calls.end('ask:r/s1/t0', result(0)), 'unknown');
    assert.equal(calls.end('ask:r/s1/t1', result(0)), 'double');
  });
});
