import assert from 'node:assert/strict';
import { killAtOnce } from '../home/killed-at-once.ts';

describe('a home that is killed thirty times right after it was asked', function () {
  this.timeout(600_000);

  it('answers everybody once, and does nothing twice', async () => {
    const figures = await killAtOnce(30);
    console.log(`      30 kills: ${JSON.stringify(figures)}`);
    assert.equal(figures.answered + figures.interrupted, 30);
  });
});
