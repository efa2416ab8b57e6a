import assert from 'node:assert/strict';
import { killAtOnce } from './killed-at-once.ts';

describe('a home that is killed right after it was asked', function () {
  this.timeout(120_000);

  it('answers everybody once after the next start, and does nothing twice', async () => {
    const figures = await killAtOnce(3);
    console.log(`      3 kills: ${JSON.stringify(figures)}`);
    assert.equal(figures.answered + figures.interrupted, 3);
  });
});
