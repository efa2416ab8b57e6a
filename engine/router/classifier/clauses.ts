/** A sentence in clauses, each with its mood: who orders, asks or only tells something. */
import { longestAt, longestEnd } from '../../model/rules/lists.ts';
import { readSentence, textOf } from '../../model/rules/tokens.ts';
import type { Sentence, Token } from '../../model/rules/tokens.ts';
import { english } from '../../model/rules/words.en.ts';
import { actions, otherVerbs } from './everyday.en.ts';
import { keyOf, meaningsOf } from './everyday.ts';
import { isVerb, moodOf, subjects } from './mood.ts';
import type { Mood, Verbs } from './mood.ts';
import { isContent } from './place.ts';
import { lists } from './profile-words.ts';
import type { Profiles } from './profile.ts';
import { unitAt } from './unit-at.ts';

export interface Clause {
  /** Without joints before it and politeness around it. */
  readonly tokens: readonly Token[];
  /** As it was said, without joints before it. */
  readonly text: string;
  readonly mood: Mood;
  /** Asked for with "could you", "I want" and the like. */
  readonly isPolite: boolean;
  /** Why something is wanted: "so I can see", "because it's late". */
  readonly isReason: boolean;
  /** Joints and first words, as said. */
  readonly opening: readonly string[];
  /** It says what shall not be. */
  readonly isDenied?: boolean;
}

export interface Read {
  readonly sentence: Sentence;
  readonly clauses: readonly Clause[];
}

export function verbsOf({ agents }: Profiles): Verbs {
  const own = agents.flatMap(({ verbs }) => [...verbs.keys()]);
  const known = [...Object.values(actions).flat(), ...otherVerbs].map((phrase) => keyOf(phrase.split(' ')[0] ?? ''));
  return new Set([...lists.lightVerbs, ...own, ...known].filter((verb) => !verb.includes(' ')));
}

export function readClauses(text: string, verbs: Verbs, mend: (token: Token) => Token = (token) => token): Read {
  const read = readSentence(text, english);
  const sentence = { ...read, tokens: read.tokens.map(mend) };
  const { tokens } = sentence;
  const cuts = [...tokens.keys()].filter((at) => at === 0 || beginsClause(sentence, at, verbs));
  const clauses = cuts.map((from, index) => clauseOf(sentence, from, cuts[index + 1] ?? tokens.length, verbs));
  return { sentence, clauses: clauses.filter(({ tokens: own }) => own.length > 0) };
}

const joints = new Set(['and', '+', 'then', 'but', 'plus', 'also', 'so', 'because', 'afterwards', 'finally']);

