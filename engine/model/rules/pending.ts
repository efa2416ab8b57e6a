/** A reply to a question: the open clause and the reply together. */
import type { FunctionSpec } from '../../language/function-spec.ts';
import { yesOrNo } from '../../language/yes-no.ts';
import type { Scalar } from '../../moot.ts';
import { readClause } from './clause.ts';
import { excludedPair, textIn } from './contradictions.ts';
import type { Doubt } from './contradictions.ts';
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledLanguage, CompiledParameter } from './compile.ts';
import { askedPlace, meansEvery, valuesOf } from './every.ts';
import { interpret } from './interpret.ts';
import type { Interpretation } from './interpret.ts';
import { matchFunction } from './match.ts';
import type { Match } from './match.ts';
import { callReading, isActing } from './reading.ts';
import type { CallReading } from './reading.ts';
import { plainWordsOf } from './said.ts';
import { cutsOf } from './split.ts';
import { missingOf } from './slots.ts';
import type { Found } from './slots.ts';
import { readSentence, textOf } from './tokens.ts';

/** @returns The open clauses with what the reply adds to each; empty when the reply is no answer to any. */
export function answered(open: string, reply: string, language: CompiledLanguage): CallReading[] {
  const sentence = readSentence(reply, language.lists.words);
  const clause = readClause(sentence, 0, sentence.tokens.length, language);
  if (yesOrNo(reply) === 'yes') return interpret(open, language).requests.flatMap((request) => agreed(request) ?? []);
  if (!clause.tokens.length || clause.isQuestion || clause.isDoubtful) return [];
  return interpret(open, language).requests.flatMap((request) => {
    if (request.kind === 'call')
      return isActing(request)
        ? []
        : (addedTo(request, clause, language, false) ?? joined(request, clause, language) ?? []);
    const found = request.matches.flatMap(
      (match) => addedTo(callReading(request.clause, match), clause, language, true) ?? [],
    );
    const complete = found.filter(({ missing }) => !missing.length);
    return complete.length === 1 ? complete : found.length === 1 ? found : [];
  });
}

/** What was said for somebody goes to everybody; a number that is like a time is meant as it is. */
function agreed(request: Interpretation['requests'][number]): CallReading | undefined {
  const slots = request.kind === 'call' ? request.match?.slots : undefined;
  if (request.kind !== 'call' || !slots?.doubts.length) return undefined;
  if (slots.doubts.some(({ kind }) => kind !== 'person' && kind !== 'level')) return undefined;
  const names = slots.doubts.flatMap((doubt) => doubt.names);
  const said = slots.used.filter(({ parameter }) => names.includes(parameter.spec.name));
  const values = Object.fromEntries(said.map(({ parameter, value }) => [parameter.spec.name, value]));
  return { ...request, calls: request.calls.map((call) => ({ ...call, ...values })), conflicts: [], isCarried: true };
}

/** "close the blinds" and "bedroom halfway": where both together, as one clause, are clear. */
function joined(open: CallReading, clause: Clause, language: CompiledLanguage): CallReading | undefined {
  const { lists } = language;
  const [first = ''] = clause.stems;
  if (open.isCarried || lists.lightVerbs.has(first) || open.fn.verbs.has(first)) return undefined;
  if (matchFunction(open.fn, clause, lists).unexplained.length) return undefined;
  const reply = textOf(clause.sentence, clause.from, clause.to);
  const [only, ...others] = interpret(`${plainWordsOf(open)} ${reply}`, language).requests;
  if (others.length || only?.kind !== 'call' || only.fn !== open.fn || !isActing(only)) return undefined;
  const { match: _, ...call } = only;
  return { ...call, clause: open.clause, isCarried: true };
}

/** "the front, not the back": the answer is what is left, if it is nothing of what is not meant. */
export function answeredBut(open: string, reply: string, language: CompiledLanguage): CallReading[] {
  const { lists } = language;
  const sentence = readSentence(reply, lists.words);
  const stems = sentence.tokens.map(({ stem }) => stem);
  const at = stems.findIndex((stem) => lists.denying.has(stem));
  const begin = at > 0 && (stems[at - 1] === 'and' || stems[at - 1] === 'but') ? at - 1 : at;
  const end = begin > 0 ? stems.length : (cutsOf(sentence, lists).find((cut) => cut > at) ?? 0);
  if (at < 0 || at + 1 >= end) return [];
  const rest = begin > 0 ? textOf(sentence, 0, begin) : textOf(sentence, end, stems.length);
  const denied = readClause(sentence, at + 1, end, language);
  const isVerb = lists.lightVerbs.has(denied.stems[0] ?? '');
  // "the left, not the right, the middle": the last one may be either.
  if (denied.tokens.some((token, index) => index > 0 && token.before.includes(','))) return [];
  return answered(open, rest, language).filter(({ fn, calls }) => {
    const { unexplained, slots } = matchFunction(fn, denied, lists);
    if (isVerb || fn.verbs.has(denied.stems[0] ?? '') || unexplained.length || !slots.used.length) return false;
    return slots.used.every(({ parameter, value }) => calls.every((call) => call[parameter.spec.name] !== value));
  });
}

