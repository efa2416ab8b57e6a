import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repeats, seed } from '../../test/red/tier.ts';
import { fakeClock, type FakeClock } from '../clock.ts';
import { limits } from '../limits.ts';
import { createEmbeddedStore } from '../store/embedded.ts';
import { rejectsWith } from '../store/store-bench.contract.ts';
import type { Store } from '../store/store.ts';
import { createEffectLedger, type EffectLedger, type EffectState, type PlannedEffect } from './effects.ts';

const light = (changes: Partial<PlannedEffect> = {}): PlannedEffect => ({
  run: 'run-1',
  function: 'SetLight',
  parameters: { room: 'kitchen', state: 'on' },
  repeatable: true,
  owner: 'apply-1',
  ...changes,
});
const once = (changes: Partial<PlannedEffect> = {}) => light({ function: 'MowLawn', repeatable: false, ...changes });

describe('the effect ledger', () => {
  let clock: FakeClock;
  let store: Store;
  let ledger: EffectLedger;
  beforeEach(() => {
    clock = fakeClock();
    store = createEmbeddedStore({ path: ':memory:', clock });
    ledger = createEffectLedger(store, clock);
  });
  afterEach(() => store.close());

  const left = async (owner = 'apply-1') =>
    (await ledger.unfinished(owner)).map(({ effect, next }) => `${effect.id} ${next}`);

  it('lets an id act once and tells the second caller how it went', async () => {
    assert.equal(await ledger.plan('m1', light()), 'new');
    assert.equal(await ledger.plan('m1', light()), 'planned');
    await ledger.sent('run-1', 'm1');
    assert.equal(await ledger.plan('m1', light()), 'sent');
    await ledger.confirmed('run-1', 'm1');
    assert.equal(await ledger.plan('m1', light()), 'confirmed');
    assert.deepEqual(await left(), []);
  });

  it('lets one of many callers at once act, also through two ledgers', async () => {
    const other = createEffectLedger(store, clock);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? ledger : other).plan('m1', light())),
    );
    assert.equal(answers.filter((answer) => answer === 'new').length, 1);
    assert.equal(answers.filter((answer) => answer === 'planned').length, 19);
  });

  it('lets the same words act again in another run', async () => {
    assert.equal(await ledger.plan('m1', light()), 'new');
    assert.equal(await ledger.plan('m1', light({ run: 'run-2' })), 'new');
  });

  it('says after a crash what is sent now, repeated, and told as unknown, oldest first', async () => {
    const steps: [string, PlannedEffect, EffectState][] = [
      ['a', light(), 'planned'],
      ['b', light(), 'sent'],
      ['c', once(), 'planned'],
      ['d', once(), 'sent'],
      ['e', light(), 'confirmed'],
      ['f', once(), 'failed'],
      ['g', light({ owner: 'other' }), 'planned'],
    ];
    for (const [id, effect, state] of steps) {
      await ledger.plan(id, effect);
      if (state !== 'planned') await ledger.sent('run-1', id);
      if (state === 'confirmed') await ledger.confirmed('run-1', id);
      if (state === 'failed') await ledger.failed('run-1', id, 'no power');
      await clock.advance(1);
    }
    assert.deepEqual(await left(), ['a send', 'b repeat', 'c send', 'd tell']);
    assert.equal((await ledger.get('run-1', 'd'))?.state, 'unknown');
    assert.deepEqual(await left('other'), ['g send']);
  });

  it('repeats once: after a second crash it is unknown', async () => {
    await ledger.plan('m1', light());
    await ledger.sent('run-1', 'm1');
    assert.deepEqual(await left(), ['m1 repeat']);
    assert.deepEqual(await left(), ['m1 tell']);
    assert.deepEqual(await left(), []);
    assert.equal((await ledger.get('run-1', 'm1'))?.state, 'unknown');
  });

  it('takes late news of what was unknown or seemed well, and keeps a failure', async () => {
    await ledger.plan('m1', once());
    await ledger.sent('run-1', 'm1');
    await left();
    assert.equal(await ledger.confirmed('run-1', 'm1'), 'confirmed');
    assert.equal(await ledger.failed('run-1', 'm1', 'jammed'), 'failed');
    assert.equal(await ledger.confirmed('run-1', 'm1'), 'failed');
    assert.equal((await ledger.get('run-1', 'm1'))?.reason, 'jammed');
  });

  it('follows one path whatever is called, and is open exactly while planned or sent', async () => {
    const calls = fc.array(fc.constantFrom('plan', 'sent', 'confirmed', 'failed', 'unknown' as const), {
      maxLength: 12,
    });
    const rank: { readonly [state in EffectState]: number } = {
      planned: 0,
      sent: 1,
      unknown: 2,
      confirmed: 3,
      failed: 4,
    };
    let n = 0;
    const property = fc.asyncProperty(calls, async (names) => {
      const id = `m${(n += 1)}`;
      const owner = `owner-${n}`;
      assert.equal(await ledger.plan(id, light({ owner })), 'new');
      let state: EffectState = 'planned';
      for (const name of names) {
        const next: string =
          name === 'plan' ? await ledger.plan(id, light({ owner })) : await ledger[name]('run-1', id, 'why');
        assert.ok(rank[next as EffectState] >= rank[state], `${state} → ${next}`);
        if (name !== 'plan') assert.ok(rank[next as EffectState] >= rank[name], `${name} gave ${next}`);
        state = next as EffectState;
      }
      assert.equal((await ledger.get('run-1', id))?.state, state);
      const pointers = await store.scan(`folkmoot:{${owner}}:unfinished:`);
      assert.equal(pointers.length, rank[state] < 2 ? 1 : 0);
    });
    await fc.assert(property, { seed: seed(), numRuns: repeats(1_200) });
  });

  it('sends no effect more than twice, and a single one not twice after it was sent, however often it crashes', async () => {
    const life = fc.record({ repeatable: fc.boolean(), crashes: fc.array(fc.boolean(), { maxLength: 5 }) });
    let n = 0;
    const property = fc.asyncProperty(life, async ({ repeatable, crashes }) => {
      const id = `m${(n += 1)}`;
      const owner = `owner-${n}`;
      await ledger.plan(id, light({ owner, repeatable }));
      await ledger.sent('run-1', id);
      let sends = 1;
      for (const marks of crashes)
        for (const { next } of await ledger.unfinished(owner)) {
          if (next === 'tell') continue;
          sends += 1;
          if (marks) await ledger.sent('run-1', id);
        }
      assert.ok(sends <= (repeatable ? 2 : 1));
    });
    await fc.assert(property, { seed: seed(), numRuns: repeats(1_200) });
  });

  it('finds an effect whose planning a crash cut in two as not planned', async () => {
    await ledger.plan('m1', light());
    await store.delete('folkmoot:{run-1}:effects:m1');
    assert.deepEqual(await left(), []);
    assert.equal(await ledger.plan('m1', light()), 'new');
    assert.deepEqual(await left(), ['m1 send']);
  });

  it('forgets after thirty days, with everything that pointed to it', async () => {
    await ledger.plan('m1', light());
    await clock.advance(limits.recordExpiryMs + 1);
    assert.equal(await ledger.get('run-1', 'm1'), undefined);
    assert.deepEqual(await store.scan('folkmoot:'), []);
  });

  it('takes ids of asks, and refuses to move what was never planned', async () => {
    assert.equal(await ledger.plan('ask:run-1/s1/t2', light()), 'new');
    assert.equal(await ledger.sent('run-1', 'ask:run-1/s1/t2'), 'sent');
    await rejectsWith('FOLKMOOT_STORE_FAILED', ledger.sent('run-1', 'nobody'));
  });

  it('refuses a record of a newer program', async () => {
    await ledger.plan('m1', light());
    await store.put('folkmoot:{run-1}:effects:m1', { v: 2 });
    await rejectsWith('FOLKMOOT_STORE_NEWER', ledger.get('run-1', 'm1'));
  });
});
