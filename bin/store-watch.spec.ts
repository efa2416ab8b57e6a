import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { watchStore } from './store-watch.ts';

const address = 'redis://127.0.0.1:6379';

describe('what a home hears of its memory on a server', () => {
  const watched = () => {
    const events = new EventEmitter();
    const tell = (state: string, reason?: string, at = address) =>
      events.emit('folkmoot:store', { address: at, state, ...(reason ? { reason } : {}) });
    return { tell, untilStore: watchStore(events) };
  };

  it('is the last that was told of its address, at once', async () => {
    const { tell, untilStore } = watched();
    tell('down', `${address}: no Valkey server listens there`);
    tell('up', undefined, 'redis://127.0.0.1:1');
    assert.equal(await untilStore(address, 60_000), 'no Valkey server listens there');
    tell('up');
    assert.equal(await untilStore(address, 60_000), undefined);
  });

  it('is waited for while it connects, and for a while only', async () => {
    const { tell, untilStore } = watched();
    tell('connecting');
    const waited = untilStore(address, 60_000);
    tell('up', undefined, 'redis://127.0.0.1:1');
    tell('up');
    assert.equal(await waited, undefined);
    assert.equal(await watched().untilStore(address, 0), 'nobody answers there');
  });
});
