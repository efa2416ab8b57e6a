/** The first tier of a router: whether there is one, what it counts, and where that is shown. */
import { createTier, type Tier } from '../../engine/router/classifier/tier.ts';
import { createTierCounts, tierWords } from '../../engine/router/classifier/tier-counts.ts';
import type { Model } from '../../engine/model/model.ts';
import type { Backbone } from '../backbone/lease.ts';
import { modelOf } from '../model/model.ts';
import type { NodeKit } from '../shared/define-node.ts';
import type { routerFields } from './router.fields.ts';

type RouterKit = NodeKit<typeof routerFields>;

export interface TierAtRouter {
  /** Nothing while planning costs nothing, or when it is switched off. */
  readonly tier: () => Tier | undefined;
  /** For the node's status: "first tier: 71 % of the last 200"; empty while it has done nothing. */
  readonly words: () => string;
}

/** Who plans: the planner's own model, else the router's. Throws FOLKMOOT_MISSING_CONFIG. */
export const planModelOf = ({ RED, config }: RouterKit): Model => modelOf(RED, config.planModel || config.model);

/** Their planning costs nothing, and what is scripted shall be as it is written. */
const free = new Set(['rules', 'scripted']);

export function createTierAtRouter(kit: RouterKit, backbone: Promise<Backbone>): TierAtRouter {
  const { config, signal } = kit;
  const counts = createTierCounts();
  const tier = createTier({ threshold: config.firstTierThreshold, checked: config.firstTierCheck, counts, signal });
  backbone.then(
    ({ metrics }) => counts.onCount((what) => metrics.planned(what)),
    // Whoever needs the backbone tells of it.
    () => undefined,
  );
  return {
    tier: () => (config.firstTier === 'on' && !free.has(planModelOf(kit).settings.provider) ? tier : undefined),
    words: () => tierWords(counts.figures()),
  };
}

/** The status of a run that is done says what the first tier does. */
export const withWords = (kit: RouterKit, { words }: TierAtRouter): RouterKit => ({
  ...kit,
  status: (state, text) => kit.status(state, text ?? (state === 'done' && words() ? words() : undefined)),
});
