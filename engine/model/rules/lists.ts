/** The word lists made ready for looking up: stems in sets, phrases as lists of stems, longest first. */
import { phraseOf, stemOf } from './tokens.ts';
import type { Words } from './words.ts';

/** Phrases as stems, by their first (or last) stem, longest first. */
export type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

export interface Lists {
  readonly words: Words;
  readonly every: ReadonlySet<string>;
  readonly pairs: ReadonlySet<string>;
  readonly apart: ReadonlySet<string>;
  readonly everything: ReadonlySet<string>;
  readonly everywhere: ReadonlySet<string>;
  readonly entire: ReadonlySet<string>;
  readonly behindThings: ReadonlySet<string>;
  readonly joining: ReadonlySet<string>;
  readonly denying: ReadonlySet<string>;
  readonly inFront: ReadonlySet<string>;
  readonly small: ReadonlySet<string>;
  readonly lightVerbs: ReadonlySet<string>;
  readonly givingVerbs: ReadonlySet<string>;
  readonly negators: ReadonlySet<string>;
  readonly spreading: ReadonlySet<string>;
  readonly contrasts: ReadonlySet<string>;
  readonly aroundNegation: ReadonlySet<string>;
  readonly neverExplained: ReadonlySet<string>;
  readonly questionStarts: ReadonlySet<string>;
  readonly questionWords: ReadonlySet<string>;
  readonly conditional: ReadonlySet<string>;
  readonly inQuestions: ReadonlySet<string>;
  readonly showing: ReadonlySet<string>;
  readonly listWords: ReadonlySet<string>;
  readonly or: ReadonlySet<string>;
  readonly nothing: ReadonlySet<string>;
  readonly something: ReadonlySet<string>;
  readonly gradual: ReadonlySet<string>;
  readonly beforeTimes: ReadonlySet<string>;
  readonly rising: ReadonlySet<string>;
  readonly falling: ReadonlySet<string>;
  readonly shifting: ReadonlySet<string>;
  readonly levels: ReadonlySet<string>;
  readonly beforeValues: ReadonlySet<string>;
  readonly parts: ReadonlySet<string>;
  readonly keeping: ReadonlySet<string>;
  readonly aroundPersons: ReadonlySet<string>;
  readonly there: ReadonlySet<string>;
  readonly it: ReadonlySet<string>;
  readonly prepositions: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  readonly goals: ReadonlySet<string>;
  readonly carrying: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
  readonly levelUnits: ReadonlySet<string>;
  readonly toPersons: ReadonlySet<string>;
  readonly homes: ReadonlySet<string>;
  readonly relative: ReadonlySet<string>;
  readonly directions: ReadonlySet<string>;
  readonly towards: ReadonlySet<string>;
  readonly naming: ReadonlySet<string>;
  readonly telling: ReadonlySet<string>;
  readonly announcing: ReadonlySet<string>;
  readonly returning: ReadonlySet<string>;
  readonly persons: ReadonlySet<string>;
  readonly determiners: ReadonlySet<string>;
  readonly speakers: ReadonlySet<string>;
  readonly stating: ReadonlySet<string>;
  readonly noStatement: ReadonlySet<string>;
  /** Politeness at the end of a text that is passed on; after a comma if it could be part of the text. */
  readonly politeTail: RegExp;
  readonly before: Phrases;
  readonly after: Phrases;
  readonly fillers: Phrases;
  readonly reasons: Phrases;
  readonly feelings: Phrases;
  readonly feelingTails: ReadonlySet<string>;
  readonly retractors: ReadonlySet<string>;
  readonly connectors: Phrases;
  readonly corrections: Phrases;
  /** Unit by the stems of its names. */
  readonly unitNames: ReadonlyMap<string, string>;
  readonly units: Phrases;
  /** Stems of units, and words that stand inside of numbers. */
  readonly inNumbers: ReadonlySet<string>;
  readonly withdrawals: ReadonlySet<string>;
  readonly circumstances: ReadonlySet<string>;
  readonly abilities: ReadonlySet<string>;
  readonly greetings: ReadonlySet<string>;
  /** Every word of the lists: such a word is never a typing error. */
  readonly known: ReadonlySet<string>;
}

const indexed = (phrases: readonly (readonly string[])[], at: 0 | -1): Phrases =>
  Map.groupBy(
    [...phrases].sort((a, b) => b.length - a.length),
    (phrase) => phrase.at(at) ?? '',
  );

/** The longest phrase that begins at a place. */
export const longestAt = (stems: readonly string[], at: number, phrases: Phrases): readonly string[] | undefined =>
  phrases.get(stems[at] ?? '')?.find((phrase) => phraseAt(stems, at, phrase));

