/** Words by which a sentence is never clear: what is denied, reported, conditional, quoted or put in another order. */
import type { ClauseEvidence } from './evidence.ts';
import { meaningsOf } from './everyday.ts';
import { isContent, isOnlyVerb } from './place.ts';
import type { Profiles } from './profile.ts';
import type { Reading } from './reading.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const denying = set('not never nobody none nothing neither nor without except instead rather unless');
const refraining = set('leave keep stop avoid');
const limiting = set('before after until till while');
const conditional = set('if unless whenever once when whether');
const vague = set('something anything everything whatever somehow');
const reporting = set(
  'says said say asked told thinks thought wonder wondered heard moaning claims reckons complained',
);
const persons = set('i we you they he she');
const relative = set('that who which');
const ordering = set('first afterwards');
const roughly = set('so two more less three');
const choosing = set('or either');
const indefinite = set('a an some another few many several more');
const being = set('live lives is are stand stands grow grows sit sits');
const pointing = set('it that this them those these');
const lasting = set('start keep stop for needs need by');
const contrasting = set('just only but');

/** What is denied is only told where another wish follows: "don't switch it off, just dim it". */
export function withoutDenied(readings: readonly Reading[]): readonly Reading[] {
  const [first, second, ...more] = readings;
  const isDenied = first?.clause.tokens[0]?.text === 'do' && first.clause.tokens[1]?.text === 'not';
  if (!isDenied || !second?.clause.opening.some((word) => contrasting.has(word)) || more.length) return readings;
  return [{ ...first, clause: { ...first.clause, mood: 'statement', isDenied } }, second];
}

