/** How far one function explains a clause: values, numbers, cues, vocabulary. Every word has to be explained. */
import type { PlainParameters, Scalar } from '../../moot.ts';
import type { Clause } from './clause.ts';
import type { CompiledFunction } from './compile.ts';
import { comparativesIn, isComparative } from './comparatives.ts';
import { markCues } from './cues.ts';
import type { Cues } from './cues.ts';
import { everyIn, withEvery } from './every.ts';
import { freeTextOf, personsAlone } from './free-text.ts';
import type { Lists } from './lists.ts';
import { resolveSlots } from './slots.ts';
import type { Slots } from './slots.ts';
import { isPart, valuesIn } from './values.ts';

export interface Match {
  readonly fn: CompiledFunction;
  readonly slots: Slots;
  readonly cues: Cues;
  /** Positions in the clause's tokens that nothing explains. */
  readonly unexplained: readonly number[];
  /** Share of the words' weight that is explained strongly, 0 to 1. */
  readonly score: number;
  /** How many words are its own: neither small nor a question's. */
  readonly own: number;
  /** A word of it was mended. */
  readonly isMended: boolean;
}

/** Strength 0 means unexplained; small words have a trace of strength, so that they count as explained. */
export const trace = 0.001;

/** A quick look, so that most functions need no closer one: false when some word surely stays unexplained. */
export function mayExplain(fn: CompiledFunction, { stems, tokens }: Clause, lists: Lists): boolean {
  if (fn.parameters.some((one) => one.isFreeText)) return true;
  return stems.every(
    (stem, at) =>
      fn.stems.has(stem) ||
      lists.small.has(stem) ||
      lists.lightVerbs.has(stem) ||
      lists.prepositions.has(stem) ||
      lists.directions.has(stem) ||
      lists.inNumbers.has(stem) ||
      lists.every.has(stem) ||
      lists.entire.has(stem) ||
      lists.homes.has(stem) ||
      isComparative(stem, fn, lists) ||
      tokens[at]?.value !== undefined ||
      (fn.spec.risk === 'read' && lists.inQuestions.has(stem)),
  );
}

export function matchFunction(fn: CompiledFunction, said: Clause, lists: Lists): Match {
  const strength = new Array<number>(said.tokens.length).fill(0);
  const mark = (from: number, to: number, weight: number) => {
    for (let at = from; at < to; at++) strength[at] = Math.max(strength[at] ?? 0, weight);
  };
  const told = freeTextOf(fn, said, lists);
  const clause = told ? shielded(said, told) : said;
  if (told) mark(told.from, told.to, 1);
  const { found, prepositions } = valuesIn(fn, clause, lists);
  for (const one of found) mark(one.from, one.to, 1);
  for (const at of prepositions) mark(at, at + 1, trace);
  for (const at of comparativesIn(fn, clause, found, lists)) mark(at, at + 1, 0.4);
  markSmall(fn, clause, strength, lists);
  for (const at of told ? [] : personsAlone(fn, clause, lists)) mark(at, at + 1, trace);
  const cues = markCues(fn, clause, strength, lists);
  const text = told ? [{ ...told, value: told.text, isQuantity: false }] : [];
  const alone = forPerson(resolveSlots(fn, [...found, ...text], clause, cues, lists), told?.addressee);
  const every = everyIn(fn, clause, alone, lists);
  for (const at of every?.at ?? []) mark(at, at + 1, trace);
  const slots = every ? withEvery(fn, alone, every) : alone;
  return {
    fn,
    slots,
    cues,
    unexplained: [...strength.keys()].filter((at) => strength[at] === 0),
    score: scoreOf(strength),
    own: strength.filter((weight) => weight > trace).length,
    isMended: clause.tokens.some((token) => token.isMended),
  };
}

/** A text for somebody to whom the function can't give it is not given to all. */
function forPerson(slots: Slots, addressee: string | undefined): Slots {
  const name = slots.used.find((one) => one.parameter.isFreeText)?.parameter.spec.name;
  if (addressee === undefined || name === undefined) return slots;
  const doubts = [...slots.doubts, { kind: 'person', names: [name], words: [addressee] } as const];
  const values = new Map([...slots.values].filter(([key]) => key !== name));
  return { ...slots, values, doubts, conflicts: [...slots.conflicts, name] };
}

/** Nothing inside a text that is passed on means anything. */
const shielded = (clause: Clause, { from, to }: { readonly from: number; readonly to: number }): Clause => ({
  ...clause,
  stems: clause.stems.map((stem, at) => (from <= at && at < to ? '' : stem)),
  quantities: clause.quantities.filter((one) => one.to <= from || one.from >= to),
});

function markSmall(fn: CompiledFunction, clause: Clause, strength: number[], lists: Lists): void {
  const { stems } = clause;
  for (let at = 0; at < stems.length; at++) {
    const stem = stems[at] ?? '';
    if (strength[at]) continue;
    const next = stems[at + 1] ?? '';
    const isSmall =
      (lists.small.has(stem) && !isPart(stems, at, lists)) ||
      isLightVerb(stems, at, strength, lists) ||
      (lists.returning.has(stem) &&
        (lists.something.has(next) || lists.nothing.has(next) || lists.directions.has(next))) ||
      (lists.directions.has(stem) &&
        !meansNothing(clause, at, lists) &&
        (lists.towards.has(next) || (at === 1 && goesTo(clause, lists)))) ||
      (fn.spec.risk === 'read' && lists.inQuestions.has(stem));
    if (isSmall) strength[at] = trace;
  }
}

/** At the beginning, or behind a place: "in the bedroom turn …". */
const isLightVerb = (stems: readonly string[], at: number, strength: readonly number[], lists: Lists): boolean =>
  lists.lightVerbs.has(stems[at] ?? '') && (at === 0 || isBehindPlace(stems, at, strength, lists));

const isBehindPlace = (stems: readonly string[], at: number, strength: readonly number[], lists: Lists): boolean =>
  at > 1 &&
  lists.inFront.has(stems[0] ?? '') &&
  strength[at - 1] === 1 &&
  stems.slice(1, at).every((stem, index) => strength[index + 1] === 1 || lists.determiners.has(stem));

/** "off at 20 degrees": no direction. */
const meansNothing = ({ stems, quantities }: Clause, at: number, lists: Lists): boolean =>
  lists.nothing.has(stems[at] ?? '') && (quantities.length > 0 || lists.levels.has(stems[at + 2] ?? ''));

/** "turn up … to 80": the direction says no more than the number does. */
const goesTo = ({ stems, quantities }: Clause, lists: Lists): boolean =>
  lists.lightVerbs.has(stems[0] ?? '') &&
  quantities.some(({ from }) => from > 2 && lists.towards.has(stems[from - 1] ?? ''));

function scoreOf(strength: readonly number[]): number {
  const content = strength.filter((weight) => weight !== trace);
  return content.length ? content.reduce((sum, weight) => sum + weight, 0) / content.length : 0;
}

/** The calls of a match: one, or one for each value of a list. */
export function callsOf({ slots }: Match): PlainParameters[] {
  const single = Object.fromEntries([...slots.values].map(([name, value]) => [name, value]));
  const { list } = slots;
  return list ? list.values.map((value: Scalar) => ordered({ ...single, [list.name]: value }, list.order)) : [single];
}

const ordered = (parameters: Record<string, Scalar>, order: readonly string[]): PlainParameters =>
  Object.fromEntries(order.flatMap((name) => (name in parameters ? [[name, parameters[name] ?? '']] : [])));
