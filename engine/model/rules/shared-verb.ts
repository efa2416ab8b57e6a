/** What a clause has from the one before it: its verb, or the place that stood in front of it. */
import type { CompiledLanguage } from './compile.ts';
import { isPlace } from './every.ts';
import { isActing, readPart } from './reading.ts';
import type { CallReading, Reading } from './reading.ts';
import type { Found } from './slots.ts';
import { readSentence } from './tokens.ts';

/** "turn off the fan and the herb light": only things, which make a request with the verb before. */
export function withVerb(reading: Reading, previous: CallReading, language: CompiledLanguage): CallReading | undefined {
  const verb = verbOf(previous, language);
  if (verb === undefined || !hasOnlyThings(reading, language)) return undefined;
  const { sentence, tokens } = reading.clause;
  const words = sentence.source.slice(tokens[0]?.start, tokens.at(-1)?.end);
  const whole = readSentence(`${verb} ${words}`, language.lists.words);
  const meant = readPart(whole, 0, whole.tokens.length, language);
  if (!isActing(meant) || meant.isLookedUp || meant.fn.spec.risk === 'critical') return undefined;
  const { match: _, ...call } = meant;
  return { ...call, clause: reading.clause, isCarried: true };
}

/** "turn off", also of "turn the fan off". */
function verbOf({ clause, fn, match }: CallReading, { lists }: CompiledLanguage): string | undefined {
  const { stems, tokens } = clause;
  const [first = ''] = stems;
  const isSetting = match?.slots.used.some(({ from, parameter }) => from === 0 && !isPlace(parameter));
  if (!lists.lightVerbs.has(first) && !fn.verbs.has(first) && !isSetting) return undefined;
  const isParticle = (at: number) => lists.prepositions.has(stems[at] ?? '') || lists.directions.has(stems[at] ?? '');
  const particle = [1, stems.length - 1].find((at) => at > 0 && isParticle(at));
  return [tokens[0]?.text, tokens[particle ?? -1]?.text].filter(Boolean).join(' ');
}

/** Behind "and" or a comma, without a verb and without anything that it shall be set to. */
function hasOnlyThings(reading: Reading, { lists, functions }: CompiledLanguage): boolean {
  const { clause } = reading;
  const [first = ''] = clause.stems;
  const isJoined = clause.said[0] === 'and' || clause.sentence.tokens[clause.from]?.before === ',';
  if (!isJoined || clause.isQuestion || clause.isDoubtful || lists.lightVerbs.has(first) || clause.quantities.length)
    return false;
  const isVerb = functions.some((fn) => fn.verbs.has(first) && !fn.nouns.has(first) && !fn.things.has(first));
  if (isVerb) return false;
  if (reading.kind === 'call') return reading.match?.slots.used.every(({ parameter }) => isPlace(parameter)) ?? false;
  return reading.kind === 'unclear' || reading.kind === 'tie';
}

/** The clause with its place in front ("in the bedroom turn off …"), which holds for those that are joined to it. */
export function placeInFront(
  reading: Reading,
  before: readonly Reading[],
  { lists }: CompiledLanguage,
): CallReading | undefined {
  const source = before.findLast(
    (one): one is CallReading => one.kind === 'call' && one.calls.length === 1 && isInFront(one, lists.inFront),
  );
  if (!source) return undefined;
  const between = source.clause.sentence.tokens.slice(source.clause.from + 1, reading.clause.to);
  return between.some((token) => /[.;!?]/.test(token.before)) ? undefined : source;
}

function isInFront({ clause, match }: CallReading, words: ReadonlySet<string>): boolean {
  const place = match?.slots.used.find(({ parameter }) => isPlace(parameter));
  return place !== undefined && words.has(clause.stems[0] ?? '') && isNear(place) && place.to < clause.stems.length;
}

/** "in the …" */
const isNear = ({ from }: Found): boolean => from > 0 && from < 3;
