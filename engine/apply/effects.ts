/** The effect ledger as apply sees it. */
import type { Mutation } from '../moot.ts';
import type { Order } from './decide.ts';
import type { Result } from './report.ts';

export interface KnownEffect {
  readonly state: 'planned' | 'sent' | 'confirmed' | 'failed' | 'unknown';
  /** For people, when it failed. */
  readonly reason?: string;
}

/** The effect ledger as apply uses it (contracts.md 7); keyed by the command's id. */
export interface Effects {
  /** Writes `planned`, unless the command is there already: then gives what is known of it. */
  plan(order: Order): Promise<KnownEffect | undefined>;
  find(mutation: Mutation): Promise<KnownEffect | undefined>;
  /** Reported: nothing is to be done with it after a restart. Its state stays. */
  settle(mutation: Mutation): Promise<void>;
  mark(mutation: Mutation, state: 'sent' | 'confirmed' | 'failed' | 'unknown', reason?: string): Promise<void>;
}

/** What the ledger knows of a command that was carried out before. */
export function resultOf(order: Order, known: KnownEffect): Result {
  const { mutation, spec } = order;
  switch (known.state) {
    case 'failed':
      return { mutation, spec, state: 'failed', ...(known.reason ? { reason: known.reason } : {}) };
    case 'unknown':
      return { mutation, spec, state: 'unknown' };
    default:
      return { mutation, spec, state: 'applied' };
  }
}
