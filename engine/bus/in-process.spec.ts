import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { isFolkmootError } from '../errors.ts';
import { describeBus, textOf, until } from './bus.contract.ts';
import { createInProcessBus } from './in-process.ts';

describe('in-process bus', () => {
  describeBus({ isShared: false, make: async (options) => createInProcessBus(options ?? {}) });

  it('forgets what is retained when its time is over', async () => {
    const clock = fakeClock();
    const bus = createInProcessBus({ clock });
    const got: string[] = [];
    await bus.publish('a', { payload: 'short', retain: true, expirySeconds: 10 });
    await clock.advance(9_000);
    await bus.subscribe('a', (message) => void got.push(textOf(message)));
    await until('the message', () => got.length === 1);
    await clock.advance(1_000);
    await bus.subscribe('a', (message) => void got.push(textOf(message)));
    await clock.advance(1);
    assert.deepEqual(got, ['short']);
    await bus.close();
  });

  it('keeps no more retained messages than its limit', async () => {
    const bus = createInProcessBus({ queue: 2 });
    await bus.publish('a', { payload: 'x', retain: true });
    await bus.publish('b', { payload: 'x', retain: true });
    await assert.rejects(bus.publish('c', { payload: 'x', retain: true }), (error) =>
      isFolkmootError(error, 'FOLKMOOT_BUS_FULL'),
    );
    await bus.publish('a', { payload: '', retain: true });
    await bus.publish('c', { payload: 'x', retain: true });
    await bus.close();
  });

  it('leaves no timer behind', async () => {
    const clock = fakeClock();
    const bus = createInProcessBus({ clock });
    const asked = assert.rejects(bus.request('a', { payload: 'x' }, { timeoutMs: 1_000 }));
    await clock.advance(1);
    assert.equal(clock.waiting, 1);
    await bus.close();
    await asked;
    assert.equal(clock.waiting, 0);
  });
});
