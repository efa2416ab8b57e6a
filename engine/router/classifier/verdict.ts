/** Whose matter some clauses are together, and how sure that is. */
import type { Evidence } from './evidence.ts';
import { doubtsOf, ownOf } from './doubts.ts';
import type { Profile, Profiles } from './profile.ts';
import type { Reading } from './reading.ts';

export interface Verdict {
  readonly agentId: string;
  /** 0 to 1. */
  readonly confidence: number;
}

interface Sum {
  readonly profile: Profile;
  readonly score: number;
  /** Things and verbs: without values, which say where and how much. */
  readonly core: number;
}

/** Undefined: nothing speaks for anybody. */
export function verdictOf(readings: readonly Reading[], profiles: Profiles): Verdict | undefined {
  const sums = profiles.agents.map((profile) => sumOf(readings, profile, profiles.canTell));
  const isNamed = sums.some(({ core }) => core >= 0.5);
  // Where somebody's thing is named, a room and a number say nothing of whose matter it is.
  const scored = sums
    .map((one) => ({ ...one, score: isNamed ? one.core + Math.min(one.score - one.core, one.core) : one.score }))
    .sort((a, b) => b.score - a.score);
  const [best, second] = scored;
  if (!best || best.score < 0.5) return undefined;
  const margin = (best.score - (second?.score ?? 0)) / best.score;
  const strength = Math.min(1, best.score / 2) * (isNamed ? 1 : 0.8);
  const doubts = doubtsOf.map((doubt) => doubt(readings, best.profile, profiles));
  const confidence = doubts.reduce((product, doubt) => product * doubt, strength * Math.min(1, margin / 0.35));
  return { agentId: best.profile.agentId, confidence };
}

function sumOf(readings: readonly Reading[], profile: Profile, canTell: boolean): Sum {
  let [score, core] = [0, 0];
  for (const reading of readings) {
    const own = ownOf(reading, profile);
    if (!own) continue;
    const part = ableTo(profile, reading, own, canTell) * dominance(reading, own);
    core += (own.things + own.verb) * part;
    score += (own.things + own.verb + own.values) * part;
  }
  return { profile, score, core };
}

/** Orders are for those who can do something, questions for those who can tell. */
function ableTo({ acts, tells }: Profile, { clause: { mood } }: Reading, { verb }: Evidence, canTell: boolean): number {
  if (mood === 'question') return tells || !canTell ? 1 : 0.4;
  if (mood === 'statement') return acts ? 0.6 : 0.2;
  return acts || verb >= 1 ? 1 : 0.2;
}

/** Where the verb of an order is one agent's, the things in it are only what it is done with. */
function dominance({ clause, evidence }: Reading, own: Evidence): number {
  if (clause.mood === 'question') return 1;
  const best = Math.max(...evidence.byAgent.map(({ verb }) => verb));
  return best >= 1 && own.verb < best * 0.6 ? 0.4 : 1;
}