export function vetoOf(readings: readonly Reading[]): string | undefined {
  for (const [place, reading] of readings.entries()) {
    const { clause } = reading;
    if (clause.isDenied || isRecalling(clause) || isPrelude(reading, readings.slice(place + 1))) continue;
    if (/["“”„«»]/.test(clause.text)) return 'something is quoted';
    const places = [...clause.tokens.keys()];
    const found = checks.find(([, isSo]) => places.some((at) => isSo(reading, at)));
    if (found) return found[0];
  }
  return undefined;
}

/** "add a sheep to eat the grass" */
const isCreating = ({ clause: { tokens } }: Reading): boolean =>
  tokens[0]?.text === 'put' ||
  (tokens[0]?.text !== 'make' && meaningsOf(tokens[0]?.stem ?? '').some(({ name }) => name === 'creating'));

/** "I'd like a wolf eating the sheep", "… a wolf to eat the sheep" */
function isOfNewThing({ clause: { tokens, mood } }: Reading, at: number): boolean {
  if (mood === 'question' || mood === 'statement') return false;
  const isNew = tokens.slice(0, at - 1).some(({ text, value }) => indefinite.has(text) || value !== undefined);
  const isPresent = (tokens[at]?.text ?? '').endsWith('ing') && !lasting.has(tokens[at - 1]?.text ?? '');
  return isPresent || (isNew && tokens[at - 1]?.text === 'to');
}

const articles = new Set(['the', 'a', 'an', 'my', 'our']);

/** "add a panda that lives on bamboo", "… a spider to catch flies" */
function saysMoreOfNew(one: Reading, at: number): boolean {
  if (at < 2 || !isCreating(one)) return false;
  const next = one.clause.tokens[at + 1];
  if (relative.has(wordAt(one, at))) return !isPlacing(one, at + 1);
  return wordAt(one, at) === 'to' && next !== undefined && !articles.has(next.text) && isContent(next);
}

/** "… that lives on the prairie": where it is, and nothing besides. */
const isPlacing = ({ clause: { tokens }, evidence }: Reading, from: number): boolean =>
  being.has(tokens[from]?.text ?? '') &&
  evidence.content.every(
    (at) =>
      at <= from ||
      (evidence.byAgent.every(({ explained }) => !explained.has(at) || explained.get(at) === 'value') &&
        !evidence.strange.includes(at)),
  );

/** "mow the lawn first", but not "the first floor". */
const isOrdering = (one: Reading, at: number): boolean =>
  ordering.has(wordAt(one, at)) && (at === 0 || at === one.clause.tokens.length - 1);

/** "before it rains", "when I go to bed" */
const isLimiting = (one: Reading, at: number): boolean =>
  limiting.has(wordAt(one, at)) || (wordAt(one, at) === 'when' && persons.has(wordAt(one, at + 1)) && at > 0);

/** "… while you close the blinds" */
const isMeanwhile = ({ clause: { tokens }, evidence: { byAgent } }: Reading, at: number): boolean =>
  (tokens[at]?.text === 'while' || tokens[at]?.text === 'as') &&
  tokens[at + 1]?.text === 'you' &&
  byAgent.some(({ explained }) => [...explained].some(([place, sort]) => place > at && sort !== 'value'));

type Check = (reading: Reading, at: number) => boolean;

const wordAt = ({ clause: { tokens } }: Reading, at: number): string => tokens[at]?.text ?? '';

const checks: readonly (readonly [string, Check])[] = [
  [
    'something is denied',
    (one, at) =>
      (denying.has(wordAt(one, at)) && !(one.clause.mood === 'question' && wordAt(one, at) === 'without')) ||
      (at === 0 && (refraining.has(wordAt(one, at)) || wordAt(one, at) === 'no')),
  ],
  [
    'it is not said what',
    (one, at) => vague.has(wordAt(one, at)) && (one.clause.mood === 'command' || one.clause.mood === 'fragment'),
  ],
  [
    'the order is another one',
    (one, at) => isOrdering(one, at) || (isLimiting(one, at) && (at === 0 || saysMore(one.evidence, at))),
  ],
  ['something else is to be done meanwhile', (one, at) => isMeanwhile(one, at)],
  [
    'something is conditional',
    (one, at) =>
      conditional.has(wordAt(one, at)) && !isLimiting(one, at) && !(one.clause.mood === 'question' && at < 4),
  ],
  [
    'something is reported',
    (one, at) => reporting.has(wordAt(one, at)) && one.clause.tokens[at + 1]?.value === undefined,
  ],
  ['there is a choice', (one, at) => choosing.has(wordAt(one, at)) && !roughly.has(wordAt(one, at + 1))],
  [
    'a thing does something',
    (one, at) => at > 0 && relative.has(wordAt(one, at)) && isOnlyVerb(one.clause.tokens[at + 1]),
  ],
  [
    'a thing shall do something',
    (one, at) =>
      at > 1 &&
      isOnlyVerb(one.clause.tokens[at]) &&
      wordAt(one, at - 1) !== 'and' &&
      (isCreating(one) || isOfNewThing(one, at)),
  ],
  ['a new thing is said more of', saysMoreOfNew],
];

/** What comes behind a place is somebody's matter too: "… before you mow the lawn". */
const saysMore = ({ byAgent, content }: ClauseEvidence, from: number): boolean =>
  byAgent.some(({ explained }) =>
    [...explained].some(([at, sort]) => at > from && sort !== 'value' && content.includes(at)),
  );

/** "I told you last year", "where did I say the keys were", "forget what I told you": what somebody told us themselves. */
const recalling =
  /^i (?:have )?told you|^(?:what|where|when|which|who)\b.*\bdid (?:i|we) (?:say|tell)\b|^forget\b.*\bi (?:told you|said)\b/i;

const isRecalling = ({ mood, text }: Reading['clause']): boolean => mood !== 'fragment' && recalling.test(text);

/** "nobody wants to jump in, make the pool 28": why something is asked for, of which nobody of the team knows anything. */
const isPrelude = ({ clause, evidence }: Reading, later: readonly Reading[]): boolean =>
  clause.mood === 'statement' &&
  later.some((one) => one.clause.mood === 'command') &&
  evidence.byAgent.every(({ things, verb, values }) => things + verb + values === 0) &&
  !clause.tokens.some(({ text }) => conditional.has(text) || pointing.has(text));

const howTo = set('do to can could should would');
const permitting = set('why should shall may might must');
const listing = set('which who what how list show display a');
const knowing = set('remember recall know');

/** Questions about doing, not about how things are; and those to which nobody of the team knows answers. */
export function questionVeto(readings: readonly Reading[], { canTell }: Profiles): string | undefined {
  const questions = readings.filter(({ clause }) => clause.mood === 'question');
  for (const { clause } of questions) {
    const words = clause.tokens.map(({ text }) => text);
    const found = questionChecks.find(([, isSo]) => isSo(words))?.[0];
    if (found) return found;
    if (!canTell && (!listing.has(words[0] ?? '') || words[1] === 'do')) return 'nobody tells how things are';
  }
  return undefined;
}

const questionChecks: readonly (readonly [string, (words: readonly string[]) => boolean])[] = [
  [
    'an exclamation',
    ([first = '', second = '', ...more]) =>
      (first === 'what' && (second === 'a' || second === 'an')) || (first === 'how' && !more.length),
  ],
  [
    'a question about what should be',
    (words) => permitting.has(words[0] ?? '') || words[1] === 'about' || words.includes('need'),
  ],
  ['a question about doing', ([first = '', second = '']) => first === 'how' && howTo.has(second)],
  ['a question about who is asked', (words) => words[1] === 'you' && !words.some((word) => knowing.has(word))],
];
