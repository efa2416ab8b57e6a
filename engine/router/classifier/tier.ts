/** The first tier at work: it answers for the planner, and lets the planner check it now and then. */
import { isDeepStrictEqual } from 'node:util';
import type { PlanAnswer } from '../../model/model.ts';
import type { Plan } from '../../moot.ts';
import { firstTier } from './first-tier.ts';
import type { FirstTierInput } from './first-tier.ts';
import type { TierCounts } from './tier-counts.ts';

export interface Tier {
  /** The plan of a request that is clear; nothing: it is the planner's. */
  take(input: FirstTierInput): PlanAnswer | undefined;
  /** Of a plan of the first tier. @param ask What the planner says to the same. Nobody waits for it. */
  check(mine: Plan, ask: (signal: AbortSignal) => Promise<Plan>): void;
}

export interface TierOptions {
  /** 0 to 1: below it a request is the planner's. */
  readonly threshold: number;
  /** 0 to 1: how many of the clear ones the planner is asked too, beside the run. */
  readonly checked: number;
  readonly counts: TierCounts;
  /** Ends checks that are under way. */
  readonly signal: AbortSignal;
  /** 0 to 1; which ones are checked. Default `Math.random`. */
  readonly random?: () => number;
}

export function createTier({ threshold, checked, counts, signal, random = Math.random }: TierOptions): Tier {
  return {
    take(input) {
      const { answer } = firstTier(input, threshold);
      counts.routed(answer !== undefined);
      return answer;
    },
    check(mine, ask) {
      if (random() >= checked) return;
      ask(signal).then(
        (its) => counts.checked(isSame(mine, its)),
        // A planner that fails says nothing of who is right.
        () => undefined,
      );
    },
  };
}

const isSame = (mine: Plan, its: Plan): boolean => isDeepStrictEqual(routesOf(mine), routesOf(its));

const routesOf = ({ steps }: Plan) => steps.map(({ agent, parameters }) => [agent, { ...parameters }]);
