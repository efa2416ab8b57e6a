import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { createStreamDesk } from './stream-desk.ts';
import type { Said } from './stream-desk.ts';

describe('the desk of what was taken from streams', () => {
  const desk = () => {
    const clock = fakeClock();
    return { clock, desk: createStreamDesk({ clock }) };
  };

  it('gives the answer to who waits, once', async () => {
    const { clock, desk: own } = desk();
    const said = own.expect('a', { deadlineMs: 1_000 });
    assert.equal(own.answer('a', { how: 'answered', words: 'yes' }), true);
    assert.equal(own.answer('a', { how: 'answered', words: 'no' }), false);
    assert.deepEqual(await said, { how: 'answered', words: 'yes' });
    assert.equal(clock.waiting, 0);
  });

  it('ends in silence at its deadline, which a run that begins has anew', async () => {
    const { clock, desk: own } = desk();
    let end: Said | undefined;
    void own.expect('a', { deadlineMs: 1_000 }).then((said) => (end = said));
    await clock.advance(900);
    own.runStarted('a');
    await clock.advance(900);
    assert.equal(end, undefined);
    await clock.advance(100);
    assert.deepEqual(end, { how: 'silent' });
    assert.equal(own.isOpen('a'), false);
  });

  it('waits for the words of a run that ended well, and hardly for those of one that failed', async () => {
    const { clock, desk: own } = desk();
    const well = own.expect('well', { deadlineMs: 60_000 });
    own.runEnded('well', 'done');
    await clock.advance(limits.replyGraceMs - 1);
    assert.ok(own.isOpen('well'));
    own.answer('well', { how: 'answered', words: 'late but there' });
    assert.equal((await well).words, 'late but there');
    const failed = own.expect('failed', { deadlineMs: 60_000 });
    own.runEnded('failed', 'failed');
    await clock.advance(limits.gatherGraceMs);
    assert.deepEqual(await failed, { how: 'silent' });
  });

  it('is through with work that no run took, and with that of a run when it ends', async () => {
    const { clock, desk: own } = desk();
    const options = { deadlineMs: 60_000, takenWithinMs: 1_000 };
    const untaken = own.expect('untaken', options);
    const taken = own.expect('taken', options);
    own.runStarted('taken');
    await clock.advance(1_000);
    assert.deepEqual(await untaken, { how: 'silent' });
    assert.ok(own.isOpen('taken'));
    own.runEnded('taken', 'done');
    assert.deepEqual(await taken, { how: 'silent' });
    assert.equal(clock.waiting, 0);
  });

  it('leaves nobody waiting when it is closed', async () => {
    const { clock, desk: own } = desk();
    const said = own.expect('a', { deadlineMs: 1_000 });
    own.close();
    assert.deepEqual(await said, { how: 'silent' });
    assert.equal(clock.waiting, 0);
  });
});
