/** What shall not be done: understood, so that the other clauses of a sentence may act. */
import type { PlainParameters } from '../../moot.ts';
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledLanguage } from './compile.ts';
import type { Lists } from './lists.ts';
import { quantitiesOf } from './quantities.ts';
import { valuesIn } from './values.ts';

export interface Negated {
  readonly kind: 'negated';
  readonly clause: Clause;
  /** It may reach over a following "and". */
  readonly spreads: boolean;
  /** Values out of lists that it speaks of, by parameter. */
  readonly mentions: PlainParameters;
  /** The functions that it may be about. */
  readonly functions: readonly CompiledFunction[];
}

/** Everything before is taken back. */
export interface Withdrawn {
  readonly kind: 'withdrawn';
  readonly clause: Clause;
  readonly spreads: boolean;
}

/** A negator, and otherwise only words that the language knows; without any of a function, all is taken back. */
export function negated(clause: Clause, language: CompiledLanguage): Negated | Withdrawn | undefined {
  const { lists, functions } = language;
  const said = clause.sentence.tokens.slice(clause.from, clause.to);
  const stems = said.map(({ stem }) => stem);
  if (!stems.some((stem) => lists.negators.has(stem)) || isCorrection(stems) || asks(clause, lists)) return undefined;
  const numbers = new Set(
    quantitiesOf(said, lists).flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)),
  );
  const mended = new Set(clause.tokens.filter((token) => token.isMended).map((token) => token.start));
  const isKnown = (at: number, by: readonly CompiledFunction[]) => {
    const stem = stems[at] ?? '';
    const isMended = mended.has(said[at]?.start ?? -1);
    return isMended || numbers.has(at) || isAround(stem, lists) || by.some((fn) => fn.stems.has(stem));
  };
  const places = [...stems.keys()];
  if (!places.every((at) => isKnown(at, functions))) return undefined;
  const spreads = stems.some((stem) => lists.spreading.has(stem));
  const hasContent = stems.some((stem) => !lists.small.has(stem) && functions.some((fn) => fn.stems.has(stem)));
  if (!hasContent) return { kind: 'withdrawn', clause, spreads };
  const about = functions.filter((fn) => places.every((at) => isKnown(at, [fn])));
  return { kind: 'negated', clause, spreads, mentions: mentionsIn(clause, language), functions: about };
}

const isAround = (stem: string, lists: Lists): boolean =>
  lists.small.has(stem) ||
  lists.aroundNegation.has(stem) ||
  lists.negators.has(stem) ||
  lists.lightVerbs.has(stem) ||
  lists.directions.has(stem);

/** "what if I don't", "should I not": asked, not told. */
const asks = ({ stems }: Clause, lists: Lists): boolean =>
  lists.questionStarts.has(stems[0] ?? '') && !lists.negators.has(stems[1] ?? '');

/** "no, off" corrects what was said before; it doesn't say what not to do. */
function isCorrection([first, second, third]: readonly string[]): boolean {
  if (first !== 'no' || second === undefined) return false;
  return third === undefined || !['need', 'longer', 'more'].includes(second);
}

function mentionsIn(clause: Clause, { functions, lists }: CompiledLanguage): PlainParameters {
  const found = functions.flatMap((fn) => valuesIn(fn, clause, lists).found).filter((one) => !one.parameter.isNumeric);
  return Object.fromEntries(found.map((one) => [one.parameter.spec.name, one.value]));
}

/**
 * Whether a clause behind a negated one is surely not negated itself: a contrast ("but", "just", "instead"), a new sentence,
 * or the same function with other values. "don't open the one and close the other" is not sure.
 */
export function standsAlone(
  last: Negated | Withdrawn,
  next: { readonly kind: string; readonly clause: Clause; readonly fn?: CompiledFunction },
  lists: Lists,
): boolean {
  const { said, sentence, from } = next.clause;
  const [first = '', second = ''] = said;
  if (!last.spreads) return true;
  if (lists.or.has(first)) return false;
  if ([first, second, said.at(-1) ?? ''].some((stem) => lists.contrasts.has(stem))) return true;
  if (last.kind === 'withdrawn') return first !== 'and';
  if (first === 'and') return false;
  if (/[.;!?]/.test(sentence.tokens[from]?.before ?? '') || !next.fn) return true;
  return last.functions.includes(next.fn);
}