/** The longest phrase that ends the words; for phrases by their last stem. */
export const longestEnd = (stems: readonly string[], phrases: Phrases): readonly string[] | undefined =>
  phrases.get(stems.at(-1) ?? '')?.find((phrase) => phraseAt(stems, stems.length - phrase.length, phrase));

const made = new WeakMap<Words, Lists>();

/** Made once for each language of people. */
export function listsOf(words: Words): Lists {
  let lists = made.get(words);
  if (!lists) made.set(words, (lists = makeLists(words)));
  return lists;
}

function makeLists(words: Words): Lists {
  const set = (list: readonly string[]): ReadonlySet<string> =>
    new Set(list.map((word) => phraseOf(word, words)[0] ?? stemOf(word)));
  const sets = Object.fromEntries(setNames.map((name) => [name, set(words[name])]));
  return {
    ...(sets as Pick<Lists, (typeof setNames)[number]>),
    ...phraseLists(words),
    words,
    questionStarts: set([...words.questionWords, ...words.inverted]),
    unitNames: unitNames(words),
    known: knownWords(words),
  };
}

/** Lists of single words, looked up by their stems. */
const setNames = [
  'every',
  'pairs',
  'apart',
  'everything',
  'everywhere',
  'entire',
  'behindThings',
  'joining',
  'denying',
  'inFront',
  'small',
  'lightVerbs',
  'givingVerbs',
  'negators',
  'spreading',
  'contrasts',
  'aroundNegation',
  'neverExplained',
  'questionWords',
  'conditional',
  'inQuestions',
  'showing',
  'retractors',
  'feelingTails',
  'nothing',
  'something',
  'gradual',
  'beforeTimes',
  'rising',
  'falling',
  'shifting',
  'levels',
  'beforeValues',
  'parts',
  'keeping',
  'aroundPersons',
  'listWords',
  'or',
  'there',
  'it',
  'prepositions',
  'origins',
  'goals',
  'carrying',
  'tags',
  'levelUnits',
  'toPersons',
  'homes',
  'relative',
  'directions',
  'towards',
  'naming',
  'telling',
  'announcing',
  'returning',
  'persons',
  'determiners',
  'speakers',
  'stating',
  'noStatement',
] as const;

function phraseLists(words: Words) {
  const stemsOf = (list: readonly string[]) => list.map((phrase) => phraseOf(phrase, words));
  const phrases = (list: readonly string[]) => indexed(stemsOf(list), 0);
  const whole = (list: readonly string[]): ReadonlySet<string> =>
    new Set(stemsOf(list).map((stems) => stems.join(' ')));
  const units = Object.values(words.units).flat();
  return {
    before: phrases(words.before),
    after: indexed(stemsOf(words.after), -1),
    fillers: phrases(words.fillers),
    reasons: phrases(words.reasons),
    feelings: phrases(words.feelings),
    connectors: phrases(words.connectors),
    corrections: phrases(words.corrections),
    units: phrases(units),
    politeTail: politeTail(words),
    inNumbers: new Set(['minus', 'point', 'half', ...stemsOf(units).flat()]),
    withdrawals: whole([...words.withdrawals, ...words.corrections]),
    circumstances: whole(words.circumstances),
    abilities: whole(words.abilities),
    greetings: whole(words.greetings),
  };
}

function politeTail(words: Words): RegExp {
  const any = (list: readonly string[]) => list.map((phrase) => phrase.replace(/\s+/g, '\\s+')).join('|');
  return new RegExp(`(?:\\s*,\\s*(?:${any(words.after)})|\\s+(?:${any(words.thanks)}))$`, 'i');
}

const unitNames = (words: Words): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(words.units).flatMap(([unit, names]) =>
      names.map((name) => [phraseOf(name, words).join(' '), unit] as const),
    ),
  );

function knownWords(words: Words): ReadonlySet<string> {
  const texts = Object.values(words as unknown as Readonly<Record<string, unknown>>).flatMap((value) => {
    if (Array.isArray(value)) return value as string[];
    return [...Object.keys(value as object), ...Object.values(value as Record<string, unknown>).flat()].map(String);
  });
  return new Set(texts.flatMap((text) => text.split(' ')).flatMap((word) => [word, stemOf(word)]));
}

/** Whether the stems from `at` on are those of the phrase. */
export const phraseAt = (stems: readonly string[], at: number, phrase: readonly string[]): boolean =>
  phrase.length > 0 && phrase.every((stem, index) => stems[at + index] === stem);

/** The unit that a text of a spec names ("%", "degrees", "litres"), undefined if it is none of the list. */
export const unitNamed = (text: string, lists: Lists): string | undefined =>
  lists.unitNames.get(phraseOf(text, lists.words).join(' '));
