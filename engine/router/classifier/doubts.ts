/** Why an agent may not be the right one although most speaks for it: each gives how much is left of the certainty, 0 to 1. */
import type { Token } from '../../model/rules/tokens.ts';
import { toldOnly } from './everyday.en.ts';
import { meaningsOf } from './everyday.ts';
import type { Evidence } from './evidence.ts';
import { isContent } from './place.ts';
import { isLoose, lists, particles } from './profile-words.ts';
import type { Profile, Profiles } from './profile.ts';
import type { Reading } from './reading.ts';

type Doubt = (readings: readonly Reading[], profile: Profile, profiles: Profiles) => number;

export const ownOf = ({ evidence }: Reading, { agentId }: Profile): Evidence | undefined =>
  evidence.byAgent.find((one) => one.agentId === agentId);

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
  return Math.min(1, ...readings.map((reading) => headIn(reading, ownOf(reading, profile))));
}

function headIn({ clause: { mood, tokens }, evidence }: Reading, own: Evidence | undefined): number {
  const [first, second] = tokens;
  if (!first || mood === 'question' || mood === 'statement') return 1;
  if (mood === 'command' && isMaking(first)) return madeOf(tokens, own, evidence);
  if (own?.explained.has(0) || !isContent(first)) return 1;
  if (mood === 'fragment') return isSmall(second?.text) && evidence.strange.includes(0) ? 0.4 : 1;
  return 0.3;
}

const isMaking = ({ text, stem }: Token): boolean =>
  text === 'let' || isLoose(text) || meaningsOf(stem).some(({ name }) => name === 'creating');

/** "make friends …", "set an alarm …": the first thing that is named is none of ours. */
function madeOf(
  tokens: readonly Token[],
  own: Evidence | undefined,
  { content, strange }: Reading['evidence'],
): number {
  const at = content.find((place) => place > 0);
  if (at === undefined || !strange.includes(at)) return 1;
  const isPartOfName = [at + 1, at + 2].some((next) => own?.explained.has(next) && !tokens[next]?.before);
  return isPartOfName ? 1 : 0.4;
}

const pronouns = new Set(['it', 'them', 'that', 'those', 'these', 'one', 'this']);

/** An order that names none of the agent's things, and a word that means nothing to it: "open the window". */
function objectOf(readings: readonly Reading[], profile: Profile, { agents }: Profiles): number {
  const own = readings.map((reading) => ownOf(reading, profile));
  // "turn it off" leans on earlier talk.
  const leans =
    readings.every(({ clause }) => clause.tokens.every(({ text }) => !lists.determiners.has(text))) &&
    readings.some(({ clause }) => clause.tokens.some(({ text }) => pronouns.has(text)));
  if (leans && !own.some((one) => (one?.things ?? 0) >= 0.5)) return 0.3;
  const isOwned = readings.some(({ clause }) => clause.tokens.some(({ text }) => text === 'my' || text === 'our'));
  if (profile.isOpen) return profile.acts && (isOwned || isNew(readings, profile, agents)) ? 0.4 : 1;
  if (own.some((one) => (one?.things ?? 0) >= 0.5 || (one?.verb ?? 0) >= 2.9)) return 1;
  // "clean up", and not what.
  if (profile.acts && own.every((one) => (one?.things ?? 0) + (one?.values ?? 0) === 0)) return 0.3;
  const isOther = readings.some(
    ({ clause, evidence }, at) =>
      clause.mood !== 'statement' && evidence.content.some((place) => !own[at]?.explained.has(place)),
  );
  return isOther ? 0.3 : 1;
}

const indefinite = new Set(['a', 'an', 'some', 'another', 'few']);

/** "a fox eats the rabbit": the fox has to be made first. */
const isNew = (readings: readonly Reading[], profile: Profile, agents: readonly Profile[]): boolean =>
  readings.some((reading) =>
    agents.some(
      (other) =>
        other !== profile &&
        other.acts &&
        [...(ownOf(reading, other)?.explained ?? [])].some(
          ([at, sort]) =>
            sort === 'thing' &&
            [at - 1, at - 2].some((before) => {
              const token = reading.clause.tokens[before];
              return token !== undefined && (indefinite.has(token.text) || token.value !== undefined);
            }),
        ),
    ),
  );

const isSmall = (word: string | undefined): boolean =>
  word !== undefined && (lists.small.has(word) || particles.has(word));

/** Somebody else's thing is named too, and not only as what something is done with. */
function others(all: readonly Reading[], profile: Profile, { agents }: Profiles): number {
  const isElse = (reading: Reading) => {
    const own = ownOf(reading, profile);
    if (reading.clause.isDenied || !own) return false;
    const isQuestion = reading.clause.mood === 'question';
    const rivals = agents.filter((other) => other !== profile && (isQuestion ? other.tells : other.acts));
    if (isQuestion && ordersBesides(reading, own, agents)) return true;
    return rivals.some((other) => {
      const its = ownOf(reading, other);
      return its !== undefined && namesMore(reading, own, its, profile.isOpen);
    });
  };
  return all.some(isElse) ? 0.4 : 1;
}

/** "is the door open and all lights off please" */
function ordersBesides({ clause, evidence }: Reading, own: Evidence, agents: readonly Profile[]): boolean {
  const and = clause.tokens.findIndex(({ text }) => text === 'and');
  return (
    and > 0 &&
    evidence.byAgent.some(
      ({ agentId, explained }) =>
        agents.some((one) => one.agentId === agentId && one.acts) &&
        [...explained].some(([at, sort]) => sort === 'thing' && at > and && !own.explained.has(at)),
    )
  );
}

