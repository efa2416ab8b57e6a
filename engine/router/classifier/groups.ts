/** Clauses in a row that are one agent's matter. */
import type { Profiles } from './profile.ts';
import type { Reading } from './reading.ts';
import { verdictOf } from './verdict.ts';
import type { Verdict } from './verdict.ts';

export interface Group extends Verdict {
  readonly readings: readonly Reading[];
  /** An order in it is perhaps somebody else's. */
  readonly isUnsure: boolean;
}

/** Less than this says nothing of whose matter a clause is. */
const least = 0.25;

export function groupsOf(readings: readonly Reading[], profiles: Profiles): Group[] {
  const groups: Group[] = [];
  for (const reading of readings) {
    const last = groups.at(-1);
    const verdict = verdictOf([reading], profiles);
    const own = verdict && verdict.confidence >= least ? verdict : undefined;
    if (!last || (own && last.agentId && own.agentId !== last.agentId)) {
      groups.push({
        agentId: own?.agentId ?? '',
        confidence: verdict?.confidence ?? 0,
        readings: [reading],
        isUnsure: false,
      });
      continue;
    }
    const joined = [...last.readings, reading];
    const again = verdictOf(joined, profiles);
    const isUnsure = last.isUnsure || (last.agentId !== '' && !belongs(reading, last.agentId));
    groups[groups.length - 1] = {
      agentId: again?.agentId ?? '',
      confidence: again?.confidence ?? 0,
      readings: joined,
      isUnsure,
    };
  }
  return groups.filter(({ agentId }) => agentId !== '');
}

const leaning = new Set(['it', 'them', 'that', 'those', 'these', 'one', 'there']);

/** A second order to the same one names what that one is for, or leans on what was said. */
const belongs = ({ clause, evidence }: Reading, agentId: string): boolean =>
  clause.mood !== 'command' ||
  clause.tokens.some(({ text }) => leaning.has(text)) ||
  evidence.byAgent.some((one) => one.agentId === agentId && one.things + one.verb >= 0.5);
