import assert from 'node:assert/strict';
import { fakeClock } from '../../engine/clock.ts';
import type { BusState } from '../../engine/bus/bus.ts';
import { createInProcessBus } from '../../engine/bus/in-process.ts';
import { ourTopics } from '../../engine/bus/topics.ts';
import { watchHomes } from './homes-here.ts';

async function setUp() {
  const clock = fakeClock();
  const inner = createInProcessBus({ clock });
  let tell: (state: BusState) => void = () => undefined;
  const bus = {
    subscribe: inner.subscribe.bind(inner),
    onState(listener: (state: BusState) => void) {
      tell = listener;
      return () => undefined;
    },
  };
  const present = async (process: string, status: 'online' | 'offline', since = '2026-01-01T00:00:00Z') => {
    const payload = JSON.stringify({ v: 1, process, house: 'h', status, since });
    await inner.publish(ourTopics.presence(process), { payload, retain: true });
    await clock.advance(0);
  };
  await present('p0', 'online');
  const homes = await watchHomes(bus);
  await clock.advance(0);
  let arrivals = 0;
  const stop = homes.onArrival(() => (arrivals += 1));
  return { homes, present, stop, arrivals: () => arrivals, tell: (state: BusState) => tell(state) };
}

describe('the homes on a broker', () => {
  it('are known, and each that comes is told once', async () => {
    const { homes, present, arrivals, stop } = await setUp();
    assert.deepEqual([homes.isAny, arrivals()], [true, 0]);
    await present('p0', 'online');
    assert.equal(arrivals(), 0, 'it was there');
    await present('p1', 'online');
    await present('p1', 'online', '2026-01-02T00:00:00Z');
    assert.equal(arrivals(), 2, 'it began anew');
    for (const process of ['p0', 'p1']) await present(process, 'offline');
    assert.equal(homes.isAny, false);
    stop();
    await present('p2', 'online');
    assert.deepEqual([homes.isAny, arrivals()], [true, 2]);
    homes.close();
  });

  it('come again after the broker was away, for it may have forgotten what they were asked', async () => {
    const { homes, present, arrivals, tell } = await setUp();
    tell('down');
    assert.equal(homes.isAny, false);
    tell('up');
    await present('p0', 'online');
    assert.deepEqual([homes.isAny, arrivals()], [true, 1]);
    homes.close();
  });
});
