import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import { createAcks } from './mqtt-acks.ts';

function make() {
  const clock = fakeClock();
  const sent: number[] = [];
  const acks = createAcks({ clock, mostMs: 30_000, yieldMs: 2_000, send: (id) => void sent.push(id) });
  const work = () => Promise.withResolvers<void>();
  return { clock, sent, acks, work };
}

describe('a broker is told that a message arrived', () => {
  it('at once when there is nothing to wait for, else when the work is done', async () => {
    const { clock, sent, acks, work } = make();
    acks.open(1, undefined);
    const long = work();
    acks.open(2, long.promise);
    assert.deepEqual(sent, [1]);
    long.resolve();
    await clock.advance(0);
    assert.deepEqual(sent, [1, 2]);
    assert.equal(clock.waiting, 0);
  });

  it('in the order in which messages came, and without one long work holding up others for more than two seconds', async () => {
    const { clock, sent, acks, work } = make();
    acks.open(1, work().promise);
    acks.open(2, undefined);
    const third = work();
    acks.open(3, third.promise);
    await clock.advance(1_999);
    assert.deepEqual(sent, []);
    await clock.advance(1);
    assert.deepEqual(sent, [1, 2]);
    third.resolve();
    await clock.advance(0);
    assert.deepEqual(sent, [1, 2, 3]);
  });

  it('after half a minute of work when nothing waits behind it', async () => {
    const { clock, sent, acks, work } = make();
    acks.open(1, work().promise);
    await clock.advance(29_999);
    assert.deepEqual(sent, []);
    await clock.advance(1);
    assert.deepEqual(sent, [1]);
  });

  it('never on another connection than that on which it came', async () => {
    const { clock, sent, acks, work } = make();
    const old = work();
    acks.open(1, old.promise);
    acks.reset();
    acks.open(1, work().promise);
    old.resolve();
    await clock.advance(10);
    assert.deepEqual(sent, []);
    acks.reset();
    assert.equal(clock.waiting, 0);
  });
});
