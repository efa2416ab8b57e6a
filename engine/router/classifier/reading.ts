/** A clause with what speaks for whom in it. */
import type { Clause } from './clauses.ts';
import type { ClauseEvidence } from './evidence.ts';

export interface Reading {
  readonly clause: Clause;
  readonly evidence: ClauseEvidence;
}
