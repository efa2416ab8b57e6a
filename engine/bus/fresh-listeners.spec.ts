import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { BusMessage } from './bus.ts';
import { createFreshness } from './fresh-listeners.ts';

const kept = (payload: string, retained = true): BusMessage => ({
  topic: 'a/b',
  payload: Buffer.from(payload),
  properties: {},
  retained,
});

describe('a listener of what is retained', () => {
  it('gets each message once, however often others join soon after it', () => {
    const fresh = createFreshness(fakeClock());
    fresh.joined();
    assert.deepEqual([fresh.wants(kept('1')), fresh.wants(kept('1')), fresh.wants(kept('2'))], [true, false, true]);
    assert.deepEqual([fresh.wants(kept('1', false)), fresh.wants(kept('1', false))], [true, true]);
  });

  it('gets none that others joined for later, until the connection is another', async () => {
    const clock = fakeClock();
    const fresh = createFreshness(clock);
    await clock.advance(limits.busRetainedMs);
    assert.equal(fresh.wants(kept('1')), true);
    fresh.joined();
    assert.deepEqual([fresh.wants(kept('2')), fresh.wants(kept('3', false))], [false, true]);
    fresh.renew();
    assert.equal(fresh.wants(kept('2')), true);
  });
});
