/** What one request may cost at most, of a router (in all) and of an agent (its own part); 0: no limit. */
import { number } from './fields.ts';

export const limitFields = {
  mostModelCalls: number(0, { minimum: 0, maximum: 10_000 }),
  mostToolCalls: number(0, { minimum: 0, maximum: 10_000 }),
  mostTokens: number(0, { minimum: 0, maximum: 100_000_000 }),
  mostCost: number(0, { minimum: 0, maximum: 1_000_000 }),
} as const;

interface Settings {
  readonly mostModelCalls: number;
  readonly mostToolCalls: number;
  readonly mostTokens: number;
  readonly mostCost: number;
}

export const usageLimitsOf = ({ mostModelCalls, mostToolCalls, mostTokens, mostCost }: Settings) => ({
  modelCalls: mostModelCalls,
  toolCalls: mostToolCalls,
  tokens: mostTokens,
  cost: mostCost,
});
