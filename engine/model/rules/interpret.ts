/** A sentence of a person against a language of functions: what it asks for, or nothing at all. */
import type { CompiledLanguage } from './compile.ts';
import { isActing, readPart } from './reading.ts';
import type { CallReading, Reading } from './reading.ts';
import { bestSplit, cutsOf } from './split.ts';
import { readSentence } from './tokens.ts';
import type { Sentence } from './tokens.ts';
import { valuesIn } from './values.ts';

export interface Interpretation {
  readonly sentence: Sentence;
  /** What was understood, in order: calls (which may lack something), ties. Empty: nothing is to be done. */
  readonly requests: readonly Exclude<Reading, { kind: 'negated' | 'withdrawn' | 'aside' | 'unclear' }>[];
  /** Why nothing is understood: the first part that is not. */
  readonly unclear?: Extract<Reading, { kind: 'unclear' }>;
  /** The person took it back or said what not to do. */
  readonly isWithdrawn: boolean;
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
  if (readings) return conclude(sentence, readings, language);
  return { sentence, requests: [], unclear: firstUnclear(sentence, whole, language), isWithdrawn: false };
}

function conclude(sentence: Sentence, readings: readonly Reading[], language: CompiledLanguage): Interpretation {
  const withdrawn = readings.findLastIndex((reading) => reading.kind === 'withdrawn');
  const valid = readings.slice(withdrawn + 1);
  const unclear = valid.find((reading) => reading.kind === 'unclear');
  if (unclear) return { sentence, requests: [], unclear, isWithdrawn: false };
  const requests = valid.filter((reading) => reading.kind === 'call' || reading.kind === 'tie');
  const negated = valid.filter((reading) => reading.kind === 'negated');
  const denied = requests.some(
    (request) => request.kind === 'call' && negated.some((one) => denies(one, request, language)),
  );
  const isWithdrawn = withdrawn >= 0 || negated.length > 0;
  return { sentence, requests: denied ? [] : withoutContradictions(requests), isWithdrawn: isWithdrawn || denied };
}

/** The same thing is asked for and forbidden. */
function denies(negated: Reading, { fn, calls }: CallReading, { lists }: CompiledLanguage): boolean {
  const { found } = valuesIn(fn, negated.clause, lists);
  const isItsOwn = (stem: string) =>
    fn.stems.has(stem) ||
    lists.small.has(stem) ||
    lists.aroundNegation.has(stem) ||
    lists.negators.has(stem) ||
    lists.lightVerbs.has(stem);
  if (!found.length || !negated.clause.stems.every(isItsOwn)) return false;
  return calls.some((call) => found.every((one) => call[one.parameter.spec.name] === one.value));
}

type Request = Interpretation['requests'][number];

/** Two calls that set the same thing to different values: neither acts, and the person is asked. */
function withoutContradictions(requests: readonly Request[]): readonly Request[] {
  return requests.map((request) => {
    if (request.kind !== 'call') return request;
    const own = contradictionsIn(request);
    const others = requests.filter(
      (other): other is CallReading => other !== request && other.kind === 'call' && other.fn === request.fn,
    );
    const names = others.flatMap((other) =>
      other.calls.flatMap((theirs) => request.calls.flatMap((mine) => clashes(request, mine, theirs))),
    );
    const conflicts = [...new Set([...request.conflicts, ...own, ...names])];
    return conflicts.length ? { ...request, conflicts } : request;
  });
}

const contradictionsIn = (request: CallReading): string[] =>
  request.calls.flatMap((mine, index) =>
    request.calls.slice(index + 1).flatMap((theirs) => clashes(request, mine, theirs)),
  );

/** Names of settings that differ although everything that must be given from a list is the same. */
function clashes(
  { fn }: CallReading,
  mine: CallReading['calls'][number],
  theirs: CallReading['calls'][number],
): string[] {
  const isPlace = (name: string) => {
    const parameter = fn.parameters.find((one) => one.spec.name === name);
    return Boolean(parameter?.spec.required && !parameter.isNumeric && parameter.spec.allowedValues?.length);
  };
  if (fn.parameters.some((one) => one.isFreeText && one.spec.required)) return [];
  const places = fn.parameters.map(({ spec }) => spec.name).filter(isPlace);
  if (places.some((name) => mine[name] !== theirs[name])) return [];
  return Object.keys(mine).filter((name) => !isPlace(name) && name in theirs && mine[name] !== theirs[name]);
}

function firstUnclear(
  sentence: Sentence,
  whole: Reading,
  language: CompiledLanguage,
): Extract<Reading, { kind: 'unclear' }> {
  const cuts = [...cutsOf(sentence, language.lists), sentence.tokens.length];
  for (let at = 0; at + 1 < cuts.length; at++) {
    const reading = readPart(sentence, cuts[at] ?? 0, cuts[at + 1] ?? 0, language);
    if (reading.kind === 'unclear') return reading;
  }
  return { kind: 'unclear', clause: whole.clause, words: [] };
}
