import assert from 'node:assert/strict';
import { fakeClock, sleep } from '../clock.ts';
import { createOverlap } from './overlap.ts';
import type { OverlapMode } from './overlap.ts';

/** Work of one second each, and the order of what happened. */
function seconds(mode: OverlapMode, caps: { queued?: number; parallel?: number } = {}) {
  const clock = fakeClock();
  const log: string[] = [];
  const overlap = createOverlap<string, string>({
    mode,
    ...caps,
    work: async (item, signal) => {
      log.push(`+${item}`);
      try {
        await sleep(clock, 1000, signal);
      } catch {
        log.push(`!${item}`);
        return `${item} stopped`;
      }
      log.push(`-${item}`);
      return `${item} done`;
    },
  });
  const ends: Record<string, string> = {};
  const push = (item: string, signal?: AbortSignal) => {
    void overlap
      .push(item, signal)
      .then((end) => {
        ends[item] = end.dropped ? 'dropped' : end.value;
      })
      .catch((error: unknown) => {
        ends[item] = String(error);
      });
  };
  return { clock, log, overlap, ends, push };
}

describe('overlap', () => {
  it('queued: one after the other, over the cap dropped', async () => {
    const { clock, log, ends, push, overlap } = seconds('queued', { queued: 2 });
    for (const item of ['a', 'b', 'c', 'd']) push(item);
    assert.equal(overlap.waiting, 2);
    await clock.advance(3000);
    assert.deepEqual(log, ['+a', '-a', '+b', '-b', '+c', '-c']);
    assert.deepEqual(ends, { a: 'a done', b: 'b done', c: 'c done', d: 'dropped' });
    assert.equal(clock.waiting, 0);
  });

  it('single: what comes meanwhile is dropped', async () => {
    const { clock, ends, push } = seconds('single');
    push('a');
    push('b');
    await clock.advance(1000);
    push('c');
    await clock.advance(1000);
    assert.deepEqual(ends, { a: 'a done', b: 'dropped', c: 'c done' });
    assert.equal(clock.waiting, 0);
  });

  it('restart: the newest takes the place of what runs and of what waits', async () => {
    const { clock, log, ends, push } = seconds('restart');
    push('a');
    await clock.advance(500);
    push('b');
    push('c');
    await clock.advance(1000);
    assert.deepEqual(log, ['+a', '!a', '+c', '-c']);
    assert.deepEqual(ends, { a: 'a stopped', b: 'dropped', c: 'c done' });
    assert.equal(clock.waiting, 0);
  });

  it('parallel: side by side up to the cap, then queued', async () => {
    const { clock, log, push, overlap } = seconds('parallel', { parallel: 2 });
    for (const item of ['a', 'b', 'c']) push(item);
    assert.equal(overlap.running, 2);
    await clock.advance(2000);
    assert.deepEqual(log, ['+a', '+b', '-a', '+c', '-b', '-c']);
    assert.equal(overlap.running + overlap.waiting + clock.waiting, 0);
  });

  it('takes a waiting one out when its signal aborts, and goes on after work that throws', async () => {
    const { clock, ends, push } = seconds('queued');
    const abort = new AbortController();
    push('a');
    push('b', abort.signal);
    abort.abort();
    await clock.advance(0);
    assert.deepEqual(ends, { b: 'dropped' });
    await clock.advance(1000);
    const overlap = createOverlap<number, number>({
      mode: 'queued',
      work: async (n) => {
        if (n === 1) throw new Error('no');
        return n;
      },
    });
    const first = overlap.push(1);
    await assert.rejects(first, /no/);
    assert.deepEqual(await overlap.push(2), { dropped: false, value: 2 });
  });
});
