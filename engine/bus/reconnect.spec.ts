import assert from 'node:assert/strict';
import fc from 'fast-check';
import { limits } from '../limits.ts';
import { fakeClock } from '../clock.ts';
import { createReconnectPauses, reconnectPauseMs } from './reconnect.ts';

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

  const setUp = () => {
    const clock = fakeClock();
    const pauses = createReconnectPauses({ ...options, random: () => 0 }, clock);
    const fail = (times: number) => {
      for (let n = 0; n < times; n += 1) pauses.again();
    };
    return { clock, pauses, fail };
  };

  it('begin anew after a connection that stood for ten seconds, also before its loss is told', async () => {
    const { clock, pauses, fail } = setUp();
    fail(5);
    assert.equal(pauses.ms, 32_000);
    pauses.connected();
    await clock.advance(limits.busSteadyMs);
    assert.equal(pauses.ms, 1_000);
    pauses.lost();
    await clock.advance(60_000);
    pauses.again();
    assert.equal(pauses.ms, 2_000);
  });

  it('go on growing after one that stood for less, however long ago that was', async () => {
    const { clock, pauses, fail } = setUp();
    fail(3);
    pauses.connected();
    await clock.advance(limits.busSteadyMs - 1);
    pauses.lost();
    await clock.advance(limits.busSteadyMs);
    pauses.again();
    assert.equal(pauses.ms, 16_000);
  });

  it('stay the same while nothing happens, whatever chance says', () => {
    let chance = 0;
    const pauses = createReconnectPauses({ ...options, random: () => (chance += 0.1) }, fakeClock());
    assert.equal(pauses.ms, pauses.ms);
  });
});
