/** The words that an agent is recognised by, out of its texts and its functions, with weights. */
import type { FunctionSpec } from '../../language/function-spec.ts';
import { wordsOf } from '../../language/words.ts';
import { listsOf } from '../../model/rules/lists.ts';
import { fold } from '../../model/rules/tokens.ts';
import { english } from '../../model/rules/words.en.ts';
import type { TeamMember } from '../team.ts';
import { looseVerbs, neutral } from './everyday.en.ts';
import { keyOf, meaningsOf } from './everyday.ts';

export const lists = listsOf(english);

/** Word or phrase, as its key, to its weight. */
export type Weights = Map<string, number>;

export interface ProfileWords {
  readonly words: Weights;
  readonly verbs: Weights;
  readonly values: Weights;
}

/** @param own Specs of what it may generate and of its tools. @param prefix First word of all functions' names, or empty. */
export function profileWords(member: TeamMember, own: readonly FunctionSpec[], prefix: string): ProfileWords {
  const found: ProfileWords = { words: new Map(), verbs: new Map(), values: new Map() };
  const { words, verbs, values } = found;
  for (const topic of member.topics) addTopic(topic, found);
  putText(words, member.name, 2.5);
  putText(words, member.description, 2);
  for (const verb of describedVerbs(member.description)) putVerb(verbs, verb, 2.5);
  for (const spec of own) addFunction(spec, found, prefix);
  // What lies about after others' work is the matter of who sees it on the board.
  for (const spec of member.functions.filter(({ name, effect }) => !effect && member.accepts.includes(name)))
    putText(words, wordsIn(wordsOf(spec.name)).slice(1).join(' '), 1.5);
  // "front" in a description says no more than the value does.
  const titles = new Set([member.name, ...member.topics].flatMap(wordsIn).map(keyOf));
  for (const key of values.keys()) if (!titles.has(key)) words.delete(key);
  return found;
}

function addTopic(topic: string, { words, verbs }: ProfileWords): void {
  putText(words, topic, 3);
  // "where things are": it answers where something is.
  if (/^where\b/i.test(topic)) put(words, 'where', 2.5);
  const [verb = '', ...more] = wordsIn(topic);
  if (!more.length && meaningsOf(keyOf(verb)).some(({ sort }) => sort === 'action')) putVerb(verbs, keyOf(verb), 3);
}

const stop = new Set(
  `a an the of in on at to for from with by as it its is are was were be how what which who whom where when whether and or not so such
  one two them their this that these those something somebody anything etc e g i my your our`.split(/\s+/),
);

export const put = (weights: Weights, key: string, weight: number): void => {
  if (key && weight > (weights.get(key) ?? 0)) weights.set(key, weight);
};

export const wordsIn = (text: string): string[] =>
  fold(text)
    .replaceAll('_', ' ')
    .match(/\p{L}+/gu) ?? [];

/** Each word alone, and the whole as a phrase. */
function putText(weights: Weights, text: string, weight: number): void {
  const words = wordsIn(text);
  const isAlone = words.length === 1;
  const says = (word: string) =>
    !stop.has(word) &&
    !particles.has(word) &&
    !lists.lightVerbs.has(word) &&
    (isAlone || !(neutral.has(word) || neutral.has(keyOf(word))));
  for (const word of words) if (says(word)) put(weights, keyOf(word), weight);
  if (words.length > 1 && words.length < 5) put(weights, words.map(keyOf).join(' '), weight * 1.2);
}

/** The words of a function's name, without the one that all begin with ("HassTurnOn", "HassLightSet"). */
export function nameWords({ name }: Pick<FunctionSpec, 'name'>, prefix: string): string[] {
  const said = wordsIn(wordsOf(name));
  return prefix && said[0] === prefix && said.length > 1 ? said.slice(1) : said;
}

function addFunction(spec: FunctionSpec, found: ProfileWords, prefix: string): void {
  const { words, verbs, values } = found;
  const [verb = '', ...rest] = nameWords(spec, prefix);
  // "TurnOn"
  if (rest.length === 1 && particles.has(rest[0] ?? '')) put(verbs, [verb, ...rest].map(keyOf).join(' '), 2.5);
  putNames(words, rest, 2.5);
  putVerb(verbs, verb, 2.5);
  putText(words, spec.category, 2);
  putText(words, spec.description, 1.5);
  for (const synonym of spec.synonyms ?? []) addSynonym(wordsIn(synonym), found);
  const [first = ''] = wordsIn(spec.description);
  putVerb(verbs, keyOf(first), 2);
  for (const { name, label, unit = '', allowedValues = [], synonyms = {} } of spec.parameters) {
    putText(words, label ?? wordsOf(name), 1);
    for (const word of wordsIn(unit)) put(values, keyOf(word), 0.8);
    for (const value of [...allowedValues, ...Object.values(synonyms).flat()]) putValue(values, value);
  }
}

function addSynonym(said: readonly string[], { words, verbs }: ProfileWords): void {
  const [first = '', ...others] = said;
  if (!others.length) {
    putVerb(verbs, first, 2.5);
    put(words, keyOf(first), 2);
    return;
  }
  put(verbs, said.map(keyOf).join(' '), 2.5);
  if (!isLoose(first)) put(verbs, keyOf(first), 2);
  putText(words, others.filter((word) => !particles.has(word)).join(' '), 2);
}

export const particles = new Set('up down off on out away over back in through around along know rid'.split(' '));

export const isLoose = (verb: string): boolean => lists.lightVerbs.has(verb) || looseVerbs.has(verb);

const prepositions = new Set('to of in on at from for with by into'.split(' '));

/** "creature relationship" is a relationship: what stands before a noun says less. */
function putNames(weights: Weights, names: readonly string[], weight: number): void {
  names.forEach((word, at) => {
    const next = names[at + 1];
    putText(weights, word, next === undefined || prepositions.has(next) ? weight : weight / 2);
  });
}

function putVerb(verbs: Weights, verb: string, weight: number): void {
  put(verbs, keyOf(verb), isLoose(verb) ? 0.4 : weight);
}

function putValue(values: Weights, value: string): void {
  const said = wordsIn(value);
  if (said.length) put(values, said.map(keyOf).join(' '), 1.5);
}

/** "Collects waste and takes it away": the verbs of a description stand in the third person, first or behind "and". */
function describedVerbs(description: string): string[] {
  const said = wordsIn(description);
  return said.flatMap((word, at) => {
    if (!/[^su]s$/.test(word) || word.length < 4) return [];
    const before = said[at - 1];
    return at === 0 || before === 'and' || before === 'or' || before === 'who' || said[0] === 'says'
      ? [keyOf(word)]
      : [];
  });
}
