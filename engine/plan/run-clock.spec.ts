import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { createRunClock } from './run-clock.ts';

function started(deadlineMs = 1000, hardEndMs = 10_000) {
  const clock = fakeClock();
  let ended = 0;
  const time = createRunClock({ clock, deadlineMs, hardEndMs, onEnd: () => (ended += 1) });
  return { clock, time, ended: () => ended };
}

describe('the time of a run', () => {
  it('ends at the deadline, once, and leaves no timer', async () => {
    const { clock, ended } = started();
    await clock.advance(999);
    assert.equal(ended(), 0);
    await clock.advance(20_000);
    assert.equal(ended(), 1);
    assert.equal(clock.waiting, 0);
  });

  it('stands still while people are asked, until the last one answered', async () => {
    const { clock, time, ended } = started();
    await clock.advance(600);
    time.pause();
    time.pause();
    await clock.advance(3000);
    time.proceed();
    await clock.advance(3000);
    time.proceed();
    time.proceed();
    await clock.advance(399);
    assert.equal(ended(), 0);
    await clock.advance(1);
    assert.equal(ended(), 1);
  });

  it('has a hard end that does not stand still', async () => {
    const { clock, time, ended } = started();
    time.pause();
    await clock.advance(10_000);
    assert.equal(ended(), 1);
    time.proceed();
    assert.equal(clock.waiting, 0);
  });

  it('stops without an end', async () => {
    const { clock, time, ended } = started();
    time.stop();
    await clock.advance(20_000);
    assert.equal(ended(), 0);
    assert.equal(clock.waiting, 0);
  });
});
