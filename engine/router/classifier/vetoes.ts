/** Words by which a sentence is never clear: what is denied, reported, conditional, quoted or put in another order. */
import type { ClauseEvidence } from './evidence.ts';
import { isOnlyVerb } from './place.ts';
import type { Profiles } from './profile.ts';
import type { Reading } from './reading.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const denying = set('not never nobody none nothing neither nor without except instead rather unless');
const refraining = set('leave keep stop avoid');
const limiting = set('before after until till while');
const conditional = set('if unless whenever once when whether');
const vague = set('something anything whatever somehow');
const reporting = set(
  'says said say asked told thinks thought wonder wondered heard moaning claims reckons complained',
);
const relative = set('that who which');
const ordering = set('first afterwards');
const choosing = set('or either');
const contrasting = set('just only but');

/** Without reasons, and without what is denied where another wish follows: "don't switch it off, just dim it". */
export function withoutAsides(readings: readonly Reading[]): readonly Reading[] {
  const wanted = readings.filter(({ clause }, at) => at === 0 || !clause.isReason);
  const [first, second] = wanted;
  const isDenied = first?.clause.tokens[0]?.text === 'do' && first.clause.tokens[1]?.text === 'not';
  if (!isDenied || !second?.clause.opening.some((word) => contrasting.has(word))) return wanted;
  return wanted.length > 2 ? wanted : [{ ...first, clause: { ...first.clause, mood: 'statement', isDenied } }, second];
}

export function vetoOf(readings: readonly Reading[]): string | undefined {
  for (const reading of readings) {
    const { clause } = reading;
    if (clause.isDenied || (clause.mood === 'statement' && recalling.test(clause.text))) continue;
    if (/["“”„«»]/.test(clause.text)) return 'something is quoted';
    const places = [...clause.tokens.keys()];
    const found = checks.find(([, isSo]) => places.some((at) => isSo(reading, at)));
    if (found) return found[0];
  }
  return undefined;
}

type Check = (reading: Reading, at: number) => boolean;

const wordAt = ({ clause: { tokens } }: Reading, at: number): string => tokens[at]?.text ?? '';

const checks: readonly (readonly [string, Check])[] = [
  [
    'something is denied',
    (one, at) =>
      (denying.has(wordAt(one, at)) && !(one.clause.mood === 'question' && wordAt(one, at) === 'without')) ||
      (at === 0 && refraining.has(wordAt(one, at))),
  ],
  ['it is not said what', (one, at) => vague.has(wordAt(one, at)) && one.clause.mood === 'command'],
  [
    'the order is another one',
    (one, at) =>
      ordering.has(wordAt(one, at)) || (limiting.has(wordAt(one, at)) && (at === 0 || saysMore(one.evidence, at))),
  ],
  [
    'something is conditional',
    (one, at) => conditional.has(wordAt(one, at)) && !(one.clause.mood === 'question' && at < 4),
  ],
  [
    'something is reported',
    (one, at) => reporting.has(wordAt(one, at)) && one.clause.tokens[at + 1]?.value === undefined,
  ],
  ['there is a choice', (one, at) => choosing.has(wordAt(one, at)) && wordAt(one, at + 1) !== 'so'],
  ['a thing does something', (one, at) => relative.has(wordAt(one, at)) && isOnlyVerb(one.clause.tokens[at + 1])],
];

/** What comes behind a place is somebody's matter too: "… before you mow the lawn". */
const saysMore = ({ byAgent, content }: ClauseEvidence, from: number): boolean =>
  byAgent.some(({ explained }) =>
    [...explained].some(([at, sort]) => at > from && sort !== 'value' && content.includes(at)),
  );

/** "I told you last year" */
const recalling = /^i (?:have )?told you/i;

const howTo = set('do to can could should would does');
const permitting = set('should shall may might must');
const listing = set('which who what how');

/** Questions about doing, not about how things are; and those to which nobody of the team knows answers. */
export function questionVeto(readings: readonly Reading[], { canTell }: Profiles): string | undefined {
  for (const { clause } of readings) {
    if (clause.mood !== 'question') continue;
    const [first = '', second = ''] = clause.tokens.map(({ text }) => text);
    const isRemembering = clause.tokens.some(({ text }) => text === 'remember' || text === 'recall' || text === 'know');
    if (first === 'why' || permitting.has(first)) return 'a question about what should be';
    if ((first === 'what' && (second === 'a' || second === 'an')) || (first === 'how' && clause.tokens.length < 3))
      return 'an exclamation';
    if (first === 'how' && howTo.has(second) && second !== 'does') return 'a question about doing';
    if (second === 'you' && !isRemembering) return 'a question about who is asked';
    if (!canTell && (!listing.has(first) || second === 'do')) return 'nobody tells how things are';
  }
  return undefined;
}
