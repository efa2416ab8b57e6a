/** Which function a clause means: only one that explains every word and is clearly asked for. */
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledLanguage } from './compile.ts';
import type { Lists } from './lists.ts';
import { matchFunction, mayExplain } from './match.ts';
import type { Match } from './match.ts';

export interface Candidate {
  readonly match: Match;
  /** A verb of the function begins the clause. */
  readonly hasVerb: boolean;
  readonly isComplete: boolean;
}

/** Two functions closer than this are a tie. */
const margin = 0.08;

/** All functions that the clause may mean, best first. */
export function candidatesFor(clause: Clause, language: CompiledLanguage): Candidate[] {
  const { functions, lists } = language;
  const found = functions
    .filter((fn) => clause.tokens.length > 0 && mayExplain(fn, clause, lists))
    .flatMap((fn) => candidateOf(matchFunction(fn, clause, lists), clause, language) ?? [])
    .sort((a, b) => rank(b) - rank(a));
  return found.length === 1 && found[0] && isOneOfMany(found[0].match.fn, clause, language) ? [] : found;
}

/** "everything off", where other functions have words such as "off" too: then it is more than this one is for. */
function isOneOfMany(fn: CompiledFunction, { stems }: Clause, { functions, lists }: CompiledLanguage): boolean {
  if (!stems.some((stem) => lists.everything.has(stem))) return false;
  const isOwn = (stem: string) => !lists.every.has(stem) && !lists.lightVerbs.has(stem) && !isSmall(stem, lists);
  const words = stems.filter(isOwn);
  return functions.some((other) => other !== fn && other.spec.effect && words.every((stem) => other.stems.has(stem)));
}

/** It means nothing, and is no particle of a verb. */
const isSmall = (stem: string, lists: Lists): boolean => lists.small.has(stem) && !lists.directions.has(stem);

export const matchesFor = (clause: Clause, { functions, lists }: CompiledLanguage): Match[] =>
  clause.tokens.length ? functions.map((fn) => matchFunction(fn, clause, lists)) : [];

const rank = ({ match, hasVerb, isComplete }: Candidate): number =>
  (isComplete ? 100 : 0) + (hasVerb ? 50 : 0) - (match.slots.outside.length ? 25 : 0) + match.score;

function candidateOf(match: Match, clause: Clause, { lists }: CompiledLanguage): Candidate | undefined {
  const { fn, slots, cues } = match;
  if (match.unexplained.length || !mayBeMeant(match, clause, lists)) return undefined;
  const isComplete = !slots.missing.length && !slots.conflicts.length;
  const filled = slots.values.size + (slots.list ? 1 : 0);
  if (fn.spec.risk === 'read' && isAskedAbout(match, clause, lists)) return { match, hasVerb: true, isComplete };
  if (clause.isQuestion) return undefined;
  const isLightVerb = lists.lightVerbs.has(clause.stems[0] ?? '');
  const isVerbFirst = cues.isVerbFirst && (filled > 0 || cues.isWholeFirst);
  const isTold = slots.used.some((one) => one.parameter.isFreeText && one.parameter.spec.required);
  const hasVerb = isTold || cues.isGiven || isVerbFirst || (cues.isWholeFirst && !(isLightVerb && fn.isLight));
  const isAsked = hasVerb || (isComplete ? isAskedForWithoutVerb(match, clause, lists) : isBegun(match));
  return isAsked ? { match, hasVerb, isComplete } : undefined;
}

/** Questions are only for what reads, quotations only for what passes text on, mended words never for what is critical. */
function mayBeMeant({ fn, slots, cues, isMended }: Match, clause: Clause, lists: Lists): boolean {
  const isRead = fn.spec.risk === 'read';
  if ((clause.isQuestion || clause.isDoubtful) && !isRead) return false;
  if (isRead && !isInquiry(clause, lists) && !cues.isWholeFirst && !cues.isVerbFirst) return false;
  if (isMended && fn.spec.risk === 'critical') return false;
  return !clause.tokens.some((token) => token.quoted) || slots.used.some((one) => one.parameter.isFreeText);
}

/** A question, or a verb that asks as a question does: "show me …". */
const isInquiry = ({ isQuestion, isDoubtful, stems }: Clause, lists: Lists): boolean =>
  isQuestion || isDoubtful || lists.showing.has(stems[0] ?? '');

