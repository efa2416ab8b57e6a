/** Clauses that tell why something is asked for, and ask for nothing themselves. */
import type { Clause } from './clause.ts';
import type { CompiledLanguage } from './compile.ts';
import { longestAt } from './lists.ts';

/** Politeness alone, a circumstance, a reason, or a premise of what follows. Nothing of a function may be said in it. */
export function isAside(clause: Clause, language: CompiledLanguage): boolean {
  const { circumstances } = language.lists;
  if (!clause.tokens.length || circumstances.has(clause.said.join(' ')) || circumstances.has(clause.stems.join(' ')))
    return true;
  if (clause.said.some((stem) => language.lists.retractors.has(stem))) return false;
  return isReason(clause, language) || isFeeling(clause, language) || isPremise(clause, language);
}

/** "because …", "so that I can …". */
const isReason = ({ said, from }: Clause, { lists }: CompiledLanguage): boolean =>
  from > 0 && longestAt(said, 0, lists.reasons) !== undefined;

/** "it's sweltering", "I'm so tired": one word of which no function speaks. */
function isFeeling({ stems }: Clause, language: CompiledLanguage): boolean {
  const begin = longestAt(stems, 0, language.lists.feelings);
  const rest = stems.slice(begin?.length ?? 0);
  const [word = '', tail] = rest;
  if (!begin || !word || rest.length > 2 || (tail !== undefined && !language.lists.feelingTails.has(tail)))
    return false;
  return !language.lists.neverExplained.has(word) && isForeign(word, language);
}

/** "grandma is coming, so …". */
function isPremise({ said, sentence, to }: Clause, language: CompiledLanguage): boolean {
  const next = sentence.tokens[to];
  if (next?.stem !== 'so' || !next.before.includes(',')) return false;
  return said.some((stem) => language.lists.stating.has(stem)) && said.every((stem) => isForeign(stem, language));
}

/** A small word, or one of which no function speaks. */
const isForeign = (stem: string, { functions, lists }: CompiledLanguage): boolean =>
  lists.small.has(stem) || !functions.some((fn) => fn.stems.has(stem));
