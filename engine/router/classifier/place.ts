/** Whether a word of a clause does something or names something, and whether it says anything at all. */
import type { Token } from '../../model/rules/tokens.ts';
import { baseForms } from './base-forms.ts';
import type { Clause } from './clauses.ts';
import { neutral } from './everyday.en.ts';
import { meaningsOf } from './everyday.ts';
import { lists } from './profile-words.ts';

const leading = new Set(['to', 'let', 'and', 'then', 'please', 'just', 'you', 'need', 'needs', 'wants']);
const causing = new Set(['let', 'make', 'have', 'can', 'could']);
const openers = new Set(
  'the a an my our your that this these those it them some all me us any both every each him her two three'.split(' '),
);

/** What a word may be, by where it stands. */
export type Place = 'verb' | 'noun' | 'either';

/** A word that never names a thing: "eat". */
export const isOnlyVerb = (token: Token | undefined): boolean => {
  const meanings = baseForms(token?.text ?? '').flatMap(meaningsOf);
  return meanings.length > 0 && meanings.every(({ sort }) => sort === 'action');
};

export function placeOf(clause: Clause, at: number): Place {
  const [before, token, next] = [clause.tokens[at - 1], clause.tokens[at], clause.tokens[at + 1]];
  if (!token) return 'noun';
  if (!before) return atStart(clause, next);
  if (before.text === 'a' && lists.givingVerbs.has(clause.tokens[0]?.text ?? '')) return 'either';
  if (openers.has(before.text) || lists.determiners.has(before.text)) return 'noun';
  if (clause.mood === 'question' || leading.has(before.text) || isOnlyVerb(token)) return 'either';
  return isCaused(clause, next) || isTold(clause, token, next) ? 'either' : 'noun';
}

function atStart({ mood }: Clause, next: Token | undefined): Place {
  if (mood === 'command') return next && openers.has(next.text) ? 'verb' : 'either';
  return mood === 'fragment' ? 'either' : 'noun';
}

/** "let the fox eat the rabbit" */
const isCaused = ({ tokens }: Clause, next: Token | undefined): boolean =>
  causing.has(tokens[0]?.text ?? '') && next !== undefined && openers.has(next.text);

/** "the farmer feeds the cow" */
const isTold = ({ mood }: Clause, { text, stem }: Token, next: Token | undefined): boolean =>
  mood === 'statement' && text !== stem && next !== undefined;

/** A word that says whose matter it is, and nothing of the kind: small words, times, numbers. */
export const isContent = ({ text, stem, value }: Token): boolean =>
  value === undefined &&
  text.length > 1 &&
  !neutral.has(text) &&
  !neutral.has(stem) &&
  !lists.small.has(stem) &&
  !lists.neverExplained.has(stem) &&
  !lists.questionStarts.has(stem) &&
  !lists.persons.has(stem) &&
  !lists.unitNames.has(stem) &&
  !lists.lightVerbs.has(text);