/** What is asked about has to be said: the one place that it needs ("what about the bedroom") or "it" is not enough. */
function isAskedAbout({ fn, slots, cues }: Match, clause: Clause, lists: Lists): boolean {
  if (!isInquiry(clause, lists)) return false;
  const filled = slots.values.size + (slots.list ? 1 : 0);
  const needsOne = fn.parameters.some(({ spec }) => spec.required);
  if (cues.isNamed || filled > (needsOne ? 1 : 0)) return true;
  return cues.isDescribed && (filled > 0 || !clause.stems.some((stem) => lists.it.has(stem)));
}

/** Something of the function is said, enough to ask for the rest. */
const isBegun = ({ fn, slots, cues }: Match): boolean =>
  cues.isWholeFirst ||
  cues.isVerbFirst ||
  cues.isNamed ||
  slots.used.some((one) => one.isQuantity || (one.from === 0 && one.parameter !== fn.parameters[0]));

/** "bedroom lamp 50 %", "living room, 21 degrees", "kitchen light on"; but neither "kitchen on" nor "front lawn". */
function isAskedForWithoutVerb({ fn, slots, cues }: Match, { stems }: Clause, lists: Lists): boolean {
  const filled = slots.values.size + (slots.list ? 1 : 0);
  const hasNumber = slots.used.some((one) => one.isQuantity);
  const hasMeasure = slots.used.some((one) => one.parameter.isNumeric);
  if ((cues.isLast || stems.some((stem) => lists.everything.has(stem))) && filled > 0) return true;
  if (!fn.isLight) return hasNumber ? filled > 1 || cues.isNamed : hasMeasure && cues.isNamed && filled > 1;
  if ((cues.isNamed || cues.isDescribed) && filled > 0) return true;
  const isParticle = (at: number) => lists.prepositions.has(stems[at] ?? '') || lists.directions.has(stems[at] ?? '');
  const hasSetting = slots.used.some((one) => one.parameter !== fn.parameters[0] && !isParticle(one.from));
  const isMeasured = slots.used.some((one) => one.parameter.isNumeric && (!one.isQuantity || one.hasUnit));
  return filled > 1 && (isMeasured || (hasSetting && !hasMeasure));
}

/** "set the bedroom to 21": nothing says whether the light or the temperature. All functions that it fits, if several. */
export function eitherOf(clause: Clause, { functions, lists }: CompiledLanguage): readonly Match[] {
  if (clause.isQuestion || clause.isDoubtful || !lists.lightVerbs.has(clause.stems[0] ?? '')) return [];
  if (!clause.quantities.length || clause.tokens.some((token) => token.quoted)) return [];
  const able = functions.filter((fn) => fn.isLight && fn.spec.effect && mayExplain(fn, clause, lists));
  const fits = able
    .map((fn) => matchFunction(fn, clause, lists))
    .filter(({ unexplained, slots }) => {
      const isComplete = !unexplained.length && !slots.missing.length && !slots.conflicts.length;
      return isComplete && !slots.outside.length && !slots.used.some(({ parameter }) => parameter.isFreeText);
    });
  return fits.length > 1 ? fits : [];
}

export type Choice =
  | { readonly kind: 'one'; readonly match: Match }
  | { readonly kind: 'tie'; readonly matches: readonly Match[] }
  | { readonly kind: 'none' };

/** The best candidate, or those that are as good as it. */
export function choose(candidates: readonly Candidate[]): Choice {
  const [best, ...others] = candidates;
  if (!best) return { kind: 'none' };
  const near = [best, ...others.filter((other) => isNear(best, other))];
  const most = Math.max(...near.map(filledOf));
  const fullest = mostOwn(withEffect(near.filter((one) => filledOf(one) === most)));
  const [first] = fullest;
  if (fullest.length === 1 && first) return { kind: 'one', match: first.match };
  return { kind: 'tie', matches: fullest.map((one) => one.match) };
}

/** What does something in the house goes before what only takes a note of it. */
function withEffect(near: readonly Candidate[]): readonly Candidate[] {
  const acting = near.filter(({ match }) => match.fn.spec.effect);
  return acting.length ? acting : near;
}

/** Words such as "state" stand in every question; whose own they are is meant. */
function mostOwn(near: readonly Candidate[]): readonly Candidate[] {
  if (!near.every(({ match }) => match.fn.spec.risk === 'read')) return near;
  const most = Math.max(...near.map(({ match }) => match.own));
  return near.filter(({ match }) => match.own === most);
}

const filledOf = ({ match }: Candidate): number => match.slots.values.size + (match.slots.list ? 1 : 0);

const isNear = (a: Candidate, b: Candidate): boolean =>
  a.isComplete === b.isComplete &&
  a.hasVerb === b.hasVerb &&
  Boolean(a.match.slots.outside.length) === Boolean(b.match.slots.outside.length) &&
  a.match.score - b.match.score < margin;
