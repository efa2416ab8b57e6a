/** Whose matter some clauses are together, and how sure that is. */
import { baseForms } from './base-forms.ts';
import type { Evidence } from './evidence.ts';
import { isOtherVerb } from './evidence.ts';
import { lists, particles } from './profile-words.ts';
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

const ownOf = ({ evidence }: Reading, { agentId }: Profile): Evidence | undefined =>
  evidence.byAgent.find((one) => one.agentId === agentId);

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
  const doubts = [coverage, headOf, objectOf, others].map((doubt) => doubt(readings, best.profile, profiles));
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

/** Of the words that say something, those that the agent explains. Rooms and numbers count little, others' words half. */
function coverage(readings: readonly Reading[], profile: Profile): number {
  let [known, unknown] = [0.3, 0];
  for (const reading of readings) {
    const { clause, evidence } = reading;
    if (clause.mood === 'statement') continue;
    const own = ownOf(reading, profile);
    for (const [at, sort] of own?.explained ?? [])
      known += sort === 'value' || !evidence.content.includes(at) ? 0.3 : 1;
    for (const at of evidence.content) {
      if (own?.explained.has(at)) continue;
      if (evidence.foreign.includes(at)) unknown += profile.isOpen ? 0.3 : 1.5;
      else if (evidence.strange.includes(at)) unknown += profile.isOpen ? 0.3 : 1;
      else unknown += profile.isOpen ? 0 : isValue(evidence.byAgent, at) ? 0.2 : 0.6;
    }
  }
  return Math.min(1, (known + 0.4) / (known + unknown + 0.01));
}

/** A room or the like, which others know too. */
const isValue = (byAgent: readonly Evidence[], at: number): boolean =>
  byAgent.every(({ explained }) => !explained.has(at) || explained.get(at) === 'value');

/** An order that begins with a verb which means nothing to the agent is another matter. */
function headOf(readings: readonly Reading[], profile: Profile): number {
  const heads = readings.map((reading) => {
    const first = reading.clause.tokens[0];
    if (
      reading.clause.mood === 'question' ||
      reading.clause.mood === 'statement' ||
      !first ||
      lists.lightVerbs.has(first.text) ||
      first.text === 'let'
    )
      return 1;
    const own = ownOf(reading, profile);
    if (own?.explained.has(0)) return 1;
    if (reading.clause.mood === 'fragment')
      return isSmall(reading.clause.tokens[1]?.text) && reading.evidence.strange.includes(0) ? 0.4 : 1;
    return isOtherVerb(first) || (reading.clause.tokens.length > 1 && isUnknown(first.text)) ? 0.3 : 0.7;
  });
  return Math.min(1, ...heads);
}

const pronouns = new Set(['it', 'them', 'that', 'those', 'these', 'one', 'this']);

/** An order that names none of the agent's things, and a word that means nothing to it: "open the window". */
function objectOf(readings: readonly Reading[], profile: Profile): number {
  const own = readings.map((reading) => ownOf(reading, profile));
  // "turn it off" leans on earlier talk.
  const leans =
    readings.every(({ clause }) => clause.tokens.every(({ text }) => !lists.determiners.has(text))) &&
    readings.some(({ clause }) => clause.tokens.some(({ text }) => pronouns.has(text)));
  if (leans && !own.some((one) => (one?.things ?? 0) >= 0.5)) return 0.3;
  const isOwned = readings.some(({ clause }) => clause.tokens.some(({ text }) => text === 'my' || text === 'our'));
  if (profile.isOpen) return isOwned && profile.acts ? 0.4 : 1;
  if (own.some((one) => (one?.things ?? 0) >= 0.5 || (one?.verb ?? 0) >= 2.9)) return 1;
  const isOther = readings.some(
    ({ clause, evidence }, at) =>
      clause.mood !== 'statement' && evidence.content.some((place) => !own[at]?.explained.has(place)),
  );
  return isOther ? 0.3 : 1;
}

const isSmall = (word: string | undefined): boolean =>
  word !== undefined && (lists.small.has(word) || particles.has(word));

const isUnknown = (word: string): boolean => !baseForms(word).some((form) => lists.known.has(form));

/** Somebody else's thing is named too, and not only as what something is done with. */
function others(readings: readonly Reading[], profile: Profile, { agents }: Profiles): number {
  let worst = 1;
  for (const reading of readings) {
    const own = ownOf(reading, profile);
    if (reading.clause.mood === 'statement' || reading.clause.mood === 'question' || !own) continue;
    for (const other of agents) {
      const its = other === profile || !other.acts ? undefined : ownOf(reading, other);
      if (!its || (own.verb >= 1 && its.verb < own.verb * 0.6)) continue;
      for (const [at, sort] of its.explained)
        if (sort !== 'value' && reading.evidence.content.includes(at) && !own.explained.has(at))
          worst = Math.min(worst, 0.4);
    }
  }
  return worst;
}
