/** "in 5 minutes turn off the lights": for a function that takes a time and a command to be carried out then. */
import { readClause } from './clause.ts';
import type { Clause } from './clause.ts';
import type { CompiledFunction, CompiledLanguage, CompiledParameter } from './compile.ts';
import type { CallReading, Reading } from './reading.ts';
import { textOf } from './tokens.ts';
import type { Sentence } from './tokens.ts';
import { valuesIn } from './values.ts';

type Read = (sentence: Sentence, from: number, to: number, language: CompiledLanguage) => Reading;

/** Only if the inner request would act by itself. */
export function laterCall(clause: Clause, language: CompiledLanguage, read: Read): CallReading | undefined {
  for (const fn of language.functions) {
    const command = fn.parameters.find((one) => one.isFreeText && one.names.has('command'));
    const units = fn.parameters.filter((one) => one.unit !== undefined && one.unit in language.lists.words.seconds);
    const call = command && units.length ? callOf(fn, command, clause, language, read) : undefined;
    if (call) return call;
  }
  return undefined;
}

function callOf(
  fn: CompiledFunction,
  command: CompiledParameter,
  clause: Clause,
  language: CompiledLanguage,
  read: Read,
): CallReading | undefined {
  const { sentence, from, to } = clause;
  for (const [timeFrom, timeTo, restFrom, restTo] of cuts(clause, language)) {
    const time = readClause(sentence, timeFrom, timeTo, language);
    const found = valuesIn(fn, time, language.lists).found.filter((one) => one.isQuantity);
    const rest = read(sentence, restFrom, restTo, language);
    if (!found.length || rest.kind !== 'call' || rest.fn === fn) continue;
    if (rest.missing.length || rest.outside.length || rest.conflicts.length) continue;
    const values = Object.fromEntries(found.map((one) => [one.parameter.spec.name, one.value]));
    const calls = [{ ...values, [command.spec.name]: textOf(sentence, restFrom, restTo) }];
    return { kind: 'call', clause: { ...clause, from, to }, fn, calls, missing: [], outside: [], conflicts: [] };
  }
  return undefined;
}

/** "in" and a time at the beginning or at the end: where time and command begin and end in the sentence. */
function cuts(
  { sentence, from, to, quantities, tokens }: Clause,
  { lists }: CompiledLanguage,
): [number, number, number, number][] {
  const times = quantities.filter((one) => one.unit !== undefined && one.unit in lists.words.seconds);
  const [first, last] = [times[0], times.at(-1)];
  if (!first || !last || tokens[first.from - 1]?.text !== 'in') return [];
  const place = (at: number) => sentence.tokens.findIndex((token) => token.start === tokens[at]?.start);
  if (first.from === 1) return [[place(0), place(last.to), place(last.to), to]];
  return last.to === tokens.length ? [[place(first.from - 1), to, from, place(first.from - 1)]] : [];
}
