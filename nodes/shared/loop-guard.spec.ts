import assert from 'node:assert/strict';
import { fakeClock } from '../../engine/clock.ts';
import { createLoopGuard } from './loop-guard.ts';

describe('the loop guard', () => {
  it('refuses what comes back from an own run while it is open and for a minute after', async () => {
    const clock = fakeClock();
    const guard = createLoopGuard(clock);
    guard.opened('r1');
    assert.throws(() => guard.check({ v: 1, run: 'r1' }), /FOLKMOOT_LOOP|came back/);
    guard.ended('r1');
    await clock.advance(59_000);
    assert.throws(() => guard.check({ v: 1, run: 'other', parent: 'r1' }), { code: 'FOLKMOOT_LOOP' });
    await clock.advance(1_000);
    guard.check({ v: 1, run: 'r1' });
  });

  it('lets runs of others begin a new one, five deep at most', () => {
    const guard = createLoopGuard(fakeClock());
    guard.check({ v: 1, run: 'theirs', depth: 4 });
    assert.throws(() => guard.check({ v: 1, run: 'theirs', depth: 5 }), { code: 'FOLKMOOT_TOO_DEEP' });
    guard.check({ v: 1 });
  });
});
