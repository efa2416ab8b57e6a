/** A sentence of a person against a language of functions: what it asks for, or nothing at all. */
import type { CompiledLanguage } from './compile.ts';
import { denies, isKept, withKept } from './kept.ts';
import { unsureEnd } from './message-end.ts';
import { withoutOpposed } from './opposed.ts';
import { isActing, readPart } from './reading.ts';
import type { CallReading, Reading } from './reading.ts';
import { bestSplit, cutsOf } from './split.ts';
import { lonely } from './strangers.ts';
import type { Found } from './slots.ts';
import { readSentence } from './tokens.ts';
import type { Sentence } from './tokens.ts';

type Unclear = Extract<Reading, { kind: 'unclear' }>;

export interface Interpretation {
  readonly sentence: Sentence;
  /** What was understood, in order: calls (which may lack something), ties. Empty: nothing is to be done. */
  readonly requests: readonly Exclude<Reading, { kind: 'negated' | 'withdrawn' | 'aside' | 'unclear' }>[];
  /** Why nothing is understood: the first part that is not. */
  readonly unclear?: Extract<Reading, { kind: 'unclear' }>;
  /** The person took it back or said what not to do. */
  readonly isWithdrawn: boolean;
  /** With `unclear`: no part of it is near to anything that can be done. */
  readonly isStrange?: boolean;
}

/** Every word has to be explained, or nothing happens. */
export function interpret(text: string, language: CompiledLanguage): Interpretation {
  const sentence = readSentence(text, language.lists.words);
  const whole = readPart(sentence, 0, sentence.tokens.length, language);
  const isSingle = cutsOf(sentence, language.lists).length === 1;
  if (
    isSingle ||
    (isActing(whole) && !whole.isLookedUp && !whole.match?.slots.used.some((one) => one.parameter.isFreeText))
  )
    return conclude(sentence, [whole], language);
  const readings = bestSplit(sentence, language);
  const unsure = readings && unsureEnd(sentence, readings, language);
  if (unsure) return { sentence, requests: [], unclear: unsure, isWithdrawn: false };
  if (readings) return conclude(sentence, readings, language);
  const parts = partsOf(sentence, language);
  const unclear = firstUnclear(parts, whole);
  return { sentence, requests: [], unclear, isWithdrawn: false, isStrange: parts.every(isStrange) };
}

function conclude(sentence: Sentence, readings: readonly Reading[], language: CompiledLanguage): Interpretation {
  const withdrawn = readings.findLastIndex((reading) => reading.kind === 'withdrawn');
  const valid = readings.slice(withdrawn + 1);
  const alone = lonely(valid);
  const unclear = alone
    ? strangeClause(alone)
    : (confirmed(valid, language) ?? valid.find((reading) => reading.kind === 'unclear'));
  if (unclear) return { sentence, requests: [], unclear, isWithdrawn: false, isStrange: valid.every(isStrange) };
  const requests = valid.filter((reading) => reading.kind === 'call' || reading.kind === 'tie');
  const negated = valid.filter((reading) => reading.kind === 'negated');
  const isDenied = (request: Reading) =>
    request.kind === 'call' && negated.some((one) => denies(one, request, language));
  const wanted = requests.filter((request) => !isDenied(request));
  const kept = negated.filter((one) => isKept(one, language));
  const isWithdrawn = withdrawn >= 0 || negated.length > 0;
  return {
    sentence,
    requests: withoutOpposed(wanted.map((one) => withKept(one, kept, language))),
    isWithdrawn,
  };
}

/** "kitchen light on, right?", "… off, okay?": it asks whether it is so. Behind an order, "okay?" is polite. */
function confirmed(readings: readonly Reading[], { lists }: CompiledLanguage): Unclear | undefined {
  const [before, tag] = readings.slice(-2);
  if (before?.kind !== 'call' || tag?.kind !== 'aside' || !tag.clause.isDoubtful) return undefined;
  const { clause, fn } = before;
  const first = clause.stems[0] ?? '';
  const isOrder =
    lists.lightVerbs.has(first) || fn.verbs.has(first) || before.match?.slots.used.some(isSettingFirst(fn));
  if (isOrder && !tag.clause.said.some((stem) => lists.tags.has(stem))) return undefined;
  return { kind: 'unclear', clause, words: [], near: fn };
}

/** "open the …", where the verb is a value. */
const isSettingFirst =
  ({ parameters }: CallReading['fn']) =>
  ({ from, parameter }: Found): boolean =>
    from === 0 && parameter !== parameters[0];

const strangeClause = ({ clause, fn, stranger = '' }: CallReading): Unclear => ({
  kind: 'unclear',
  clause,
  words: [stranger],
  near: fn,
});

function partsOf(sentence: Sentence, language: CompiledLanguage): Reading[] {
  const cuts = [...cutsOf(sentence, language.lists), sentence.tokens.length];
  return cuts.slice(1).map((to, at) => readPart(sentence, cuts[at] ?? 0, to, language));
}

const firstUnclear = (parts: readonly Reading[], { clause }: Reading): Unclear =>
  parts.find((reading) => reading.kind === 'unclear') ?? { kind: 'unclear', clause, words: [] };

const isStrange = (reading: Reading): boolean =>
  reading.kind === 'aside' || (reading.kind === 'unclear' && !reading.near && !reading.isPerhapsText);
