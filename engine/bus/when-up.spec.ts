import assert from 'node:assert/strict';
import { fakeClock } from '../clock.ts';
import type { BusState } from './bus.ts';
import { whenUp } from './when-up.ts';

function aBus(first: BusState) {
  let listener: ((state: BusState) => void) | undefined;
  return {
    listening: () => listener !== undefined,
    becomes: (state: BusState) => listener?.(state),
    onState(added: (state: BusState) => void) {
      listener = added;
      added(first);
      return () => (listener = undefined);
    },
  };
}

describe('waiting for a connection', () => {
  const options = () => ({ clock: fakeClock(), timeoutMs: 1000, signal: new AbortController().signal });

  it('is over at once when it stands, and when it comes', async () => {
    assert.equal(await whenUp(aBus('up'), options()), true);
    const bus = aBus('down');
    const waited = whenUp(bus, options());
    bus.becomes('up');
    assert.equal(await waited, true);
    assert.equal(bus.listening(), false);
  });

  it('ends after its time, and leaves nothing behind', async () => {
    const { clock, ...rest } = options();
    const bus = aBus('connecting');
    const waited = whenUp(bus, { clock, ...rest });
    await clock.advance(1000);
    assert.equal(await waited, false);
    assert.deepEqual([bus.listening(), clock.waiting], [false, 0]);
  });

  it('ends with the signal and with the bus', async () => {
    const abort = new AbortController();
    const waited = whenUp(aBus('down'), { ...options(), signal: abort.signal });
    abort.abort();
    assert.equal(await waited, false);
    assert.equal(await whenUp(aBus('closed'), options()), false);
  });
});
