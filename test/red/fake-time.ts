/** Node-RED for a suite of node specs whose time stands still until they move it. */
import assert from 'node:assert/strict';
import { fakeClock, type FakeClock } from '../../engine/clock.ts';
import { useClock } from '../../nodes/shared/process.ts';
import { startServer, stopServer, unload } from './red.ts';

/** To be called inside of `describe`. Gives the clock of the spec that runs; after each no timer may be left. */
export function onFakeTime(): () => FakeClock {
  let clock = fakeClock();
  before(startServer);
  after(stopServer);
  beforeEach(() => {
    clock = fakeClock();
    useClock(clock);
  });
  afterEach(async () => {
    await unload();
    useClock();
    assert.equal(clock.waiting, 0);
  });
  return () => clock;
}