function beginsClause(sentence: Sentence, at: number, verbs: Verbs): boolean {
  const { tokens } = sentence;
  const token = tokens[at];
  // "a bit warmer, say 22"
  if (!token || (token.text === 'say' && tokens[at + 1]?.value !== undefined)) return false;
  if (/[,;:.!?–—(]/.test(token.before) || isDash(token, sentence.source)) return true;
  return joints.has(token.text) && !joints.has(tokens[at - 1]?.text ?? '') && goesOn(sentence, at, verbs);
}

/** "bedtime - lights off", but not "wi-fi". */
const isDash = ({ before, start }: Token, source: string): boolean =>
  before.includes('-') && source.charAt(start - 1) === ' ';

/** Behind "and" there is something to do or to say, not one more thing. */
function goesOn({ tokens, source }: Sentence, at: number, verbs: Verbs): boolean {
  const joint = tokens[at]?.text;
  if (joint === 'so' && tokens[at + 1]?.text === 'that') return false;
  const isPlain = (word: string | undefined) => word === 'and' || word === 'so' || word === '+';
  if (!isPlain(joint) || (joints.has(tokens[at + 1]?.text ?? '') && !isPlain(tokens[at + 1]?.text))) return true;
  const next = tokens.findIndex(({ text }, place) => place > at && !joints.has(text) && !polite.has(text));
  const after = tokens[next];
  if (!after || after.before) return false;
  // "light out and 17 degrees in there"
  if (after.value !== undefined && unitAt(tokens, next + 1)) return true;
  const isOpening = subjects.has(after.text) || lists.questionStarts.has(after.text) || isStated(tokens, next);
  return isOpening || isVerb(after, verbs) || (isContent(after) && isObject(tokens[next + 1], source));
}

/** "and the bedroom should be at 18" */
function isStated(tokens: readonly Token[], from: number): boolean {
  const end = tokens.findIndex(({ text, before }, at) => at > from && (joints.has(text) || before !== ''));
  return tokens.slice(from + 1, end < 0 ? from + 8 : end).some(({ text }) => stating.has(text));
}

const stating = new Set([
  'is',
  'are',
  'should',
  'must',
  'needs',
  'need',
  'could',
  'can',
  'has',
  'have',
  'will',
  'would',
  'was',
]);

const setting = new Set(['up', 'down', 'on', 'off', 'out', 'away']);

/** "and frobnicate the …", "and warn Anna": what stands before is done with it. */
const isObject = (token: Token | undefined, source: string): boolean =>
  token !== undefined &&
  (lists.determiners.has(token.text) ||
    setting.has(token.text) ||
    lists.persons.has(token.text) ||
    isName(token, source));

const isName = (token: Token, source: string): boolean => /\p{Lu}/u.test(source.charAt(token.start));

const polite = new Set(['please', 'just', 'maybe', 'now', 'later', 'kindly', 'once']);

function clauseOf(sentence: Sentence, from: number, to: number, verbs: Verbs): Clause {
  let first = from;
  while (first < to && joints.has(sentence.tokens[first]?.text ?? '')) first += 1;
  const text = textOf(sentence, first, to);
  const { tokens, isPolite } = stripped(sentence.tokens.slice(first, to));
  const isAsked = (to < sentence.tokens.length ? (sentence.tokens[to]?.before ?? '') : sentence.end).includes('?');
  const opening = sentence.tokens.slice(from, first + 1).map(({ text: word }) => word);
  const mood = isOwnDoing(text, tokens[0]) ? 'statement' : moodOf({ tokens, isPolite, isAsked }, verbs);
  const isReason = opening.includes('because') || (opening.includes('so') && mood === 'statement');
  return { tokens, text, isPolite, isReason, opening, mood };
}

/** "we need …" */
const ourWish = (stems: readonly string[]): readonly string[] | undefined =>
  ourWishes.find((wish) => wish.every((word, at) => stems[at] === word));

const ourWishes = [
  'we need',
  'we want',
  'we could do with',
  'i could do with',
  'you can',
  'you may',
  'by the way',
  'how about',
  'what about',
  'could we have',
  'can we have',
  'may we have',
  'could i have',
  'can i have',
  'may i have',
].map((wish) => wish.split(' '));

/** "I want to sleep" asks for nothing, "I want to have the light on" does. */
const isOwnDoing = (text: string, first: Token | undefined): boolean =>
  /^(?:i|we)(?:['’]d| would)? (?:want|need|like|have) to\b/i.test(text) &&
  first !== undefined &&
  !lists.lightVerbs.has(first.text) &&
  !meaningsOf(first.stem).some(({ sort }) => sort === 'action');

function stripped(all: readonly Token[]): { tokens: readonly Token[]; isPolite: boolean } {
  let tokens = all;
  let isPolite = false;
  for (let more = true; more && tokens.length > 0;) {
    const stems = tokens.map(({ stem }) => stem);
    const front = longestAt(stems, 0, lists.before) ?? ourWish(stems);
    const polite = front ? undefined : longestEnd(stems, lists.after);
    // "shut down the computer" names nobody who is spoken to.
    const isNamed = lists.determiners.has(tokens[stems.length - (polite?.length ?? 0) - 1]?.text ?? '');
    const back = isNamed ? undefined : polite;
    more = Boolean(front ?? back);
    const phrase = front ?? back ?? [];
    isPolite ||= phrase.some((word) => word === 'you' || word === 'i' || word === 'we' || word === 'nice');
    tokens = front ? tokens.slice(front.length) : back ? tokens.slice(0, stems.length - back.length) : tokens;
  }
  return { tokens, isPolite };
}
