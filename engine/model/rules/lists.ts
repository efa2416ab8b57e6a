/** The word lists made ready for looking up: stems in sets, phrases as lists of stems, longest first. */
import { phraseOf, stemOf } from './tokens.ts';
import type { Words } from './words.ts';

export interface Lists {
  readonly words: Words;
  readonly small: ReadonlySet<string>;
  readonly lightVerbs: ReadonlySet<string>;
  readonly givingVerbs: ReadonlySet<string>;
  readonly negators: ReadonlySet<string>;
  readonly spreading: ReadonlySet<string>;
  readonly aroundNegation: ReadonlySet<string>;
  readonly neverExplained: ReadonlySet<string>;
  readonly questionStarts: ReadonlySet<string>;
  readonly inQuestions: ReadonlySet<string>;
  readonly listWords: ReadonlySet<string>;
  readonly or: ReadonlySet<string>;
  readonly there: ReadonlySet<string>;
  readonly it: ReadonlySet<string>;
  readonly prepositions: ReadonlySet<string>;
  readonly relative: ReadonlySet<string>;
  readonly directions: ReadonlySet<string>;
  readonly towards: ReadonlySet<string>;
  readonly naming: ReadonlySet<string>;
  readonly telling: ReadonlySet<string>;
  readonly persons: ReadonlySet<string>;
  readonly determiners: ReadonlySet<string>;
  readonly before: readonly (readonly string[])[];
  readonly after: readonly (readonly string[])[];
  readonly fillers: readonly (readonly string[])[];
  readonly connectors: readonly (readonly string[])[];
  readonly units: readonly { readonly unit: string; readonly stems: readonly string[] }[];
  readonly withdrawals: ReadonlySet<string>;
  readonly circumstances: ReadonlySet<string>;
  readonly abilities: ReadonlySet<string>;
  readonly greetings: ReadonlySet<string>;
  /** Every word of the lists: such a word is never a typing error. */
  readonly known: ReadonlySet<string>;
}

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
  const phrases = (list: readonly string[]) =>
    list.map((phrase) => phraseOf(phrase, words)).sort((a, b) => b.length - a.length);
  const whole = (list: readonly string[]): ReadonlySet<string> =>
    new Set(list.map((phrase) => phraseOf(phrase, words).join(' ')));
  return {
    words,
    small: set(words.small),
    lightVerbs: set(words.lightVerbs),
    givingVerbs: set(words.givingVerbs),
    negators: set(words.negators),
    spreading: set(words.spreading),
    aroundNegation: set(words.aroundNegation),
    neverExplained: set(words.neverExplained),
    questionStarts: set([...words.questionWords, ...words.inverted]),
    inQuestions: set(words.inQuestions),
    listWords: set(words.listWords),
    or: set(words.or),
    there: set(words.there),
    it: set(words.it),
    prepositions: set(words.prepositions),
    relative: set(words.relative),
    directions: set(words.directions),
    towards: set(words.towards),
    naming: set(words.naming),
    telling: set(words.telling),
    persons: set(words.persons),
    determiners: set(words.determiners),
    before: phrases(words.before),
    after: phrases(words.after),
    fillers: phrases(words.fillers),
    connectors: phrases(words.connectors),
    units: unitsOf(words),
    withdrawals: whole(words.withdrawals),
    circumstances: whole(words.circumstances),
    abilities: whole(words.abilities),
    greetings: whole(words.greetings),
    known: knownWords(words),
  };
}

const unitsOf = (words: Words) =>
  Object.entries(words.units)
    .flatMap(([unit, names]) => names.map((name) => ({ unit, stems: unitPhrase(name, words) })))
    .sort((a, b) => b.stems.length - a.stems.length);

const unitPhrase = (name: string, words: Words): string[] => phraseOf(name, words);

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
export const unitNamed = (text: string, lists: Lists): string | undefined => {
  const stems = phraseOf(text, lists.words).join(' ');
  return lists.units.find((unit) => unit.stems.join(' ') === stems)?.unit;
};
