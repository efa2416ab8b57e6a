import assert from 'node:assert/strict';
import { fakeClock, sleep } from '../clock.ts';
import { createOverlap } from './overlap.ts';
import type { OverlapMode } from './overlap.ts';

/** Work of one second each, and the order of what happened. */
function seconds(mode: OverlapMode, caps: { queued?: number; parallel?: number; inLane?: number } = {}) {
  const clock = fakeClock();
  const log: string[] = [];
  const overlap = createOverlap<string, string>({
    mode,
    ...caps,
    // "a1/kim" is the first of conversation a, said by kim.
    lanes: (item) => item.split('/').map((part, index) => (index ? part : (part[0] ?? ''))),
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

  it('conversation: side by side, but those of one conversation or person in the order in which they came', async () => {
    const { clock, log, push } = seconds('conversation');
    for (const item of ['a1/kim', 'a2/lee', 'b1/kim', 'c1', 'c2', 'd1/lee']) push(item);
    await clock.advance(0);
    assert.deepEqual(log, ['+a1/kim', '+c1']);
    await clock.advance(1000);
    assert.deepEqual(log.slice(2), ['-a1/kim', '+a2/lee', '+b1/kim', '-c1', '+c2']);
    await clock.advance(2000);
    assert.deepEqual(log.slice(7), ['-a2/lee', '+d1/lee', '-b1/kim', '-c2', '-d1/lee']);
  });

  it('conversation: no more at once than the cap, the oldest first', async () => {
    const { clock, log, push, overlap } = seconds('conversation', { parallel: 2 });
    for (const item of ['a1', 'a2', 'b1', 'c1', 'd1']) push(item);
    assert.deepEqual([overlap.running, overlap.waiting], [2, 3]);
    await clock.advance(3000);
    const begun = log.filter((entry) => entry.startsWith('+'));
    assert.deepEqual(begun, ['+a1', '+b1', '+a2', '+c1', '+d1']);
    assert.equal(overlap.running + overlap.waiting + clock.waiting, 0);
  });

  it('conversation: who floods one has only its own dropped, and a full queue keeps nobody out who need not wait', async () => {
    const flooded = seconds('conversation', { inLane: 2 });
    for (const item of ['a1', 'a2', 'a3', 'a4', 'b1']) flooded.push(item);
    await flooded.clock.advance(3000);
    assert.deepEqual(flooded.ends, { a1: 'a1 done', a2: 'a2 done', a3: 'a3 done', a4: 'dropped', b1: 'b1 done' });
    const full = seconds('conversation', { queued: 1 });
    for (const item of ['a1', 'a2', 'b1', 'b2']) full.push(item);
    await full.clock.advance(2000);
    assert.deepEqual(full.ends, { a1: 'a1 done', a2: 'a2 done', b1: 'b1 done', b2: 'dropped' });
  });

  it('conversation: one that is taken out lets those go on that stood behind it only', async () => {
    const { clock, log, push } = seconds('conversation');
    const abort = new AbortController();
    push('a1');
    push('a2/kim', abort.signal);
    push('b1/kim');
    assert.deepEqual(log, ['+a1']);
    abort.abort();
    await clock.advance(0);
    assert.deepEqual(log, ['+a1', '+b1/kim']);
    await clock.advance(1000);
    assert.equal(clock.waiting, 0);
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
