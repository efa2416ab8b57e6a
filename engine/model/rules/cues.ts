/** Words that say which function is meant: its name, synonyms and vocabulary. */
import type { Clause } from './clause.ts';
import type { CompiledFunction } from './compile.ts';
import type { Lists } from './lists.ts';

export interface Cues {
  /** A whole phrase stands at the very beginning. */
  readonly isWholeFirst: boolean;
  /** The first word is one of the function's verbs. */
  readonly isVerbFirst: boolean;
  /** A one-word phrase is the last word, or a particle that leads to nothing. */
  readonly isLast: boolean;
  /** "give … a VERB". */
  readonly isGiven: boolean;
  /** A word of the description is said somewhere. */
  readonly isDescribed: boolean;
  /** A noun of the name or a whole phrase is said somewhere. */
  readonly isNamed: boolean;
  /** Positions that belong to whole phrases. */
  readonly inside: ReadonlySet<number>;
}

/** Marks what the cues explain in `strength`. */
export function markCues(fn: CompiledFunction, clause: Clause, strength: number[], lists: Lists): Cues {
  const inside = new Set<number>();
  const words = clause.stems;
  let isWholeFirst = false;
  let isLast = false;
  fn.cues.forEach((cue, index) => {
    for (const places of placesOf(cue, words, strength, fn, lists)) {
      const first = places[0] ?? 0;
      isWholeFirst ||= first === 0;
      if (cue.length === 1) isLast ||= first > 0 && isFinal(first, words, strength, lists);
      for (const at of places) {
        inside.add(at);
        strength[at] = Math.max(strength[at] ?? 0, index === 0 ? 0.8 : 0.6);
      }
    }
  });
  words.forEach((stem, at) => {
    const weight = fn.vocabulary.get(stem);
    if (weight !== undefined && !isOtherThing(fn, words, at, lists)) strength[at] = Math.max(strength[at] ?? 0, weight);
  });
  const first = words[0] ?? '';
  return {
    isWholeFirst,
    isLast,
    isVerbFirst: fn.verbs.has(first) && !lists.lightVerbs.has(first),
    isGiven: isGiven(fn, words, lists),
    isDescribed: words.some((stem) => fn.topics.has(stem)),
    isNamed: inside.size > 0 || words.some((stem) => fn.nouns.has(stem) || fn.measures.has(stem)),
    inside,
  };
}

/** "the roller" without its "blind"; "a crack", where "crack" is a verb of the function and another one is said. */
function isOtherThing(fn: CompiledFunction, words: readonly string[], at: number, lists: Lists): boolean {
  const stem = words[at] ?? '';
  const nouns = fn.bound.get(stem);
  const isOrder = at === 0 && (lists.determiners.has(words[1] ?? '') || /^\d/.test(words[1] ?? ''));
  if (nouns && !isOrder && !nouns.some((noun) => words.includes(noun))) return true;
  const isVerb = fn.verbs.has(stem) && !fn.nouns.has(stem) && !fn.topics.has(stem);
  return isVerb && at > 1 && words[at - 1] === 'a' && !lists.lightVerbs.has(words[0] ?? '');
}

/** Every place where the words of a cue stand in order, with explained words at most in between. */
function placesOf(
  cue: readonly string[],
  words: readonly string[],
  strength: readonly number[],
  fn: CompiledFunction,
  lists: Lists,
): number[][] {
  const found: number[][] = [];
  for (let start = 0; start < words.length; start++) {
    if (words[start] !== cue[0]) continue;
    const places = [start];
    for (const stem of cue.slice(1)) {
      const at = nextOf(stem, (places.at(-1) ?? start) + 1, words, strength, fn, lists);
      if (at === undefined) break;
      places.push(at);
    }
    if (places.length === cue.length) found.push(places);
  }
  return found;
}

function nextOf(
  stem: string,
  from: number,
  words: readonly string[],
  strength: readonly number[],
  fn: CompiledFunction,
  lists: Lists,
): number | undefined {
  for (let at = from; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === stem) return at;
    if (!strength[at] && !lists.small.has(word) && !fn.vocabulary.has(word)) return undefined;
  }
  return undefined;
}

/** The last word, or a particle that no value follows: "lights on in the kitchen". */
function isFinal(at: number, words: readonly string[], strength: readonly number[], lists: Lists): boolean {
  const isParticle = lists.prepositions.has(words[at] ?? '') || lists.directions.has(words[at] ?? '');
  return at === words.length - 1 || (isParticle && (strength[at] ?? 0) !== 0.001);
}

function isGiven(fn: CompiledFunction, words: readonly string[], lists: Lists): boolean {
  if (!lists.givingVerbs.has(words[0] ?? '')) return false;
  return words.some((stem, at) => at > 1 && fn.verbs.has(stem) && !lists.lightVerbs.has(stem) && words[at - 1] === 'a');
}
