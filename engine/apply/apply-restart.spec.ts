import assert from 'node:assert/strict';
import { aHouse, aLedger, call, light, states } from '../../test/red/apply-house.ts';

describe('apply after a crash or a restart', () => {
  const mutations = [light('a'), call('b', 'TakeWaste'), light('c', 'hall'), call('d', 'ProduceCutGrass')];

  /** Stops the process, as it were, when the given command is sent. */
  async function aCrashAt(id: string, isClean = false) {
    const first = aHouse();
    first.onSend.call = (_row, mutation) => {
      if (mutation.id !== id) return;
      if (isClean) return first.abort.abort(new Error('closed'));
      first.ledger.effects.mark = () => new Promise(() => undefined);
    };
    const taken = first.take(mutations);
    taken.catch(() => undefined);
    await first.clock.advance(0);
    const ledger = aLedger();
    for (const [key, value] of first.ledger.known) ledger.known.set(key, value);
    const second = aHouse({ store: first.store, ledger });
    const done = second.apply.resume((report) => second.resumed.push(report));
    await second.clock.advance(1000);
    await done;
    return { first, second, taken };
  }

  it('sends what was only planned, repeats what may be repeated, and says what is not known', async () => {
    const { first, second } = await aCrashAt('c');
    assert.deepEqual(first.sent.length, 3);
    // a was sent and may be repeated, b was sent and may not, c was planned.
    assert.deepEqual(second.sent, [
      '0 SetLight {"room":"kitchen","brightness":40}',
      '0 SetLight {"room":"hall","brightness":40}',
    ]);
    assert.deepEqual(second.resumed.map(states), [['applied', 'unknown', 'applied', 'board only']]);
    assert.match(String(second.resumed[0]?.payload), /It is not known whether this was done: Waste taken away\./);
    assert.equal(await second.open(), 0);
  });
  it('repeats a command only once', async () => {
    const { second } = await aCrashAt('a');
    assert.equal(second.sent.length, 3);
    const third = aHouse({ store: second.store, ledger: second.ledger });
    await third.apply.resume((report) => third.resumed.push(report));
    assert.deepEqual(third.sent, []);
    assert.deepEqual(third.resumed, []);
  });
  it('repeats nothing after a redeploy, sends the rest and reports', async () => {
    const { first, second, taken } = await aCrashAt('b', true);
    await assert.rejects(taken, /closed/);
    assert.equal(first.clock.waiting, 0);
    assert.deepEqual(second.sent, ['0 SetLight {"room":"hall","brightness":40}']);
    assert.deepEqual(second.resumed.map(states), [['applied', 'applied', 'applied', 'board only']]);
  });
  it('leaves nothing when the node was removed', async () => {
    const house = aHouse();
    const taken = house.take([light('a')]);
    taken.catch(() => undefined);
    await house.clock.advance(0);
    house.abort.abort(new Error('closed'));
    await assert.rejects(taken);
    assert.equal(await house.open(), 1);
    await house.apply.forget();
    assert.equal(await house.open(), 0);
  });
});