function namesMore({ clause, evidence }: Reading, own: Evidence, its: Evidence, isOpen: boolean): boolean {
  const isTold = clause.mood === 'statement' || clause.mood === 'question';
  const isDoneWith = own.verb >= 1 && its.verb < own.verb * 0.6;
  return [...its.explained].some(([at, sort]) => {
    if (sort === 'value' || (isTold && sort === 'verb') || !evidence.content.includes(at) || own.explained.has(at))
      return false;
    return !isDoneWith || (!isOpen && (isInside(clause.tokens, at) || isListed(clause.tokens, at)));
  });
}

const inside = new Set('in into of from for under around beneath between without off'.split(' '));

/** "… in the pool" */
const isInside = (tokens: readonly Token[], at: number): boolean =>
  inside.has(tokens[at - 2]?.text ?? '') && tokens[at - 1]?.text === 'the' && tokens[at - 3]?.text !== 'heap';

const joining = new Set(['and', 'plus', 'as', 'with', '+']);

/** "close the blinds and the heating", "… as well as the heating" */
function isListed(tokens: readonly Token[], at: number): boolean {
  let before = at - 1;
  while (
    before > at - 4 &&
    tokens[before] &&
    !isContent(tokens[before] as Token) &&
    !joining.has(tokens[before]?.text ?? '')
  )
    before -= 1;
  return joining.has(tokens[before]?.text ?? '');
}

/** "… and seaweed for the coast": it takes names of all kinds, but no coasts. */
const isOthersValue = ({ evidence }: Reading, own: Evidence | undefined, at: number): boolean =>
  !own?.explained.has(at) &&
  evidence.content.includes(at) &&
  isValue(evidence.byAgent, at) &&
  !evidence.strange.includes(at);

const settings = new Set('on off up down open closed shut half'.split(' '));

/** "set the bedroom to 19 and the blinds to half": a part that says how something shall be and doesn't name the agent's thing. */
function listed(readings: readonly Reading[], profile: Profile): number {
  const isOther = (reading: Reading) => {
    const { tokens, mood } = reading.clause;
    const cuts = [...tokens.keys()].filter((at) => tokens[at]?.text === 'and');
    const parts = [-1, ...cuts].map((at, index) => [...tokens.keys()].slice(at + 1, cuts[index] ?? tokens.length));
    const set = parts.filter((part) =>
      part.some((at) => tokens[at]?.value !== undefined || settings.has(tokens[at]?.text ?? '')),
    );
    const own = ownOf(reading, profile);
    const isNamed = (part: readonly number[]) =>
      part.some((at) => own?.explained.has(at) && own.explained.get(at) !== 'value' && isContent(tokens[at] as Token));
    const isStrange = (part: readonly number[]) =>
      part.some((at) => reading.evidence.content.includes(at) && !own?.explained.has(at));
    if (mood === 'statement') return false;
    if (profile.isOpen) return parts.slice(1).some((part) => part.some((at) => isOthersValue(reading, own, at)));
    return parts.slice(1).some(isStrange) || (set.length > 1 && !set.every(isNamed));
  };
  return readings.some(isOther) ? 0.4 : 1;
}

/** A thing alone says not what is to be done with it: "the light at the end of the tunnel", "get the garden ready". */
function unset(readings: readonly Reading[], profile: Profile): number {
  if (readings.every(({ clause }) => clause.mood === 'statement')) return 1;
  const isBare = readings.every((reading) => {
    const own = ownOf(reading, profile);
    const { tokens } = reading.clause;
    const isNamed = tokens.some(({ text }) => text === 'called' || text === 'named');
    const isSaid = (own?.values ?? 0) + (own?.verb ?? 0) >= 0.4 || isNamed || tokens.some(isGrading);
    return (
      reading.clause.mood === 'statement' ||
      ((reading.clause.mood === 'command' || reading.clause.mood === 'fragment') && !isSaid)
    );
  });
  return profile.acts && isBare ? 0.5 : 1;
}

/** "warmer", "down", "less" */
const isGrading = ({ text }: Token): boolean =>
  /\w{3}er$/.test(text) || particles.has(text) || text === 'more' || text === 'less';

const describing = new Set(['living', 'standing', 'lying', 'sitting', 'waiting', 'growing']);

/** "get the front garden shipshape": what is to be done is a word that means nothing here. */
function unknownDoing(readings: readonly Reading[], profile: Profile): number {
  const isVague = (reading: Reading) => {
    const { clause, evidence } = reading;
    const own = ownOf(reading, profile);
    if (clause.mood !== 'command' || !own || own.verb >= 1) return false;
    const isPartOfName = (at: number) =>
      [at + 1, at + 2].some((next) => own.explained.has(next) && !clause.tokens[next]?.before);
    return evidence.strange.some((at) => !isPartOfName(at) && !describing.has(clause.tokens[at]?.text ?? ''));
  };
  return profile.acts && readings.some(isVague) ? 0.5 : 1;
}

/** "make it dark and cool": what is said of the light may be the lamp's or the blinds' matter. */
const hinted = (readings: readonly Reading[]): number =>
  readings.some(({ clause }) => clause.mood === 'command' && clause.tokens.some(({ text }) => toldOnly.has(text)))
    ? 0.4
    : 1;

/** "the temperature in Paris" */
function elsewhere(readings: readonly Reading[]): number {
  const isElse = ({ clause: { mood, tokens }, evidence }: Reading) =>
    mood === 'question' &&
    evidence.strange.some(
      (at) => tokens[at - 1]?.text === 'in' || (tokens[at - 1]?.text === 'the' && tokens[at - 2]?.text === 'in'),
    );
  return readings.some(isElse) ? 0.5 : 1;
}

export const doubtsOf: readonly Doubt[] = [
  coverage,
  headOf,
  objectOf,
  others,
  listed,
  unset,
  unknownDoing,
  hinted,
  elsewhere,
];
