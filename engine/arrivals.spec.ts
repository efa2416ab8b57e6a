import assert from 'node:assert/strict';
import { createArrivals } from './arrivals.ts';

describe('arrivals', () => {
  it('are in their order, also within a millisecond and when the clock is set back', () => {
    const times = [1_800_000_000_000, 1_800_000_000_000, 1_800_000_000_000, 1_799_999_000_000, 1_800_000_000_500];
    const left = [...times];
    const arrival = createArrivals({ now: () => left.shift() ?? 0 });
    const given = times.map(() => arrival());
    assert.deepEqual(
      given,
      [...new Set(given)].toSorted((a, b) => a - b),
    );
    assert.deepEqual([given[0], given[4]], [times[0], times[4]]);
  });
});