function addedTo(
  open: CallReading,
  clause: Clause,
  language: CompiledLanguage,
  isTie: boolean,
): CallReading | undefined {
  const [before] = open.calls;
  if (!before) return undefined;
  const match = matchFunction(open.fn, clause, language.lists);
  const all = askedPlace(open.fn, open.missing, before);
  if (all && meansEvery(open.fn, all, clause, language.lists)) return forEvery(open, all);
  if (match.unexplained.length) return textFor(open, clause, language);
  const isFree = (name: string) =>
    open.missing.includes(name) || open.conflicts.includes(name) || open.outside.includes(name);
  const own = settled(callReading(clause, match), match, isFree);
  const clock = clockIn(match, isFree, clause, language);
  if (clock) return { ...clockReading(open, own, clock, clause), clause: open.clause, isCarried: true };
  if (own.conflicts.length || (open.calls.length > 1 && own.calls.length > 1)) return undefined;
  const fits = own.calls.every((call) =>
    Object.entries(call).every(([name, value]) => isFree(name) || before[name] === value || !(name in before)),
  );
  const adds = own.calls.some((call) => Object.keys(call).some(isFree)) || (isTie && match.cues.isNamed);
  const isForAll = open.calls.length === 1 || own.calls.every((call) => Object.keys(call).every(isFree));
  if (!fits || !adds || !isForAll) return undefined;
  const calls = open.calls.flatMap((each) => own.calls.map((call) => ({ ...each, ...call })));
  const conflicts = calls.flatMap((call) => excludedPair(open.fn, (name) => call[name]) ?? []);
  const missing = missingOf(open.fn, (name) => calls.every((call) => name in call));
  return { ...own, conflicts, clause: open.clause, calls, missing, isCarried: true };
}

/** "at 7" as an answer to "how far?" is the value. */
function settled(own: CallReading, { slots }: Match, isFree: (name: string) => boolean): CallReading {
  const names = slots.doubts.flatMap((doubt) => (doubt.kind === 'level' ? doubt.names : []));
  if (!names.length || !names.every(isFree)) return own;
  const said = slots.used.filter(({ parameter }) => names.includes(parameter.spec.name));
  const values = Object.fromEntries(said.map(({ parameter, value }) => [parameter.spec.name, value]));
  const conflicts = own.conflicts.filter((name) => !names.includes(name));
  return { ...own, calls: own.calls.map((call) => ({ ...call, ...values })), conflicts };
}

/** "all", "both". */
function forEvery(open: CallReading, { spec }: CompiledParameter): CallReading {
  const calls = valuesOf({ spec }).map((value) => ({ ...open.calls[0], [spec.name]: value }));
  return { ...open, calls, missing: open.missing.filter((name) => name !== spec.name), isCarried: true };
}

/** "the kitchen at 7" as an answer to "which room": the number was not asked for, so that it may be the time. */
const clockIn = ({ slots }: Match, isFree: (name: string) => boolean, { stems }: Clause, { lists }: CompiledLanguage) =>
  slots.used.find(
    ({ from, isQuantity, hasUnit, parameter }) =>
      isQuantity && !hasUnit && !isFree(parameter.spec.name) && lists.beforeTimes.has(stems[from - 1] ?? ''),
  );

function clockReading(open: CallReading, own: CallReading, clock: Found, clause: Clause): CallReading {
  const { name } = clock.parameter.spec;
  const calls = own.calls.map((call) =>
    Object.fromEntries(Object.entries({ ...open.calls[0], ...call }).filter(([key]) => key !== name)),
  );
  const doubt: Doubt = { kind: 'time', names: [name], words: [textIn(clause, clock)] };
  const missing = missingOf(open.fn, (key) => key === name || calls.every((call) => key in call));
  return { ...own, calls, missing, outside: [], conflicts: [name], doubt };
}

/** Where only a free text lacks, the reply is the text. */
function textFor(open: CallReading, { sentence }: Clause, language: CompiledLanguage): CallReading | undefined {
  const [name, ...others] = open.missing;
  const parameter = open.fn.parameters.find(({ spec, isFreeText }) => isFreeText && spec.name === name);
  const [before] = open.calls;
  if (!parameter || others.length || !before || name === undefined) return undefined;
  const text = textOf(sentence, 0, sentence.tokens.length).replace(/^that\s+/i, '');
  // "dinner is ready and close the blinds": where the message ends can't be heard here either.
  if (interpret(`${plainWordsOf(open)} that ${text}`, language).unclear?.isPerhapsText) return undefined;
  const call: Record<string, Scalar> = { ...before, [name]: text };
  return { ...open, calls: [call], missing: [], isCarried: true };
}

export type { CompiledFunction, FunctionSpec, Interpretation };
