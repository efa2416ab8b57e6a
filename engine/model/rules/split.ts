/** Where a composite sentence may be cut into clauses, and the best way to do so. */
import { carry } from './carry.ts';
import { corrected } from './corrections.ts';
import { beginsAnew, toldBy } from './message-end.ts';
import { withStranger } from './strangers.ts';
import type { CompiledLanguage } from './compile.ts';
import { isPlace } from './every.ts';
import { longestAt } from './lists.ts';
import type { Lists } from './lists.ts';
import { quantitiesOf } from './quantities.ts';
import { standsAlone } from './negation.ts';
import { isActing, readPart } from './reading.ts';
import type { CallReading, Reading } from './reading.ts';
import type { Sentence } from './tokens.ts';

const most = { pieces: 40, group: 6, kept: 3 };

/** Tokens at which a piece begins: behind punctuation, and at words such as "and". */
export function cutsOf({ tokens }: Sentence, lists: Lists): number[] {
  const stems = tokens.map((token) => token.stem);
  const inNumbers = new Set(
    quantitiesOf(tokens, lists).flatMap(({ from, to }) =>
      Array.from({ length: to - from - 1 }, (_, at) => from + 1 + at),
    ),
  );
  const cuts = [0];
  for (let at = 1; at < tokens.length; at++) {
    if (inNumbers.has(at)) continue;
    const connector = longestAt(stems, at, lists.connectors);
    const isReason = longestAt(stems, at, lists.reasons) !== undefined;
    if (/[.,;:!?…–—]/.test(tokens[at]?.before ?? '') || connector || isReason) cuts.push(at);
    if (connector) at += connector.length - 1;
  }
  return cuts;
}

interface Way {
  readonly readings: readonly Reading[];
  /** Of each reading. */
  readonly costs: readonly number[];
  readonly cost: number;
}

/**
 * The clauses of a sentence, each understood, with what lacks least; undefined when there is no way to understand all of
 * it.
 */
export function bestSplit(sentence: Sentence, language: CompiledLanguage): readonly Reading[] | undefined {
  const cuts = [...cutsOf(sentence, language.lists), sentence.tokens.length];
  const count = cuts.length - 1;
  if (count > most.pieces) return undefined;
  const ways: Way[][] = [[{ readings: [], costs: [], cost: 0 }]];
  for (let to = 1; to <= count; to++) {
    const here: Way[] = [];
    for (let from = Math.max(0, to - most.group); from < to; from++) extendAll(from, to, here);
    if (to > most.group && to === count) extendAll(0, to, here);
    ways[to] = here.sort((a, b) => a.cost - b.cost).slice(0, most.kept);
  }
  return ways[count]?.[0]?.readings;

  function extendAll(from: number, to: number, here: Way[]): void {
    const before = ways[from] ?? [];
    if (!before.length) return;
    const end = cuts[to] ?? 0;
    if (to - from > 1 && isTakenBack(cuts[to - 1] ?? 0, end)) return;
    const reading = readPart(sentence, cuts[from] ?? 0, end, language);
    for (const way of before) {
      const longer = extended(way, reading, to - from, language);
      if (longer) here.push(longer);
    }
  }

  /** "…, never mind" is no part of what was said before it. */
  function isTakenBack(from: number, to: number): boolean {
    const stems = sentence.tokens.slice(from, to).map((token) => token.stem);
    return language.lists.withdrawals.has(stems.join(' '));
  }
}

function extended(way: Way, alone: Reading, pieces: number, language: CompiledLanguage): Way | undefined {
  const earlier = way.readings.filter((one): one is CallReading => one.kind === 'call');
  const last = way.readings.at(-1);
  const better = corrected(alone, way.readings, language);
  if (better) return wayOf(way, way.readings.slice(0, better.from), better.reading, pieces);
  const { reading: carried, replaces } = carry(alone, way.readings, language);
  const reading = withStranger(carried, earlier.at(-1), language) ?? carried;
  if (reading.kind === 'unclear' || leavesOut(reading, last, language)) return undefined;
  const isDenied = last?.kind === 'negated' || last?.kind === 'withdrawn';
  if (isDenied && !standsAlone(last, reading, language.lists)) return undefined;
  if (last && toldBy(last) && !beginsAnew(reading, language)) return undefined;
  const replaced = replaces ? earlier.at(-1) : undefined;
  return wayOf(
    way,
    way.readings.filter((one) => one !== replaced),
    reading,
    pieces,
  );
}

function wayOf(way: Way, kept: readonly Reading[], reading: Reading, pieces: number): Way {
  const costs = [...way.costs.filter((_, at) => kept.includes(way.readings[at] as Reading)), costOf(reading, pieces)];
  return { readings: [...kept, reading], costs, cost: costs.reduce((sum, one) => sum + one, 0) };
}

/** Asking is dear, carrying is cheap, and every clause by itself is better still. */
function costOf(reading: Reading, pieces: number): number {
  if (reading.kind === 'tie') return 10;
  if (reading.kind === 'negated') return 1 + 12 * (pieces - 1);
  if (reading.kind !== 'call') return reading.kind === 'aside' ? 0 : 1;
  if (isActing(reading) && reading.isLookedUp) return 5;
  if (!isActing(reading)) return reading.conflicts.length && !(pieces > 1 && hasOtherPlaces(reading)) ? 9 : 10;
  return reading.isCarried ? 0.2 : -0.1;
}

/** "turn on the kitchen light and dim the bedroom": two places in one clause are rather two clauses. */
const hasOtherPlaces = ({ fn, conflicts }: CallReading): boolean =>
  fn.parameters.some((one) => isPlace(one) && conflicts.includes(one.spec.name));

/** "all the lights but the hall": left out, not added. Behind "don't", or with words of its own, it is a new request. */
function leavesOut(reading: Reading, last: Reading | undefined, { lists }: CompiledLanguage): boolean {
  const { said, stems } = reading.clause;
  const [first = '', second = ''] = said;
  if (
    first !== 'but' ||
    last?.kind !== 'call' ||
    lists.contrasts.has(second) ||
    said.some((stem) => stem === 'also' || stem === 'too')
  )
    return false;
  if (reading.kind === 'negated' || reading.kind === 'withdrawn' || reading.kind === 'aside') return false;
  const hasVerb =
    lists.lightVerbs.has(stems[0] ?? '') || (reading.kind === 'call' && reading.fn.verbs.has(stems[0] ?? ''));
  const isOpen = last.missing.length > 0 && reading.kind === 'call' && reading.fn === last.fn;
  return !hasVerb && (isOpen || !isActing(reading) || Boolean(reading.isCarried));
}
