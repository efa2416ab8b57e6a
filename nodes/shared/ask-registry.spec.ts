import assert from 'node:assert/strict';
import { fakeClock } from '../../engine/clock.ts';
import { createAskRegistry, type TakenAsk } from './ask-registry.ts';

const answered = { status: 'answered', payload: 'yes', mutations: [] } as const;

function aRegistry() {
  const clock = fakeClock();
  const registry = createAskRegistry(clock);
  const open = (id: string, to = 'agent', more: object = {}) =>
    registry.open({ info: { id, to, by: 'router', kind: 'step' }, deadlineMs: 1000, ...more });
  const take = (message: object, nodeId = 'agent') => registry.take(message, nodeId);
  const taken = (id: string, nodeId = 'agent'): TakenAsk => {
    const result = take({ _msgid: id }, nodeId);
    assert.equal(result.kind, 'ask');
    return (result as { ask: TakenAsk }).ask;
  };
  return { clock, registry, open, take, taken };
}

describe('the registry of asks', () => {
  it('treats a message without an ask as an ordinary input', () => {
    assert.equal(aRegistry().take({ _msgid: 'a1b2', moot: { v: 1 } }).kind, 'ordinary');
  });

  it('knows an ask by its message id when a Function replaced the message', async () => {
    const { open, taken } = aRegistry();
    const end = open('ask:r/1');
    taken('ask:r/1').end(answered);
    assert.deepEqual(await end, answered);
  });

  it('lets the ask pass at every node but the one that it is meant for, whatever the message says', () => {
    const { open, take } = aRegistry();
    void open('ask:r/1', 'agent');
    const forged = { _msgid: 'x', moot: { v: 1, ask: { id: 'ask:r/1', to: 'other', by: 'router', kind: 'step' } } };
    assert.equal(take(forged, 'other').kind, 'pass');
    assert.equal(take(forged, 'agent').kind, 'ask');
  });

  it('gives an ask that comes by two paths only once', () => {
    const { open, take } = aRegistry();
    void open('ask:r/1');
    assert.equal(take({ _msgid: 'ask:r/1' }).kind, 'ask');
    assert.equal(take({ _msgid: 'ask:r/1' }).kind, 'pass');
  });

  it('passes over and counts what was never asked or is over', () => {
    const { registry, take } = aRegistry();
    assert.equal(take({ _msgid: 'ask:forged/1' }).kind, 'pass');
    assert.equal(take({ _msgid: 'x', moot: { v: 1, ask: { id: 'anything' } } }).kind, 'pass');
    assert.equal(registry.stale, 2);
  });

  it('ends once: a second end is counted and dropped', async () => {
    const { registry, open, taken } = aRegistry();
    const end = open('ask:r/1');
    const ask = taken('ask:r/1');
    assert.equal(ask.end(answered), true);
    assert.equal(ask.end({ ...answered, payload: 'no' }), false);
    assert.deepEqual(await end, answered);
    assert.equal(registry.lateEnds, 1);
    assert.equal(registry.pending, 0);
  });

  it('counts silence: each word starts the deadline anew', async () => {
    const { clock, open, taken } = aRegistry();
    const words: string[] = [];
    const end = open('ask:r/1', 'agent', { onText: (text: string) => words.push(text) });
    const ask = taken('ask:r/1');
    await clock.advance(900);
    ask.touch('so ');
    await clock.advance(900);
    assert.equal(ask.signal.aborted, false);
    await clock.advance(101);
    assert.equal((await end).status, 'timeout');
    assert.equal(ask.signal.aborted, true);
    assert.deepEqual(words, ['so ']);
    assert.equal(clock.waiting, 0);
  });

  it('is cancelled with its asker and tells the one who works', async () => {
    const { clock, open, taken } = aRegistry();
    const abort = new AbortController();
    const end = open('ask:r/1', 'agent', { signal: abort.signal });
    const ask = taken('ask:r/1');
    abort.abort();
    assert.equal((await end).status, 'cancelled');
    assert.equal(ask.signal.aborted, true);
    assert.equal(clock.waiting, 0);
  });

  it('ends what a node works on when that node closes', async () => {
    const { registry, open } = aRegistry();
    const first = open('ask:r/1', 'agent');
    const other = open('ask:r/2', 'other');
    registry.endTakenBy('agent', { status: 'restarted' });
    assert.equal((await first).status, 'restarted');
    assert.equal(registry.pending, 1);
    registry.endTakenBy('other', { status: 'restarted' });
    await other;
  });
});
