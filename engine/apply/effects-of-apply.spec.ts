import assert from 'node:assert/strict';
import { aHouse, light, states } from '../../test/red/apply-house.ts';
import { fakeClock } from '../clock.ts';
import type { FunctionSpec } from '../language/function-spec.ts';
import { createEffectLedger } from '../people/effects.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import type { Order } from './decide.ts';
import { effectsOfApply } from './effects-of-apply.ts';

const spec = { name: 'SetLight', repeatable: true } as FunctionSpec;
const orderOf = (id: string): Order => ({
  kind: 'order',
  mutation: light(id),
  spec,
  place: { index: 0, row: { kind: 'else', target: '', runWithoutAsking: false, waitMs: 1 } },
});

function aLedger() {
  const clock = fakeClock();
  const store = createEmbeddedStore({ path: ':memory:', clock });
  const ledger = createEffectLedger(store, clock);
  return { ledger, store, effects: effectsOfApply(ledger, 'apply1') };
}

describe('the effect ledger of apply', () => {
  it('plans a command once, also when two ask at the same moment', async () => {
    const { effects } = aLedger();
    const [first, second] = await Promise.all([effects.plan(orderOf('a')), effects.plan(orderOf('a'))]);
    assert.deepEqual([first, second].filter((one) => one === undefined).length, 1);
    assert.deepEqual(await effects.plan(orderOf('a')), { state: 'planned' });
  });
  it('knows how a command went, and why it failed, also after it was confirmed', async () => {
    const { effects } = aLedger();
    await effects.plan(orderOf('a'));
    await effects.mark(light('a'), 'sent');
    assert.deepEqual(await effects.find(light('a')), { state: 'sent' });
    await effects.mark(light('a'), 'confirmed');
    await effects.mark(light('a'), 'failed', 'No answer.');
    assert.deepEqual(await effects.find(light('a')), { state: 'failed', reason: 'No answer.' });
    assert.equal(await effects.find(light('b')), undefined);
  });
  it('takes data without a run', async () => {
    const { effects } = aLedger();
    const { run: _run, ...mutation } = light('a');
    assert.equal(await effects.plan({ ...orderOf('a'), mutation }), undefined);
    assert.deepEqual(await effects.find(mutation), { state: 'planned' });
  });
  it('carries apply: once per command, failed when it came back', async () => {
    const { ledger, store, effects } = aLedger();
    const house = aHouse({ store, ledger: { effects, known: new Map() } });
    const taken = house.take([light('a'), light('b', 'hall')]);
    await house.clock.advance(10);
    await house.apply.returned(light('a'), { message: 'no answer' });
    await house.clock.advance(300);
    assert.deepEqual(states(await taken), ['failed', 'applied']);
    assert.deepEqual(states(await house.report([light('a'), light('b', 'hall')])), ['failed', 'applied']);
    assert.equal(house.sent.length, 2);
    assert.deepEqual(await effects.find(light('b')), { state: 'sent' });
    assert.deepEqual(await ledger.unfinished('apply1'), []);
  });
});
