/** A house in shadow decides and tells everything, and sends nothing. */
import assert from 'node:assert/strict';
import { aHouse, aLedger, call, light, states } from '../../test/red/apply-house.ts';

const only = 'The house only tries things out, so nothing was really done.';

describe('apply in shadow', () => {
  const mutations = [light('a'), call('b', 'TakeWaste'), call('c', 'ProduceCutGrass'), call('d', 'OpenDoor')];

  it('sends nothing, says what would have been, refuses what it would refuse, and counts', async () => {
    const { sent, ledger, shadow, report, open } = aHouse({ isShadow: true });
    const told = await report(mutations);
    assert.deepEqual([sent, shadow.told, ledger.known.size, await open()], [[], 2, 0, 0]);
    assert.deepEqual(
      told.payload,
      [
        only,
        'Would have been done: Kitchen light at 40 %.',
        'Would have been done: Waste taken away.',
        'Not done: Door open. It needs the consent of a person, and nobody can be asked here.',
      ].join('\n'),
    );
    assert.deepEqual(states(told), ['board only', 'board only', 'board only', 'refused']);
    assert.deepEqual(
      told.lines.map(({ reason }) => reason === only),
      [true, true, false, false],
    );
  });

  it('says nothing of it where no command would have been sent', async () => {
    const { report } = aHouse({ isShadow: true });
    assert.equal((await report([call('c', 'ProduceCutGrass')])).payload, 'words of the plan');
    assert.match(String((await report([call('d', 'OpenDoor')])).payload), /^Not done/);
  });

  it('does them when it is over, each once', async () => {
    const { sent, shadow, report } = aHouse({ isShadow: true });
    await report([light('a')]);
    shadow.is = false;
    assert.deepEqual(states(await report([light('a')])), ['applied']);
    shadow.is = true;
    // What was done before it began is not told as if it had not been.
    assert.deepEqual(states(await report([light('a')])), ['applied']);
    assert.deepEqual([sent.length, shadow.told], [1, 1]);
  });

  it('after a crash sends nothing either: neither what was only planned nor what may be repeated', async () => {
    const first = aHouse();
    const { plan } = first.ledger.effects;
    // It stops between writing down the third and sending it.
    first.ledger.effects.plan = async (order) => {
      const known = await plan(order);
      return order.mutation.id === 'c' ? new Promise(() => undefined) : known;
    };
    first.take([light('a'), call('b', 'TakeWaste'), light('c', 'hall')]).catch(() => undefined);
    await first.clock.advance(0);
    const ledger = aLedger();
    for (const [key, value] of first.ledger.known) ledger.known.set(key, value);
    const second = aHouse({ store: first.store, ledger, isShadow: true });
    await second.apply.resume((report) => second.resumed.push(report));
    assert.deepEqual([second.sent, second.shadow.told], [[], 1]);
    assert.deepEqual(second.resumed.map(states), [['unknown', 'unknown', 'board only']]);
    assert.match(String(second.resumed[0]?.payload), /Would have been done: Hall light at 40 %\./);
    assert.equal(await second.open(), 0);
    assert.equal(ledger.known.get('c')?.state, 'failed');
  });
});
