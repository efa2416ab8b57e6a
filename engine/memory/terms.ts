/** Words of a text as memories are compared by: folded, in any script; and which of them say nothing by themselves. */

/** Small words of English. Other languages have none listed: there every word counts. */
const small = new Set(
  `a an the this that these those and or but if so as of in on at to for from with by about into over under near
  is are am was were be been being do does did have has had will would can could should shall may might must
  i you he she it we they me him her us them my your his its our their mine yours
  what which who whom whose where when why how there here then now please just also again ever
  tell say said told remember recall know remind s t d m ll re ve`
    .trim()
    .split(/\s+/),
);

/** Lower case, without accents, split where no letter or digit stands. */
export const termsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

export const isSmallTerm = (term: string): boolean => small.has(term);

/** Each once; the small ones are left out. */
export const contentTerms = (text: string): string[] => [
  ...new Set(termsOf(text).filter((term) => !isSmallTerm(term))),
];

const endings = new Set(['s', 'es', 'n', 'en', 'e', 'ed', 'd', 'er', 'ing', 'ly']);

/** The same word, also with an ending: key and keys, garden and gardening. */
export function isSameTerm(a: string, b: string): boolean {
  if (a === b) return true;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  return shorter.length >= 3 && longer.startsWith(shorter) && endings.has(longer.slice(shorter.length));
}

/** Short words say less, in languages whose small words are not listed too. */
const weightOf = (term: string): number => Math.min(1, Math.max(1, term.length - 1) / 4);

/** How much of the query's content is said in the text, 0 to 1; 0 for a query without content. */
export function coverage(query: readonly string[], text: string): number {
  const terms = termsOf(text);
  const missing = query.filter((wanted) => !terms.some((term) => isSameTerm(term, wanted)));
  if (query.length === 0 || missing.length === 0) return query.length ? 1 : 0;
  const weigh = (words: readonly string[]) => words.reduce((sum, word) => sum + weightOf(word), 0);
  return 1 - weigh(missing) / weigh(query);
}

/** Two texts with the same of these are one memory: case, spaces, articles and the end of the sentence say nothing. */
export const sameness = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/["“”‚‘’'`]/g, '')
    .replace(/[\s.!…,;]+$/u, '')
    .replace(/(?<![\p{L}\p{N}])(?:the|an?|that|please)(?![\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
