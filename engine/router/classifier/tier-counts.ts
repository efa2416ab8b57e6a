/** How much the first tier of a router answers, and how often the planner agrees with it. */
import { limits } from '../../limits.ts';

export interface TierFigures {
  /** Requests, at most the last `limits.tierWindow`, and those of them that the first tier answered. */
  readonly requests: number;
  readonly clear: number;
  /** Since the start: clear ones that the planner was asked too, and those of them to which it said the same. */
  readonly checked: number;
  readonly agreed: number;
}

/** As it is counted for others. */
export type TierCount = 'firstTier' | 'planner' | 'checked' | 'agreed';

export interface TierCounts {
  routed(isClear: boolean): void;
  checked(isSame: boolean): void;
  figures(): TierFigures;
  onCount(listener: (what: TierCount) => void): void;
}

export function createTierCounts(): TierCounts {
  const last: boolean[] = [];
  const checks = { checked: 0, agreed: 0 };
  const listeners: ((what: TierCount) => void)[] = [];
  const tell = (what: TierCount) => listeners.forEach((listener) => listener(what));
  return {
    routed(isClear) {
      last.push(isClear);
      if (last.length > limits.tierWindow) last.shift();
      tell(isClear ? 'firstTier' : 'planner');
    },
    checked(isSame) {
      checks.checked += 1;
      tell('checked');
      if (!isSame) return;
      checks.agreed += 1;
      tell('agreed');
    },
    figures: () => ({ requests: last.length, clear: last.filter(Boolean).length, ...checks }),
    onCount: (listener) => void listeners.push(listener),
  };
}

/** "first tier: 71 % of the last 200, 19 of 20 agreed"; empty before the first request. */
export function tierWords({ requests, clear, checked, agreed }: TierFigures): string {
  if (!requests) return '';
  const share = `first tier: ${Math.round((100 * clear) / requests)} % of the last ${requests}`;
  return checked ? `${share}, ${agreed} of ${checked} agreed` : share;
}
