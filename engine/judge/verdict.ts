/** The verdict of a debate: by counting, or by what a model chose of what was said. */
import type { Statement, Verdict } from '../moot.ts';
import type { Debater, Missing } from './debate-state.ts';
import { tally } from './vote.ts';
import type { Option, Tally, VoteRule } from './vote.ts';

/** The last round as it counts. */
export interface LastRound {
  readonly round: number;
  readonly debaters: readonly Debater[];
  readonly statements: readonly Statement[];
  readonly missing: readonly Missing[];
  /** All who spoke want the same. */
  readonly isConsensus: boolean;
}

/** What a model chose. */
export interface Choice {
  /** Position in the options, from 0; absent: none of them. */
  readonly index?: number;
  readonly confidence: number;
  readonly reasons: readonly string[];
}

/** By rule. Nothing is decided on a tie: then `decision` is empty and nothing is to be done. */
export function verdictByRule(last: LastRound, rule: VoteRule): Verdict {
  const counted = tally(last.statements, rule);
  // All of one mind have decided, however unsure they are.
  const winner = last.isConsensus ? counted.options[0] : counted.winner;
  const confidence = last.isConsensus ? 1 : counted.share;
  return verdictFor(last, counted, winner, { by: 'rule', confidence, reasons: winner?.statements[0]?.reasons ?? [] });
}

/** By what a model chose of the options of `tally` by heads. */
export function verdictByModel(last: LastRound, counted: Tally, { index, confidence, reasons }: Choice): Verdict {
  const winner = index === undefined ? undefined : counted.options[index];
  return verdictFor(last, counted, winner, { by: 'model', confidence: winner ? confidence : 0, reasons });
}

function verdictFor(
  { round, statements, missing, isConsensus }: LastRound,
  { options }: Tally,
  winner: Option | undefined,
  how: Pick<Verdict, 'by' | 'confidence' | 'reasons'>,
): Verdict {
  const others = statements.filter((one) => !winner?.statements.includes(one));
  const surest = winner?.statements[0];
  return {
    round,
    decision: winner?.label ?? '',
    mutations: winner?.mutations ?? [],
    ...how,
    dissent: [
      ...others.map(({ agent, claim }) => ({ agent, reason: claim })),
      ...missing.map(({ agent, reason }) => ({ agent, reason })),
    ],
    votes: Object.fromEntries(options.map(({ label, votes }) => [label, votes])),
    ...(surest ? { sidedWith: surest.agent } : {}),
    ended: !winner ? 'limit' : isConsensus ? 'consensus' : 'winner',
  };
}
