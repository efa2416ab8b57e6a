/** What runs cost: counted for every model call, added up over steps. */
import type { RoutedBy, Usage } from '../moot.ts';
import type { ModelSettings } from './model.ts';

export const emptyUsage: Usage = {
  modelCalls: 0,
  toolCalls: 0,
  tokensIn: 0,
  tokensOut: 0,
  tokensCached: 0,
  cost: 0,
  currency: '',
  queueMs: 0,
  modelMs: 0,
  byAgent: {},
};

/** By the prices of the model, for a million tokens each; a model without any costs nothing. */
export function costOf(
  { priceIn = 0, priceOut = 0, currency = '' }: Pick<ModelSettings, 'priceIn' | 'priceOut' | 'currency'>,
  { tokensIn, tokensOut }: Pick<Usage, 'tokensIn' | 'tokensOut'>,
): Pick<Usage, 'cost' | 'currency'> {
  if (priceIn === 0 && priceOut === 0) return { cost: 0, currency: '' };
  return { cost: (tokensIn * priceIn + tokensOut * priceOut) / 1_000_000, currency };
}

/** Sums; the currency, and who planned, are the first that are named. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage {
  if (!a || !b) return a ?? b ?? emptyUsage;
  const byAgent: Record<string, Usage['byAgent'][string]> = { ...a.byAgent };
  for (const [agent, more] of Object.entries(b.byAgent)) {
    const had = Object.hasOwn(byAgent, agent) ? byAgent[agent] : undefined;
    byAgent[agent] = {
      modelCalls: (had?.modelCalls ?? 0) + more.modelCalls,
      tokensIn: (had?.tokensIn ?? 0) + more.tokensIn,
      tokensOut: (had?.tokensOut ?? 0) + more.tokensOut,
    };
  }
  return {
    modelCalls: a.modelCalls + b.modelCalls,
    toolCalls: a.toolCalls + b.toolCalls,
    tokensIn: a.tokensIn + b.tokensIn,
    tokensOut: a.tokensOut + b.tokensOut,
    tokensCached: a.tokensCached + b.tokensCached,
    cost: a.cost + b.cost,
    currency: a.currency || b.currency,
    queueMs: a.queueMs + b.queueMs,
    modelMs: a.modelMs + b.modelMs,
    byAgent,
    ...sumOf('findings', a, b),
    ...sumOf('regenerations', a, b),
    ...plannedBy(a.routedBy ?? b.routedBy),
  };
}

const plannedBy = (routedBy: RoutedBy | undefined): Partial<Usage> => (routedBy ? { routedBy } : {});

/** Nothing where neither has it. */
const sumOf = (name: 'findings' | 'regenerations', a: Usage, b: Usage): Partial<Usage> => {
  const sum = (a[name] ?? 0) + (b[name] ?? 0);
  return sum > 0 ? { [name]: sum } : {};
};
