/** The effect ledger's records as apply reads and writes them (contracts.md 7). */
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Mutation } from '../moot.ts';
import { keyPart, tagged } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { isFolkmootError } from '../errors.ts';
import type { Effects, KnownEffect } from './apply.ts';

interface EffectRecord extends KnownEffect {
  readonly v: 1;
  readonly function: string;
  readonly at: number;
}

export function effectsInStore(store: Store, clock: Clock): Effects {
  const keyOf = ({ id, run }: Mutation) => tagged(run ?? 'data', 'effects', keyPart(id));
  const find = async (mutation: Mutation): Promise<KnownEffect | undefined> =>
    (await store.get<EffectRecord>(keyOf(mutation)))?.value;
  const write = (mutation: Mutation, effect: KnownEffect, isNew: boolean) =>
    store.put(
      keyOf(mutation),
      { v: 1, ...effect, function: mutation.function, at: clock.now() } satisfies EffectRecord,
      { expiresInMs: limits.recordExpiryMs, ...(isNew ? { expected: 'absent' } : {}) },
    );
  return {
    find,
    async plan(mutation) {
      try {
        await write(mutation, { state: 'planned' }, true);
        return undefined;
      } catch (error) {
        if (isFolkmootError(error, 'FOLKMOOT_STORE_CONFLICT')) return find(mutation);
        throw error;
      }
    },
    async mark(mutation, state, reason) {
      await write(mutation, { state, ...(reason ? { reason } : {}) }, false);
    },
  };
}
