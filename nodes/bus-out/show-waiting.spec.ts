import assert from 'node:assert/strict';
import { createBusMetrics } from '../../engine/bus/metrics.ts';
import type { Bus, BusState } from '../../engine/bus/bus.ts';
import { fakeClock } from '../../engine/clock.ts';
import { useClock } from '../shared/process.ts';
import { showWaiting } from './show-waiting.ts';

describe('the look of bus out', () => {
  afterEach(() => useClock());

  it('tells whether the connection stands, what waits and what may be lost, at most each second', async () => {
    const clock = fakeClock();
    useClock(clock);
    const metrics = createBusMetrics({ clock });
    let state: BusState = 'up';
    let changed: () => void = () => undefined;
    const bus = {
      kind: 'mqtt',
      get state() {
        return state;
      },
      onState(listener: (now: BusState) => void) {
        changed = () => listener(state);
        changed();
        return () => undefined;
      },
    } as unknown as Bus;
    const looks: string[] = [];
    const stop = showWaiting({ bus, metrics }, (look, text) => looks.push([look, text].filter(Boolean).join(' ')));
    for (let n = 1; n <= 5; n += 1) metrics.outboxWaiting(n);
    await clock.advance(1_000);
    state = 'down';
    changed();
    metrics.outboxWaiting(0);
    metrics.maybeLost('a');
    await clock.advance(1_000);
    state = 'up';
    changed();
    assert.deepEqual(looks, ['connected', 'waiting 5 …', 'disconnected 5 …', 'disconnected 1 ?', 'connected 1 ?']);
    stop();
    assert.equal(clock.waiting, 0);
  });
});
