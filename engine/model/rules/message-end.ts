/** Where a text that is passed on ends, when a command stands behind it. */
import type { CompiledLanguage } from './compile.ts';
import { longestAt } from './lists.ts';
import { isActing, readPart } from './reading.ts';
import type { CallReading, Reading } from './reading.ts';
import { cutsOf } from './split.ts';
import type { Sentence } from './tokens.ts';

type Unclear = Extract<Reading, { kind: 'unclear' }>;

/** "tell everyone that dinner is ready and close the blinds": the blinds may be part of the message. Then nothing is sure. */
export function unsureEnd(
  sentence: Sentence,
  readings: readonly Reading[],
  language: CompiledLanguage,
): Unclear | undefined {
  for (const [at, reading] of readings.entries()) {
    const begin = textBegin(reading);
    if (begin === undefined) continue;
    const next = readings[at + 1];
    const inside = commandInside(sentence, begin, reading.clause.to, language);
    const behind = next && isJoined(next, sentence) && next.kind !== 'aside' ? next : undefined;
    const doubtful = inside ?? behind;
    if (doubtful) return { kind: 'unclear', clause: doubtful.clause, words: [], isPerhapsText: true };
  }
  return undefined;
}

/** Place in the sentence at which the text begins. */
function textBegin(reading: Reading): number | undefined {
  if (reading.kind !== 'call') return undefined;
  const text = reading.match?.slots.used.find(({ parameter }) => parameter.isFreeText);
  const start = text && reading.clause.tokens[text.from]?.start;
  if (start === undefined || !reading.fn.spec.effect) return undefined;
  return reading.clause.sentence.tokens.findIndex((token) => token.start === start);
}

/** "and" without a full stop before it. */
const isJoined = ({ clause }: Reading, { tokens }: Sentence): boolean =>
  clause.said[0] === 'and' && !/[.;!?]/.test(tokens[clause.from]?.before ?? '');

function commandInside(sentence: Sentence, from: number, to: number, language: CompiledLanguage): Reading | undefined {
  const cuts = [...cutsOf(sentence, language.lists), sentence.tokens.length].filter((cut) => cut > from && cut <= to);
  for (const [index, begin] of cuts.entries()) {
    const next = cuts[index + 1];
    if (next !== undefined && next < to) {
      const reading = readPart(sentence, begin, next, language);
      if (isCorrection(reading, language)) return reading;
    }
    for (const end of cuts.slice(index + 1)) {
      const reading = readPart(sentence, begin, end, language);
      if (isCommand(reading, language) || isAboutIt(reading, language)) return reading;
    }
  }
  return undefined;
}

/** "…, no, …": other words for the message, or words of it. */
const isCorrection = ({ clause: { said } }: Reading, { lists }: CompiledLanguage): boolean =>
  said.length > 0 && longestAt(said, 0, lists.corrections)?.length === said.length;

/** It begins with the plain form of a verb and says more than that: "close the blinds", but not "closes at five". */
function isCommand(reading: Reading, language: CompiledLanguage): boolean {
  if (reading.kind !== 'call' && reading.kind !== 'tie') return false;
  const [first] = reading.clause.tokens;
  if (!first || first.stem !== first.text || first.value !== undefined) return false;
  if (reading.kind === 'call') return beginsAnew(reading, language) && saysMore(reading);
  return reading.matches.some(
    ({ fn, slots }) =>
      language.lists.lightVerbs.has(first.stem) ||
      fn.verbs.has(first.stem) ||
      slots.used.some((one) => one.from === 0 && one.parameter !== fn.parameters[0]),
  );
}

/** "and stop it", "and switch it off again": of whatever the message speaks. */
function isAboutIt({ clause, kind }: Reading, { lists }: CompiledLanguage): boolean {
  const [first = '', second = '', ...rest] = clause.stems;
  const isNumber = (at: number) =>
    clause.tokens[at]?.value !== undefined || lists.inNumbers.has(clause.stems[at] ?? '');
  if (kind === 'withdrawn') return lists.it.has(second);
  if (!lists.lightVerbs.has(first) || lists.givingVerbs.has(first) || !lists.it.has(second) || !rest.length)
    return false;
  return rest.every(
    (stem, at) =>
      isNumber(at + 2) || lists.small.has(stem) || lists.directions.has(stem) || lists.prepositions.has(stem),
  );
}

const saysMore = (reading: CallReading): boolean => isActing(reading) || Boolean(reading.match?.slots.used.length);

export const toldBy = (reading: Reading): boolean =>
  reading.kind === 'call' && Boolean(reading.match?.slots.used.some((one) => one.parameter.isFreeText));

/** Behind a text that is passed on, only a clause with a verb of its own is a new request. */
export function beginsAnew(reading: Reading, { lists }: CompiledLanguage): boolean {
  if (reading.kind !== 'call') return false;
  const first = reading.clause.stems[0] ?? '';
  const isValue = reading.match?.slots.used.some((one) => one.from === 0 && one.parameter !== reading.fn.parameters[0]);
  return !reading.isCarried && (lists.lightVerbs.has(first) || reading.fn.verbs.has(first) || Boolean(isValue));
}
