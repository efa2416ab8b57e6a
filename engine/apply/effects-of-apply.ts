/** The effect ledger as apply uses it: by command. */
import type { EffectLedger } from '../people/effects.ts';
import type { Mutation } from '../moot.ts';
import type { Effects, KnownEffect } from './effects.ts';

/** Application data has no run: it lies under one name. */
const runOf = ({ run }: Mutation): string => run ?? 'data';

/** @param owner Id of the apply node. */
export function effectsOfApply(ledger: EffectLedger, owner: string): Effects {
  const find = async (mutation: Mutation): Promise<KnownEffect | undefined> => {
    const effect = await ledger.get(runOf(mutation), mutation.id);
    return effect && { state: effect.state, ...(effect.reason ? { reason: effect.reason } : {}) };
  };
  return {
    find,
    settle: (mutation) => ledger.settled(runOf(mutation), mutation.id),
    async plan({ mutation, spec }) {
      const { repeatable } = spec;
      const { parameters } = mutation;
      const effect = { run: runOf(mutation), function: spec.name, parameters, repeatable, owner };
      const state = await ledger.plan(mutation.id, effect);
      return state === 'new' ? undefined : ((await find(mutation)) ?? { state });
    },
    async mark(mutation, state, reason = '') {
      const run = runOf(mutation);
      if (state === 'sent' || state === 'confirmed') await ledger[state](run, mutation.id);
      else await ledger[state](run, mutation.id, reason);
    },
  };
}
