import assert from 'node:assert/strict';
import fc from 'fast-check';
import { limits } from '../limits.ts';
import { reconnectPauseMs } from './reconnect.ts';

const options = {
  minMs: limits.busReconnectMinMs,
  maxMs: limits.busReconnectMaxMs,
  connectTimeoutMs: limits.busConnectTimeoutMs,
};

describe('pauses before the next try to connect', () => {
  it('are never under a second, and never let two tries be more than a minute apart', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, chance) => {
        const pause = reconnectPauseMs(failures, { ...options, random: () => chance });
        assert.ok(pause >= 1_000);
        assert.ok(pause + options.connectTimeoutMs <= 60_000);
      }),
    );
  });

  it('double, with up to half of it added by chance', () => {
    const at = (failures: number, chance: number) => reconnectPauseMs(failures, { ...options, random: () => chance });
    assert.deepEqual(
      [at(0, 0), at(0, 1), at(1, 0), at(3, 0), at(4, 0.5), at(9, 0)],
      [1000, 1500, 2000, 8000, 20_000, 50_000],
    );
  });
});
