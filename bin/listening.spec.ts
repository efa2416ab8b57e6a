import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { watchListening } from './listening.ts';

describe('the wait for those who take what people ask', () => {
  const status = (events: EventEmitter, id: string, state: string) =>
    events.emit('node-status', { id, status: { text: `folkmoot-bus-in.status.${state}` } });

  it('is over when all of them are connected, not the first', async () => {
    const events = new EventEmitter();
    const listening = watchListening(events);
    let isOver = false;
    const waited = listening({ ms: 10_000, connectingMs: 20_000 }).then((all) => (isOver = all));
    status(events, 'a', 'connecting');
    status(events, 'b', 'connecting');
    status(events, 'b', 'connected');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isOver, false);
    status(events, 'a', 'connected');
    assert.equal(await waited, true);
    assert.equal(events.listenerCount('node-status'), 0);
  });

  it('is over when they hear people, but have no memory yet', async () => {
    const events = new EventEmitter();
    const listening = watchListening(events);
    status(events, 'a', 'connecting');
    status(events, 'a', 'disconnected');
    assert.equal(await listening({ ms: 10_000, connectingMs: 20_000 }), true);
  });

  it('goes on while one is about to connect, and tells when it never did', async () => {
    const events = new EventEmitter();
    const listening = watchListening(events);
    status(events, 'a', 'connecting');
    assert.equal(await listening({ ms: 0, connectingMs: 5 }), false);
  });

  it('is short where nobody takes it', async () => {
    assert.equal(await watchListening(new EventEmitter())({ ms: 0, connectingMs: 60_000 }), true);
  });
});
